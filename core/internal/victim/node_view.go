package victim

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
)

// Ways in which an allocation is protected: bits, so that the larger yields later.
const (
	optedOut   = 1
	originator = 2
)

// victim is an allocation that some ask may preempt.
type victim struct {
	ask     *app.Ask
	class   *class.Class
	placed  uint64
	prio    int64 // see priorityOf
	leaf    int32
	protect uint8
}

// placeholderPriority is below every priority that an ask can have.
const placeholderPriority = math.MinInt32 - 1

// priorityOf is the priority of a victim as sets are compared: its own, and of a placeholder one below every other.
func priorityOf(a *app.Ask) int64 {
	if a.IsPlaceholder() {
		return placeholderPriority
	}
	return int64(a.Priority)
}

// ownPriority is the priority that law 6 looks at.
func (v *victim) ownPriority() int64 {
	if v.prio == placeholderPriority {
		return int64(v.ask.Priority)
	}
	return v.prio
}

// lessHarmful puts the least protected victim first, then the lowest priority, then the youngest.
func lessHarmful(a, b victim) bool {
	if a.protect != b.protect {
		return a.protect < b.protect
	}
	return a.prio < b.prio || a.prio == b.prio && a.placed > b.placed
}

func older(a, b victim) bool { return a.placed < b.placed }

// sortVictims is a shell sort. It is slower than slices.SortFunc on long lists, which are rare, and takes a tenth of its code
// in core.wasm.
func sortVictims(list []victim, before func(a, b victim) bool) {
	gap := 1
	for gap < len(list)/3 {
		gap = 3*gap + 1
	}
	for ; gap > 0; gap /= 3 {
		for i := gap; i < len(list); i++ {
			v, at := list[i], i
			for ; at >= gap && before(v, list[at-gap]); at -= gap {
				list[at] = list[at-gap]
			}
			list[at] = v
		}
	}
}

// nodeView is what the finder knows of a node whatever the question: its room once all leaving allocations have left,
// and its possible victims. A summary of the victims is enough to rule most nodes out; they are listed when a search
// first needs each of them.
type nodeView struct {
	node    *node.Node   // nil: the slot is free
	room    []int64      // by lane; below 0 where the node is over-committed
	largest []int64      // by lane: the most that one victim frees
	leaves  uint64       // bits of the victims' leaves; all bits before they are listed
	class   *class.Class // of all victims; nil where they are of several
	placed  uint64       // of the victim that lessHarmful puts first
	prio    int64        // of that victim
	lowest  int32        // own priority of a victim
	types   int32        // that every victim uses at least
	count   int32        // victims
	free    int32        // victims that nothing protects, once listed; they come first
	protect uint8        // of the first victim
	stale   bool         // the node has changed since
	open    bool         // schedulable, without a claim
	held    bool         // reserved
	claimed bool         // for an ask that preempts there
	listed  bool         // victims is valid
	victims []victim     // in the order of lessHarmful
}

// refresh notes which nodes have changed: they are summarized again when they are next looked at.
func (f *Finder) refresh() {
	slots, all := f.pool.Changes(&f.cursor)
	f.grow()
	if all || len(f.log) > 4*len(f.views)+1024 {
		f.log, f.era = f.log[:0], f.era+1
	}
	if all {
		for i := range f.views {
			f.views[i].stale = true
		}
		return
	}
	for _, slot := range slots {
		f.Touch(slot)
	}
}

// grow makes views for new nodes. Their amounts lie in one piece, since searches go through them in order.
func (f *Finder) grow() {
	from, to := len(f.views), f.pool.Slots()
	if from == to {
		return
	}
	f.views = slices.Grow(f.views, to-from)[:to]
	for i := from; i < to; i++ {
		f.views[i] = nodeView{stale: true}
	}
	width := len(f.pool.Total())
	if need := 2 * width * to; need > len(f.amounts) {
		f.amounts = append(f.amounts, make([]int64, max(need, 2*len(f.amounts))-len(f.amounts))...)
	}
	for i := range f.views {
		both := f.amounts[2*i*width : 2*(i+1)*width]
		f.views[i].room, f.views[i].largest = both[:width:width], both[width:]
	}
}

// Touch has a node looked at again.
func (f *Finder) Touch(slot int32) {
	if int(slot) < len(f.views) { // else it is new, and refresh comes to it
		f.views[slot].stale = true
		f.log = append(f.log, slot)
	}
}

// summary returns the view of the node in a slot, up to date except the list of its victims.
func (f *Finder) summary(slot int32) *nodeView {
	s := &f.views[slot]
	if s.stale {
		f.summarize(s, slot)
		f.steps += 10 + 4*int(s.count)
	}
	return s
}

// summarize renews what is known of the node in a slot. It reads each allocation once and keeps none of them, since the
// first search comes here for every node of the cluster.
func (f *Finder) summarize(s *nodeView, slot int32) {
	n := f.pool.At(slot)
	*s = nodeView{node: n, room: s.room, largest: s.largest, victims: s.victims[:0], leaves: math.MaxUint64, types: math.MaxInt32, lowest: math.MaxInt32}
	if n == nil {
		return
	}
	s.see(n)
	clear(s.largest)
	for a := f.oldest(slot); a != nil; a = a.Next(app.OnNode) {
		if possibleVictim(a) {
			s.include(a)
		}
	}
}

// see takes in a node except its victims.
func (s *nodeView) see(n *node.Node) {
	s.node, s.open, s.held, s.claimed = n, n.Schedulable && !n.Hold.IsClaimed(), n.Hold.IsReserved(), n.Hold.IsClaimed()
	for t := range s.room {
		s.room[t] = n.RoomToBe(t)
	}
}

// possibleVictim reports whether some ask may preempt an allocation.
func possibleVictim(a *app.Ask) bool { return !a.Leaving && a.Class.Node == "" }

// include counts a victim in a summary.
func (s *nodeView) include(a *app.Ask) {
	protect, prio := protection(a), priorityOf(a)
	if s.count == 0 || protect < s.protect || protect == s.protect && (prio < s.prio || prio == s.prio && a.Placed > s.placed) {
		s.protect, s.prio, s.placed = protect, prio, a.Placed
	}
	s.lowest = min(s.lowest, a.Priority)
	c := a.Class
	if s.count++; s.count == 1 {
		s.class = c
	} else if c == s.class {
		return
	} else {
		s.class = nil
	}
	s.types = min(s.types, int32(len(c.Needs)))
	for t, d := range c.Demand {
		s.largest[t] = max(s.largest[t], d)
	}
}

// victimsOf lists the possible victims of a node whose summary is up to date.
func (f *Finder) victimsOf(slot int32, s *nodeView) []victim {
	if s.listed {
		return s.victims
	}
	f.steps += 10 * int(s.count)
	s.victims, s.free, s.leaves, s.listed = slices.Grow(s.victims[:0], int(s.count)), 0, 0, true
	for a := f.oldest(slot); a != nil; a = a.Next(app.OnNode) {
		if !possibleVictim(a) {
			continue
		}
		v := victim{a, a.Class, a.Placed, priorityOf(a), int32(a.App.Leaf.ID), protection(a)}
		if v.protect == 0 {
			s.free++
		}
		s.victims, s.leaves = append(s.victims, v), s.leaves|leafBit(v.leaf)
	}
	sortVictims(s.victims, lessHarmful)
	return s.victims
}

func protection(a *app.Ask) (protect uint8) {
	if a.NotPreemptable {
		protect |= optedOut
	}
	if a.Originator {
		protect |= originator
	}
	return protect
}
