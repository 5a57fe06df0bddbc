package features

import (
	"bytes"
	"io"
	"regexp"
)

// readable leaves out of a pretty report where in this package a sentence is matched: readers look for their scenario.
type readable struct {
	out  io.Writer
	line []byte // not ended yet
}

var matchedAt = regexp.MustCompile(`[ ]*(\x1b\[[0-9;]*m)*# features\.go:\d+ -> [^\n]*`)

// Write passes on every line that has ended.
func (r *readable) Write(text []byte) (int, error) {
	r.line = append(r.line, text...)
	end := bytes.LastIndexByte(r.line, '\n')
	if end < 0 {
		return len(text), nil
	}
	_, err := r.out.Write(matchedAt.ReplaceAll(r.line[:end+1], nil))
	r.line = append(r.line[:0], r.line[end+1:]...)
	return len(text), err
}

// Flush passes on the rest.
func (r *readable) Flush() error {
	_, err := r.out.Write(r.line)
	r.line = nil
	return err
}
