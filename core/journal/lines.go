package journal

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxLine bounds a line in bytes, its end not counted.
const MaxLine = 16 << 20

// byteOrderMark begins some UTF-8 files. It is not part of their first line.
const byteOrderMark = "\ufeff"

var errLongLine = errors.New("line too long")

// lineReader cuts a stream into lines. What it holds is bounded by MaxLine, however long a line is.
type lineReader struct {
	r      *bufio.Reader
	long   []byte // a line in pieces, when it is longer than the buffer of r
	number int    // of the line that next returned last, from 1
}

func newLineReader(r io.Reader) lineReader {
	return lineReader{r: bufio.NewReaderSize(r, 64<<10)}
}

// reset has it cut another stream.
func (l *lineReader) reset(r io.Reader) {
	l.r.Reset(r)
	*l = lineReader{r: l.r}
}

// next returns the next line without its end, valid until the next call. A line cut off by a failing reader is lost:
// the error comes in its place.
func (l *lineReader) next() ([]byte, error) {
	l.number++
	line, err := l.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		line, err = l.collect(line)
	}
	switch {
	case err == nil:
		line = line[:len(line)-1]
	case err != io.EOF || len(line) == 0:
		return nil, err
	}
	if l.number == 1 {
		line = bytes.TrimPrefix(line, []byte(byteOrderMark))
	}
	if len(line) > MaxLine {
		return nil, errLongLine
	}
	return line, nil
}

func (l *lineReader) collect(part []byte) ([]byte, error) {
	l.long = l.long[:0]
	for err := bufio.ErrBufferFull; ; part, err = l.r.ReadSlice('\n') {
		if len(l.long)+len(part) > MaxLine+1 {
			return nil, errLongLine
		}
		l.long = append(l.long, part...)
		if err != bufio.ErrBufferFull {
			return l.long, err
		}
	}
}
