package server

import (
	"errors"
	"io"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// Present writes the present as a journal: configuration, nodes, applications, allocations and asks that wait, all of one instant. Readers
// are held up no longer than it takes to copy the state.
func (v *View) Present(w io.Writer) error {
	var present *core.Checkpoint
	v.Read(func(s *core.Scheduler) { present = s.Checkpoint() })
	e := journal.NewEncoder(w, journal.Absolute)
	if err := e.Header(journal.Header{}); err != nil {
		return err
	}
	list := present.Present()
	for i := range list {
		if err := e.Entry(&journal.Entry{Input: list[i], Count: 1}); err != nil {
			return errors.Join(err, e.Flush())
		}
	}
	return e.Flush()
}
