package app

import (
	"slices"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/state/asks"
)

// askGroups holds the groups of an application, in the order of their first asks. It is not needed for a single group without a
// module.
type askGroups struct {
	order   *index.Index // but those of surplus asks
	surplus *index.Index // those of surplus asks; nil until there is one
	keyLen  int
	slots   index.Slots[askGroup]
	keys    []uint64             // by slot: the groupKey; 0 if the slot is free
	byKey   map[uint64]*askGroup // nil until there are more than scanLimit groups
	unfiled []*askGroup          // groups whose entry in the order is out of date
	spare   *askGroup            // a chain of groups without asks

	surplusFailed uint64 // as failed of the application, for its surplus asks
}

// scanLimit is the largest number of groups that are found by a scan of their keys, which takes two or three cache lines.
const scanLimit = 24

// newAskGroups makes an empty order of groups with a number of module keys.
func newAskGroups(keys, width int) *askGroups {
	return &askGroups{order: demandrow.NewIndex(keys+2, width), keyLen: keys + 2}
}

// Numbers of bits in a groupKey below the class ID. The rest suffices for 2^35 classes.
const (
	standingBits  = 3
	holdBits      = standingBits + 2 // with the role
	taskGroupBits = 24
)

// groupKey returns a number that identifies a class, a standing, a task group, and a role. It is never 0, since class IDs start at 1.
func groupKey(c class.Class, h standing, t *taskGroup, of role) uint64 {
	key := c.ID()<<(taskGroupBits+holdBits) | uint64(h) | uint64(of&3)<<standingBits
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

// free removes a group without asks, and keeps its memory for reuse.
func (gs *askGroups) free(g *askGroup) {
	if x := gs.orderOf(g); has(x, g.slot) {
		x.Remove(g.slot)
	}
	delete(gs.byKey, gs.keys[g.slot])
	gs.keys[g.slot] = 0
	gs.slots.Free(g.slot)
	g.nextSpare, gs.spare = gs.spare, g
}

// orderOf returns the order that contains a group, or nil if it has not been made.
func (gs *askGroups) orderOf(g *askGroup) *index.Index {
	if g.role == surplus {
		return gs.surplus
	}
	return gs.order
}

// newGroup returns a new or reused group. Call begin before its use.
func (gs *askGroups) newGroup() *askGroup {
	g := gs.spare
	if g == nil {
		return &askGroup{}
	}
	g.nextSpare, gs.spare = nil, g.nextSpare
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

// groupFor returns the group of a pending ask, by class and hold. It makes the group if necessary.
func (a *application) groupFor(ask Ask, r *asks.Ask) *askGroup {
	o := ask.order()
	c, h, of := a.asks.classes.At(r.Class), o.standingOf(r), o.role
	var t *taskGroup
	if h == waitsForGang {
		t = ask.TaskGroup().taskGroup
	}
	if a.groups == nil {
		g := &a.onlyGroup
		if g.empty() && of != surplus {
			g.begin(a.asks, c, h, t, of)
		}
		if g.class == c && g.standing == h && g.tasks == t && g.role == of {
			return g
		}
		a.startGroups()
	}
	g := a.groups.find(groupKey(c, h, t, of))
	switch {
	case g == nil:
		g = a.groups.newGroup()
		g.begin(a.asks, c, h, t, of)
		a.groups.add(g)
	case g.empty():
		g.blockedBy = 0 // its Blocked ended with its former asks
	}
	return g
}

// startGroups makes the order of groups, with the only group so far if that has asks.
func (a *application) startGroups() {
	a.groups = newAskGroups(0, a.leaf.types.Width())
	if !a.onlyGroup.empty() {
		a.groups.add(&a.onlyGroup)
		a.file(&a.onlyGroup)
	}
}

// groupChanged records that asks of a group were added or changed, so that searches try it again.
func (a *application) groupChanged(g *askGroup, shrinkEpoch uint64) {
	g.changed, g.failed, g.suspended = shrinkEpoch, 0, false
	if g.gang != nil {
		g.gang.hidden = false
	}
	a.unfile(g)
}

// unfile makes the next sync update the group's entry in the order.
func (a *application) unfile(g *askGroup) {
	if gs := a.groups; gs != nil && !g.unfiled {
		g.unfiled = true
		gs.unfiled = append(gs.unfiled, g)
	}
}

// fileGroups updates the order of groups.
func (a *application) fileGroups(shrinkEpoch uint64) {
	gs := a.groups
	if gs == nil {
		return
	}
	for i, g := range gs.unfiled {
		g.unfiled = false
		if g.gang != nil && g.gang.reopen {
			g.gang.reopen, g.gang.hidden, g.changed, g.failed = false, false, shrinkEpoch, 0
			a.retry()
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

// file updates the entry of a group that has asks.
func (a *application) file(g *askGroup) {
	if a.groups == nil {
		return
	}
	l := a.leaf
	key := append(l.scratch[:0], g.rank())
	if a.module != nil {
		key = append(key, a.module.of(g.head().order().row)...)
	}
	key = append(key, int64(g.seq()))
	l.scratch = key
	g.describe(&l.row)
	if g.role == surplus && a.groups.surplus == nil {
		a.groups.surplus = demandrow.NewIndex(a.groups.keyLen, l.types.Width())
	}
	l.row.Put(a.groups.orderOf(g), g.slot, key)
}

// describe writes the demand and state of the application's pending asks, apart from surplus asks, to a row.
func (a *application) describe(r *demandrow.Row) {
	switch {
	case a.groups != nil:
		r.Summarize(a.groups.order)
	case !a.onlyGroup.empty():
		a.onlyGroup.describe(r)
	default: // its asks are not sorted in yet
		r.Hide()
	}
}
