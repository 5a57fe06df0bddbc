package server

import (
	"errors"
	"io"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// Present writes the present as a journal: configuration, nodes, applications, allocations and asks that wait, all of one instant.
func (v *View) Present(w io.Writer) error {
	frozen, err := v.freeze(func(*follower) {})
	if err != nil {
		return err
	}
	defer frozen.Release()
	e := journal.NewEncoder(w, journal.Absolute)
	if err := e.Header(journal.Header{}); err != nil {
		return err
	}
	list := frozen.Fork(core.Options{}).Present()
	for i := range list {
		if err := frozen.Late(); err != nil {
			return err
		}
		if err := e.Entry(&journal.Entry{Input: list[i], Count: 1}); err != nil {
			return errors.Join(err, e.Flush())
		}
	}
	return e.Flush()
}
