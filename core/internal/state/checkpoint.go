package state

import (
	"slices"

	"github.com/quern-project/quern/core"
)

// Checkpoint is a copy of the whole state in memory. It is immutable. Within one program it replaces a snapshot, which would have to be
// written and read.
type Checkpoint struct {
	memory *snapshot
	others []string // names of the partitions after the first
}

// Checkpoint copies the state, as Snapshot does.
func (c *Shared) Checkpoint(short []bool) *Checkpoint {
	k := &Checkpoint{memory: c.remember(short).detached()}
	for _, s := range c.partitions[1:] {
		k.others = append(k.others, s.name)
	}
	return k
}

// FromCheckpoint makes a state that continues from a checkpoint, as Restore does
// from a snapshot. The options must be those of the state that made it.
func FromCheckpoint(c *Checkpoint, o core.Options) (shared *Shared, short []bool) {
	shared, err := restore(c.memory.detached(), o)
	if err != nil {
		panic("core: a state of our own was refused: " + err.Error()) // our bug
	}
	return shared, c.memory.short()
}

// Snapshot returns the snapshot that the scheduler would have written at the time of the checkpoint.
func (c *Checkpoint) Snapshot() []byte { return c.memory.encode() }

// Size returns the approximate size in bytes.
func (c *Checkpoint) Size() int {
	size := 512 + 100*len(c.memory.Ended) + 400*len(c.memory.Gone)
	for _, m := range c.memory.partitions() {
		size += 300*len(m.Asks) + 250*len(m.Nodes) + 150*len(m.Apps) + 150*len(m.Dynamic)
	}
	return size
}

// detached returns a copy that shares only immutable data with the original.
func (m *snapshot) detached() *snapshot {
	c := *m
	c.Ended, c.Gone, c.Others, c.Parts = slices.Clone(m.Ended), slices.Clone(m.Gone), slices.Clone(m.Others), slices.Clone(m.Parts)
	return &c
}
