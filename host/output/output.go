// Package output opens what a run writes to.
package output

import (
	"bufio"
	"io"
	"os"
)

// Stdout is the name that stands for standard output.
const Stdout = "-"

// File is a file to write, standard output, or nothing.
type File struct {
	file   *os.File
	buffer *bufio.Writer
}

// Create makes a file by its name; an empty name is nothing.
func Create(name string, stdout io.Writer) (*File, error) {
	switch name {
	case "":
		return &File{}, nil
	case Stdout:
		return &File{buffer: bufio.NewWriterSize(stdout, 1<<16)}, nil
	}
	file, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	return &File{file: file, buffer: bufio.NewWriterSize(file, 1<<16)}, nil
}

// Writer is where to write; nil for nothing.
func (f *File) Writer() io.Writer {
	if f.buffer == nil {
		return nil
	}
	return f.buffer
}

// Close writes what is held back. A file that could not be written in full is an error here at the latest.
func (f *File) Close() error {
	if f.buffer == nil {
		return nil
	}
	err := f.buffer.Flush()
	if f.file != nil {
		if closed := f.file.Close(); err == nil {
			err = closed
		}
	}
	return err
}
