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
}
