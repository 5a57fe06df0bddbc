package app

import (
	"slices"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/pending"
)

// askGroups are the groups of an application in the order of their first asks. An application that orders by submission
// and has one group needs none of it.
type askGroups struct {
	order   *index.Index
	slots   index.Slots[askGroup]
	keys    []uint64             // by slot: the groupKey; 0 where the slot is free
	byKey   map[uint64]*askGroup // from more than scanLimit groups on; nil before
	unfiled []*askGroup          // whose entry in the order is to be updated
	spare   []*askGroup
}

// scanLimit is up to how many groups one is found by a scan of their keys, two or three lines of the processor's cache.
const scanLimit = 24

// newAskGroups makes an empty order of groups by so many keys of a module.
func newAskGroups(keys, width int) *askGroups {
	return &askGroups{order: pending.NewIndex(keys+2, width)}
}

// Bits of a groupKey below the ID of the class. What is left is enough for 2^37 classes.
const (
	holdBits      = 3
	taskGroupBits = 24
)

// groupKey is a number for a class, a hold and a task group. No two classes of a scheduler share an ID, which is from 1, and no
// two task groups of an application a number.
func groupKey(c *class.Class, h standing, t *TaskGroup) uint64 {
	key := c.ID<<(taskGroupBits+holdBits) | uint64(h)
	if t != nil {
		key |= t.number << holdBits
	}
	return key
}

func (gs *askGroups) find(key uint64) *askGroup {
	if gs.byKey != nil {
		return gs.byKey[key]
	}
	if slot := slices.Index(gs.keys, key); slot >= 0 {
		return gs.slots.Items[slot]
	}
	return nil
}

// free lets go of a group without asks.
func (gs *askGroups) free(g *askGroup) {
	if gs.order.Has(g.slot) {
		gs.order.Remove(g.slot)
	}
	delete(gs.byKey, gs.keys[g.slot])
	gs.keys[g.slot] = 0
	gs.slots.Free(g.slot)
	gs.spare = append(gs.spare, g)
}

// take returns a group to begin with, which may have been another's.
func (gs *askGroups) take() *askGroup {
	n := len(gs.spare)
	if n == 0 {
		return &askGroup{}
	}
	g := gs.spare[n-1]
	gs.spare = gs.spare[:n-1]
	return g
}

func (gs *askGroups) add(g *askGroup) {
	g.slot = gs.slots.Take(g)
	key := g.key()
	if int(g.slot) == len(gs.keys) {
		gs.keys = append(gs.keys, 0)
	}
	gs.keys[g.slot] = key
	switch {
	case gs.byKey != nil:
		gs.byKey[key] = g
	case len(gs.keys) > scanLimit:
		gs.byKey = map[uint64]*askGroup{}
		for _, g := range gs.slots.Items {
			if g != nil {
				gs.byKey[g.key()] = g
			}
		}
	}
}

// groupFor finds or makes the group of a pending ask.
func (a *App) groupFor(ask *Ask) *askGroup {
	c, h := ask.Class, ask.standing()
	var t *TaskGroup
	if h == rests {
		t = ask.Member.Group
	}
	if a.groups == nil {
		g := &a.sole
		if g.empty() {
			g.begin(c, h, t)
		}
		if g.class == c && g.standing == h && g.tasks == t {
			return g
		}
		a.groups = newAskGroups(0, len(a.Used))
		a.groups.add(g)
		a.file(g)
	}
	g := a.groups.find(groupKey(c, h, t))
	switch {
	case g == nil:
		g = a.groups.take()
		g.begin(c, h, t)
		a.groups.add(g)
	case g.empty():
		g.asleep = 0 // its Sleeper was forgotten with the asks that were in it
	}
	return g
}

// groupChanged notes that asks of a group came or changed: it is looked at again.
func (a *App) groupChanged(g *askGroup, world uint64) {
	g.changed, g.failed, g.suspended = world, 0, false
	a.unfile(g)
}

// unfile has the group's entry in the order updated by the next sync.
func (a *App) unfile(g *askGroup) {
	if gs := a.groups; gs != nil && !g.unfiled {
		g.unfiled = true
		gs.unfiled = append(gs.unfiled, g)
	}
}

// fileGroups brings the order of groups up to date.
func (a *App) fileGroups(world uint64) {
	gs := a.groups
	if gs == nil {
		return
	}
	for i, g := range gs.unfiled {
		g.unfiled = false
		if g.gang != nil && g.gang.reopen {
			g.gang.reopen, g.changed, g.failed, a.failed = false, world, 0, 0
		}
		gs.unfiled[i] = nil
		if g.empty() {
			gs.free(g)
		} else {
			a.file(g)
		}
	}
	gs.unfiled = gs.unfiled[:0]
}

// file brings the entry of a group that has asks up to date.
func (a *App) file(g *askGroup) {
	if a.groups == nil {
		return
	}
	l := a.Leaf
	head := g.head()
	key := append(l.scratch[:0], -int64(head.Priority))
	if a.module != nil {
		key = append(key, a.module.of(head.row)...)
	}
	key = append(key, int64(head.Seq))
	l.scratch = key
	g.describe(&l.row)
	l.row.Put(a.groups.order, g.slot, key)
}

// describe writes what the application waits for into a row.
func (a *App) describe(r *pending.Row) {
	switch {
	case a.groups != nil:
		r.Of(a.groups.order)
	case !a.sole.empty():
		a.sole.describe(r)
	default: // its asks have yet to be sorted in
		r.Hide()
	}
}
