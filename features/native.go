package features

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// native drives the scheduler of this very program.
type native struct {
	*scheduler.Scheduler
}

// Native makes a driver over a new scheduler of this program.
func Native() (Driver, error) {
	return native{scheduler.New(core.Options{})}, nil
}

// Restored takes a snapshot and makes a scheduler of it.
func (n native) Restored() (Driver, error) {
	s, err := scheduler.Restore(n.Snapshot(), core.Options{})
	if err != nil {
		return nil, err
	}
	return native{s}, nil
}
