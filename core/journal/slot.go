package journal

import "github.com/quern-project/quern/core"

// Slot holds a copy of an entry, for callers that keep entries of a source that reuses its events (see Decoder.Reuse).
type Slot struct {
	entry   Entry
	ask     core.AddAsk
	release core.ReleaseAllocation
}

// Set copies an entry.
func (s *Slot) Set(e *Entry) {
	s.entry = *e
	switch event := e.Input.Event.(type) {
	case *core.AddAsk:
		s.ask = *event
		s.entry.Input.Event = &s.ask
	case *core.ReleaseAllocation:
		s.release = *event
		s.entry.Input.Event = &s.release
	default: // other events are not reused
	}
}

// Entry returns the copy. It is valid until the next Set.
func (s *Slot) Entry() *Entry { return &s.entry }
