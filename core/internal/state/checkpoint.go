package state

import (
	"slices"

	"github.com/quern-project/quern/core/internal/api"
)

// Checkpoint is the whole state at a moment, in memory: for going back to within one program, where a snapshot would
// take its time to be written and read. It does not change.
type Checkpoint struct {
	memory *snapshot
}

// Checkpoint remembers the state, as Snapshot does.
func (s *State) Checkpoint(short bool) *Checkpoint { return &Checkpoint{s.remember(short).detached()} }

// Recall makes a state that goes on from a checkpoint, as Restore does from a snapshot. The options are to be those of
// the state that made it.
func Recall(c *Checkpoint, o api.Options) (s *State, short bool) {
	s, err := restore(c.memory.detached(), o)
	if err != nil {
		panic("core: a state of our own was refused: " + err.Error()) // our bug
	}
	return s, c.memory.Short
}

// Size is about how many bytes it holds.
func (c *Checkpoint) Size() int {
	m := c.memory
	return 512 + 300*len(m.Asks) + 250*len(m.Nodes) + 150*len(m.Apps) + 100*len(m.Ended) + 400*len(m.Gone)
}

// detached shares with the original only what never changes.
func (m *snapshot) detached() *snapshot {
	c := *m
	c.Ended, c.Gone, c.Asks = slices.Clone(m.Ended), slices.Clone(m.Gone), slices.Clone(m.Asks)
	for i := range c.Asks {
		if left := c.Asks[i].Leaving; left != nil {
			own := *left
			c.Asks[i].Leaving = &own
		}
	}
	return &c
}
