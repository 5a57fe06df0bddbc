package journal

import (
	"time"

	"github.com/quern-project/quern/core"
)

// Entry is one line of a journal: an input, and what the replayer alone makes of it.
type Entry struct {
	Input core.Input

	Run    time.Duration // how long an allocation lasts, if HasRun
	HasRun bool

	// Count is at least 1. Numbered says that the line gave a count: it stands for the asks ID-1 to ID-Count, of one
	// too. Without it the line is the ask ID itself.
	Count    int
	Numbered bool

	File string // where the line stands, for messages
	Line int
}

// Source yields entries in order of time.
type Source interface {
	// Next returns the next entry, valid until the next call. So is its event where the source says that it reuses events. At the end the error is io.EOF; at a line that cannot
	// be used it is an *Error, and every later call returns it again.
	Next() (*Entry, error)
}

// Form is how a journal writes its times. All times of a journal have the same form, and decisions take it over.
type Form uint8

// The forms.
const (
	UnknownForm Form = iota // no time was read yet; written as Relative
	Relative                // a Go duration since the start
	Absolute                // RFC 3339; an At counts from the Unix epoch
)

func (f Form) String() string {
	if f == Absolute {
		return "an RFC 3339 time"
	}
	return "a duration since the start"
}

// A former is a Source that knows the form of its times.
type former interface{ Form() Form }
