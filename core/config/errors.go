package config

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Error is one error in a configuration.
type Error struct {
	File         string
	Line, Column int    // from 1; columns count characters
	Queue        string // path of the queue; InPartition or InFile if the error is not in a queue
	Key          string
	Expected     string
	Found        string

	total int // number of all errors, in the last error of a list that was cut
}

// Error formats the error as one line: `file:line:column: queue: key: expected …, found …`.
func (e *Error) Error() string {
	return location(e.File, e.Line, e.Column) + ": " + e.Queue + ": " + e.Key + ": expected " + e.Expected + ", found " + e.Found
}

// location returns the start of an error or a warning, in a form that editors can follow.
func location(file string, line, column int) string {
	return file + ":" + strconv.Itoa(line) + ":" + strconv.Itoa(column)
}

// Errors lists all errors in a configuration, in the order of the text.
type Errors []*Error

// Error has one line for each error.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Total returns the number of all errors. The list contains only the first hundred, followed by one that says how many there are.
func (es Errors) Total() int {
	if n := len(es); n > 0 && es[n-1].total > 0 {
		return es[n-1].total
	}
	return len(es)
}

// Unwrap returns the single errors, for errors.As.
func (es Errors) Unwrap() []error {
	all := make([]error, len(es))
	for i, e := range es {
		all[i] = e
	}
	return all
}

// sortedDistinct returns the errors in the order of the text, without duplicates, which occur since the value of an alias is validated
// at each use.
func (es Errors) sortedDistinct() Errors {
	slices.SortStableFunc(es, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Queue, b.Queue), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Expected, b.Expected))
	})
	return slices.CompactFunc(es, func(a, b *Error) bool { return *a == *b })
}
