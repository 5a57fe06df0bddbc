package core

import "slices"

// Kept is the whole state at a moment, in memory: for going back to within one program, where a snapshot would take its
// time to be written and read. It does not change.
type Kept struct {
	memory *snapshot
}

// Keep keeps the state, as Snapshot does.
func (s *Scheduler) Keep() *Kept { return &Kept{s.remember().detached()} }

// Recall makes a scheduler that goes on from a kept state, as Restore does from a snapshot. The options are to be those
// of the scheduler that kept it.
func Recall(k *Kept, o Options) *Scheduler {
	s, err := restore(k.memory.detached(), o)
	if err != nil {
		panic("core: a state of our own was refused: " + err.Error()) // our bug
	}
	return s
}

// Size is about how many bytes it holds.
func (k *Kept) Size() int {
	m := k.memory
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
