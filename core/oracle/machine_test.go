package oracle_test

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// newMachine makes the machine under test.
func newMachine() snapshotter { return scheduler.New(core.Options{}) }

// restoreMachine makes a machine from a snapshot.
func restoreMachine(snapshot []byte) (snapshotter, error) {
	return scheduler.Restore(snapshot, core.Options{})
}

// snapshotter is a machine that can write a snapshot.
type snapshotter interface {
	dumper
	Snapshot() []byte
	Freeze() (*scheduler.Frozen, error)
}

// forkOf makes a machine that continues from the present state of another one. It returns nil if that is in the middle of an instant.
func forkOf(m snapshotter) snapshotter {
	frozen, err := m.Freeze()
	if err != nil {
		return nil
	}
	return frozen.Fork(core.Options{})
}
