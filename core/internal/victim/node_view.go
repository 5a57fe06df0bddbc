package victim

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
)

// Ways in which an allocation is protected, as bits. Allocations with a larger value are victims later.
const (
	optedOut   = 1
	originator = 2
)

// victim is an allocation that some ask may preempt, with the fields that the search reads.
type victim struct {
	ask     app.Ask
	class   class.Class
	placed  uint64
	prio    int64 // see priorityOf
	leaf    int32
	protect uint8
}

// placeholderPriority is below every priority that an ask can have.
const placeholderPriority = math.MinInt32 - 1

// priorityOf is the priority by which sets of victims are compared: the allocation's own or, of a placeholder, one below all others.
func priorityOf(a app.Ask) int64 {
	if a.IsPlaceholder() {
		return placeholderPriority
	}
	return int64(a.Priority())
}

func victimOf(a app.Ask) victim {
	return victim{a, a.Class(), a.Placed(), priorityOf(a), int32(a.App().Leaf().ID()), protection(a)}
}

// ownPriority is the priority that law 6 compares.
func (v *victim) ownPriority() int64 {
	if v.prio == placeholderPriority {
		return int64(v.ask.Priority())
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

// sortVictims is a shell sort. On long lists, which are rare, it is slower than slices.SortFunc, but it takes a tenth of the code
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

// nodeView caches what the finder derives from a node independently of questions: its room once leaving allocations have left, and
// its possible victims. A summary of the victims is enough to exclude most nodes. The list is made when a search first needs it.
type nodeView struct {
	node     int32       // its slot, or app.NoNode if that is free
	id       string      // the ID of the node
	room     []int64     // by lane; negative if the node is over-committed
	largest  []int64     // by lane: the most that one victim frees
	leaves   uint64      // bits of the victims' leaves; all bits until the victims are listed
	class    class.Class // the class of all victims, or none if they are of several
	placed   uint64      // order of allocation of the victim that lessHarmful puts first
	prio     int64       // priority of that victim
	lowest   int32       // the lowest own priority of a victim
	types    int32       // every victim uses at least so many types
	count    int32       // number of victims
	free     int32       // number of unprotected victims, once listed; they come first
	protect  uint8       // protection of the first victim
	stale    bool        // the node has changed since it was summarized
	open     bool        // schedulable and not claimed
	takes    bool        // schedulable
	reserved bool        // reserved, or room on it is held for a gang
	claimed  bool        // claimed by an ask that preempted there
	listed   bool        // victims is valid
	units    bool        // a victim may be a member of a gang that leaves as a unit
	elastic  bool        // a victim may be elastic surplus
	victims  []victim    // in the order of lessHarmful
}

// refresh marks the views of changed nodes as stale. They are summarized again at their next use.
func (f *Finder) refresh() {
	slots, all := f.nodes.Changes(&f.cursor)
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
	for slot := range slots.All {
		f.Touch(slot)
	}
}

// grow makes views for new nodes. Their vectors are contiguous in memory, since searches read them in order.
func (f *Finder) grow() {
	from, to := len(f.views), f.nodes.Slots()
	if from == to {
		return
	}
	f.views = slices.Grow(f.views, to-from)[:to]
	for i := from; i < to; i++ {
		f.views[i] = nodeView{stale: true}
	}
	width := f.nodes.Width()
	if need := 2 * width * to; need > len(f.amounts) {
		f.amounts = append(f.amounts, make([]int64, max(need, 2*len(f.amounts))-len(f.amounts))...)
	}
	for i := range f.views {
		both := f.amounts[2*i*width : 2*(i+1)*width]
		f.views[i].room, f.views[i].largest = both[:width:width], both[width:]
	}
}

// Touch marks the view of a node as stale. Call it after a change that package node does not report.
func (f *Finder) Touch(slot int32) {
	if int(slot) < len(f.views) { // otherwise it is new, and refresh makes its view
		f.views[slot].stale = true
		f.log = append(f.log, slot)
	}
}

// summary returns the view of the node in a slot. It is up to date, but its victims may not be listed.
func (f *Finder) summary(slot int32) *nodeView {
	s := &f.views[slot]
	if s.stale {
		f.summarize(s, slot)
		f.steps += 10 + 4*int(s.count)
	}
	return s
}

// summarize renews the view of the node in a slot. It reads each allocation once and lists none, since the first search summarizes
// every node of the cluster.
func (f *Finder) summarize(s *nodeView, slot int32) {
	*s = nodeView{node: app.NoNode, room: s.room, largest: s.largest, victims: s.victims[:0], leaves: math.MaxUint64, types: math.MaxInt32, lowest: math.MaxInt32}
	if !f.nodes.Has(slot) {
		return
	}
	f.observe(s, slot)
	clear(s.largest)
	for a := f.oldest(slot); !a.IsNone(); a = a.NextOnNode() {
		if possibleVictim(a) {
			s.include(a)
		}
	}
}

// observe copies the state of a node, except its victims.
func (f *Finder) observe(s *nodeView, slot int32) {
	hold := f.nodes.Hold(slot)
	s.id = f.nodes.ID(slot)
	s.node, s.takes, s.reserved, s.claimed = slot, f.nodes.Schedulable(slot), hold.IsContested(), hold.IsClaimed()
	s.open = s.takes && !s.claimed
	f.nodes.WriteFutureRoom(slot, s.room)
}

// possibleVictim reports whether an allocation may be preempted by any ask (law 9).
func possibleVictim(a app.Ask) bool { return !a.Leaving() && a.Class().Node() == "" }

// include adds a victim to the summary.
func (s *nodeView) include(a app.Ask) {
	protect, prio := protection(a), priorityOf(a)
	if s.count == 0 || protect < s.protect || protect == s.protect && (prio < s.prio || prio == s.prio && a.Placed() > s.placed) {
		s.protect, s.prio, s.placed = protect, prio, a.Placed()
	}
	s.lowest = min(s.lowest, a.Priority())
	s.units = s.units || a.LeavesAsUnit()
	s.elastic = s.elastic || a.MayBeElasticSurplus()
	c := a.Class()
	if s.count++; s.count == 1 {
		s.class = c
	} else if c == s.class {
		return
	} else {
		s.class = class.Class{}
	}
	s.types = min(s.types, int32(c.Needs().Len()))
	for t, d := range c.Demand().All {
		s.largest[t] = max(s.largest[t], d)
	}
}

// victimsOf returns the possible victims of a node whose summary is up to date.
func (f *Finder) victimsOf(slot int32, s *nodeView) []victim {
	if s.listed {
		return s.victims
	}
	f.steps += 10 * int(s.count)
	s.victims, s.free, s.leaves, s.listed = slices.Grow(s.victims[:0], int(s.count)), 0, 0, true
	for a := f.oldest(slot); !a.IsNone(); a = a.NextOnNode() {
		if !possibleVictim(a) {
			continue
		}
		v := victimOf(a)
		if v.protect == 0 {
			s.free++
		}
		s.victims, s.leaves = append(s.victims, v), s.leaves|leafBit(v.leaf)
	}
	sortVictims(s.victims, lessHarmful)
	return s.victims
}

func protection(a app.Ask) (protect uint8) {
	if a.NotPreemptable() {
		protect |= optedOut
	}
	if a.Originator() {
		protect |= originator
	}
	return protect
}
