package journal

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxLine is the maximum length of a line in bytes, without its end.
const MaxLine = 16 << 20

// byteOrderMark is at the start of some UTF-8 files. It is not part of the first line.
const byteOrderMark = "\ufeff"

var errLongLine = errors.New("line too long")

// lineReader splits a stream into lines. Its memory is bounded by MaxLine, even if a line is longer.
type lineReader struct {
	r      *bufio.Reader
	long   []byte // buffer for a line that is longer than the buffer of r
	number int    // of the last line that next returned, from 1
}

func newLineReader(r io.Reader) lineReader {
	return lineReader{r: bufio.NewReaderSize(r, 64<<10)}
}

// reset makes it split another stream.
func (l *lineReader) reset(r io.Reader) {
	l.r.Reset(r)
	*l = lineReader{r: l.r}
}

// next returns the next line without its end, valid until the next call. If the reader fails within a line, next returns the error
// instead of the partial line.
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
