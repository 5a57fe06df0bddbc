package journal

import (
	"bufio"
	"bytes"
	"io"
)

// Remaining returns the number of lines after a line of a journal, including those that cannot be decoded, but at most most. Empty
// lines, comments and the first line that names the format are not counted. Lines may have any length.
func Remaining(r io.Reader, after, most int) (n int, err error) {
	lines, begun := bufio.NewReaderSize(r, 64<<10), after > 0 // whether an input was read
	for number := 1; n < most; number++ {
		line, more, err := lines.ReadLine() // the start of the line, if the line is longer than the buffer
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
