package oracle_test

import "github.com/quern-project/quern/core"

// newMachine makes the machine that is judged.
func newMachine() snapshotter { return core.New(core.Options{}) }

// restoreMachine makes one from a snapshot.
func restoreMachine(snapshot []byte) (snapshotter, error) {
	return core.Restore(snapshot, core.Options{})
}

// snapshotter is a machine that can be written down.
type snapshotter interface {
	dumper
	Snapshot() []byte
}
