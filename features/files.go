package features

import (
	"bufio"
	"io/fs"
	"os"
	"strings"
)

// byteOrderMark begins some UTF-8 files. It belongs to no text.
const byteOrderMark = "\ufeff"

// unmarked is a text without its byte-order mark.
func unmarked(text string) string { return strings.TrimPrefix(text, byteOrderMark) }

// files are those of the system, without byte-order marks.
type files struct{}

// Open opens a file or a folder under any name that the system knows.
func (files) Open(name string) (fs.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return &unmarkedFile{File: f}, nil
}

type unmarkedFile struct {
	*os.File
	text *bufio.Reader // nil before the first read
}

// Read reads what follows the mark.
func (f *unmarkedFile) Read(b []byte) (int, error) {
	if f.text == nil {
		f.text = bufio.NewReader(f.File)
		if head, _ := f.text.Peek(len(byteOrderMark)); string(head) == byteOrderMark {
			_, _ = f.text.Discard(len(head))
		}
	}
	return f.text.Read(b)
}
