package journal

import (
	"bufio"
	"bytes"
	"io"
)

// Remaining counts the lines of a journal after a line, whether they can be decoded or not, until there are most. Empty lines,
// comments and the line that names the format are not counted. Lines may have any length.
func Remaining(r io.Reader, after, most int) (n int, err error) {
	lines, begun := bufio.NewReaderSize(r, 64<<10), after > 0 // an input has come
	for number := 1; n < most; number++ {
		line, more, err := lines.ReadLine() // its beginning, if it is longer than the buffer
		if err == nil && number > after {
			line = bytes.TrimLeft(bytes.TrimPrefix(line, []byte(byteOrderMark)), " \t\r")
			input := len(line) > 0 && line[0] != '#'
			if input && (begun || more || !isHeader(line)) {
				n++
			}
			begun = begun || input
		}
		for more && err == nil {
			_, more, err = lines.ReadLine()
		}
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// isHeader reports whether a line names the format.
func isHeader(line []byte) bool {
	d := NewDecoder(bytes.NewReader(line), "", nil)
	_, err := d.Next()
	return err == io.EOF && d.begun
}
