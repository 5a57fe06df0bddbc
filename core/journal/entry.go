package journal

import (
	"time"

	"github.com/quern-project/quern/core"
)

// Entry is one line of a journal: an input, and the keys that only a replay uses.
type Entry struct {
	Input core.Input

	Run    time.Duration // run time of the allocation, if HasRun
	HasRun bool

	// Count is at least 1. If Numbered, the line has a count, which may be 1, and stands for the asks ID-1 to ID-Count. Otherwise it is
	// the ask ID itself.
	Count    int
	Numbered bool

	File string // position of the line, for messages
	Line int
}

// Source yields entries in order of time.
type Source interface {
	// Next returns the next entry, which is valid until the next call; so is its event if the source reuses events. At the end, the
	// error is io.EOF. For a bad line it is an *Error, which all later calls return again.
	Next() (*Entry, error)
}

// Form is the form of a journal's times. All times of a journal have the same form, and so have its decisions.
type Form uint8

// The forms.
const (
	UnknownForm Form = iota // no time has been read; written as Relative
	Relative                // a Go duration since the start
	Absolute                // RFC 3339; an At counts from the Unix epoch
)

func (f Form) String() string {
	if f == Absolute {
		return "an RFC 3339 time"
	}
	return "a duration since the start"
}

// former is a Source that knows the form of its times.
type former interface{ Form() Form }
