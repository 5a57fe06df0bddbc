package config

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Error is one thing that is wrong with a configuration.
type Error struct {
	File         string
	Line, Column int    // from 1; columns count characters
	Queue        string // path of the queue; InPartition or InFile for what is in no queue
	Key          string
	Expected     string
	Found        string

	total int // of the last error of a list that is cut off: how many there are
}

// Error is one line: `file:line:column: queue: key: expected …, found …`.
func (e *Error) Error() string {
	return location(e.File, e.Line, e.Column) + ": " + e.Queue + ": " + e.Key + ": expected " + e.Expected + ", found " + e.Found
}

// location is the beginning of an error or a warning, in the form that editors follow.
func location(file string, line, column int) string {
	return file + ":" + strconv.Itoa(line) + ":" + strconv.Itoa(column)
}

// Errors is all that is wrong with a configuration, in the order of the text.
type Errors []*Error

// Error has one line an error.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Total is how many errors there are. The list has the first hundred, and then one that tells of the others.
func (es Errors) Total() int {
	if n := len(es); n > 0 && es[n-1].total > 0 {
		return es[n-1].total
	}
	return len(es)
}

// Unwrap gives the errors one by one, for errors.As.
func (es Errors) Unwrap() []error {
	all := make([]error, len(es))
	for i, e := range es {
		all[i] = e
	}
	return all
}

// settled is the errors in the order of the text, each once: an alias is judged wherever it is used.
func (es Errors) settled() Errors {
	slices.SortStableFunc(es, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Queue, b.Queue), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Expected, b.Expected))
	})
	return slices.CompactFunc(es, func(a, b *Error) bool { return *a == *b })
}
