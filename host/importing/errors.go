package importing

import (
	"errors"
	"fmt"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Error says what is wrong with a place of a file. Line and Column count from 1; 0 means that they are not known.
type Error struct {
	File         string
	Line, Column int
	Key          string // the column of a table, or the path of a value; empty: the whole line
	Expected     string
	Found        string
}

// Error returns `file:line:column: key: expected …, found …`, without the parts that are not known.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	for _, n := range []int{e.Line, e.Column} {
		if n > 0 {
			fmt.Fprintf(&b, ":%d", n)
		}
	}
	if e.Key != "" {
		b.WriteString(": " + e.Key)
	}
	fmt.Fprintf(&b, ": expected %s, found %s", e.Expected, e.Found)
	return b.String()
}

// mostErrors bounds how many errors a reader collects before it gives up.
const mostErrors = 20

// ErrGivenUp tells a reader to stop, since too much cannot be read. Sink.Err has the errors.
var ErrGivenUp = errors.New("too many errors")

// faults are the errors of an import.
type faults struct {
	all     []*Error
	bad     int // how many rows or objects have some
	allowed int // how many of those are left out
	givenUp bool
}

// Bad reports a row or an object that cannot be read, and everything that is wrong with it. The reader leaves it out and goes
// on, unless the answer is ErrGivenUp.
func (f *faults) Bad(errs ...*Error) error {
	f.bad++
	f.all = append(f.all, errs...)
	if f.bad > f.allowed && len(f.all) >= mostErrors {
		f.givenUp = true
		return ErrGivenUp
	}
	return nil
}

// GiveUp reports what keeps the rest of a file from being read, which cannot be left out.
func (f *faults) GiveUp(errs ...*Error) error {
	f.all = append(f.all, errs...)
	f.givenUp = true
	return ErrGivenUp
}

// Err returns the errors, at most 20 of them, where more rows or objects are bad than may be left out; else nil.
func (f *faults) Err() error {
	if f.bad <= f.allowed && !f.givenUp {
		return nil
	}
	var list []error
	for _, e := range f.all[:min(len(f.all), mostErrors)] {
		list = append(list, e)
	}
	if f.givenUp {
		list = append(list, errors.New("the rest was not read"))
	}
	return errors.Join(list...)
}

// Allowed returns how many rows or objects were left out because they cannot be read, and the first errors of those.
func (f *faults) Allowed() (bad int, errs []*Error) {
	return f.bad, f.all[:min(len(f.all), mostErrors)]
}

// LongText is the error of a place whose event has a text that the scheduler would refuse; nil: it has none.
func LongText(file string, line int, e core.Event) *Error {
	if message := core.TextTooLong(e); message != "" {
		return &Error{File: file, Line: line, Expected: "shorter texts", Found: message}
	}
	return nil
}

// Because fills an error with what a quantity was expected to be.
func (e *Error) Because(err error) *Error {
	var q *resource.QuantityError
	if errors.As(err, &q) {
		e.Expected, e.Found = q.Expected, q.Found
		return e
	}
	e.Expected, e.Found = "a value that can be used", err.Error()
	return e
}

// mostQuoted bounds what a message repeats of a file.
const mostQuoted = 60

// Quote quotes found text, short.
func Quote(text string) string {
	switch {
	case text == "":
		return "nothing"
	case len(text) > mostQuoted:
		return fmt.Sprintf("%q…", text[:mostQuoted])
	}
	return fmt.Sprintf("%q", text)
}
