package schedule

import (
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/heap"
	"github.com/quern-project/quern/core/internal/plan"
	"github.com/quern-project/quern/core/internal/state"
)

// roomSweep moves through the instants at which the members of a gang may begin to fit, and keeps upper bounds of how many fit the nodes.
type roomSweep struct {
	walk   *Walk
	at     time.Duration
	kinds  []sweptShape
	groups map[int32]int // by node: the number of its domain, if all members start in one
	total  int           // number of domains; 1 if they may start anywhere
	events []sweepEvent  // a heap: when the rooms of nodes, and of what is shared, change next
	shared []*plan.Profile
}

// sweptShape is what equal members have in common.
type sweptShape struct {
	ask   app.Ask
	count int64
	on    map[int32]int64 // copies by node
	in    []int64         // copies by domain
}

// sweepEvent is an instant at which a profile changes.
type sweepEvent struct {
	at     time.Duration
	node   int32 // app.NoNode: that of shared
	shared int
}

// Before implements heap.Item.
func (x *sweepEvent) Before(other *sweepEvent) bool { return x.at < other.at }

// newRoomSweep makes a sweep for the members of a gang that begins now.
func (s *Walk) newRoomSweep(want *planLoad) *roomSweep {
	x := &roomSweep{walk: s, at: s.state.Now(), total: 1}
	x.group(want.gang)
	for i := range want.parts {
		x.addShape(want.parts[i].ask)
	}
	for n := range s.state.Nodes().Sorted().All {
		x.pushNode(n)
	}
	s.sharedRooms(want.ask, func(r *plan.Profile) bool {
		x.shared = append(x.shared, r)
		x.pushShared(len(x.shared) - 1)
		return true
	})
	s.progress.Spend(1 + len(x.kinds)*s.state.Nodes().Len()/4)
	return x
}

// group numbers the domains in one of which all members must start.
func (x *roomSweep) group(g app.AtomicGang) {
	level, required, _ := x.walk.state.LevelOf(g)
	if !required || level == state.NoLevel {
		return
	}
	x.groups, x.total = map[int32]int{}, 0
	for r := range x.walk.state.Nodes().Regions(level).All {
		for n := range x.walk.state.Nodes().NodesIn(r).All {
			x.groups[n] = x.total
		}
		x.total++
	}
}

func (x *roomSweep) addShape(ask app.Ask) {
	for i := range x.kinds {
		if k := &x.kinds[i]; k.ask.Class() == ask.Class() && k.ask.Walltime().Limit == ask.Walltime().Limit && k.ask.Priority() == ask.Priority() {
			k.count++
			return
		}
	}
	k := sweptShape{ask: ask, count: 1, on: map[int32]int64{}, in: make([]int64, x.total)}
	for n := range x.walk.state.Nodes().Sorted().All {
		x.update(&k, n)
	}
	x.kinds = append(x.kinds, k)
}

// update reads anew how many members a node has room for.
func (x *roomSweep) update(k *sweptShape, n int32) {
	group := 0
	if x.groups != nil {
		own, in := x.groups[n]
		if !in {
			return
		}
		group = own
	}
	copies := int64(0)
	if x.walk.state.Nodes().FitsEmpty(n, k.ask.Class()) {
		copies = min(x.walk.copiesAt(k.ask, n, x.at), 1<<40)
	}
	was := k.on[n]
	k.in[group] += copies - was
	if copies != 0 || was != 0 {
		k.on[n] = copies
	}
}

func (x *roomSweep) pushNode(n int32) {
	r := x.walk.room(n)
	next := r.Step(x.at)
	if r.closed > x.at {
		next = min(next, r.closed)
	}
	if x.walk.state.Nodes().Hold(n).IsWindowed() {
		next = min(next, x.walk.nextWindowEnd(n, x.at))
	}
	if next != instant.Never && r.usable {
		x.events = heap.Push(x.events, sweepEvent{at: next, node: n})
	}
}

func (x *roomSweep) pushShared(i int) {
	if next := x.shared[i].Step(x.at); next != instant.Never {
		x.events = heap.Push(x.events, sweepEvent{at: next, node: app.NoNode, shared: i})
	}
}

// first returns the present.
func (x *roomSweep) first() time.Duration { return x.at }

// next moves to the next instant at which something changes. ok is false if there is none.
func (x *roomSweep) next() (at time.Duration, ok bool) {
	if len(x.events) == 0 {
		return instant.Never, false
	}
	x.at = x.events[0].at
	for len(x.events) > 0 && x.events[0].at == x.at {
		var e sweepEvent
		e, x.events = heap.Pop(x.events)
		x.walk.progress.Spend(1)
		if e.node == app.NoNode {
			x.pushShared(e.shared)
			continue
		}
		for i := range x.kinds {
			x.update(&x.kinds[i], e.node)
		}
		x.pushNode(e.node)
	}
	return x.at, true
}

// mayFit reports whether the nodes may have enough room for all members.
func (x *roomSweep) mayFit() bool {
	for group := range x.total {
		fits := true
		for i := range x.kinds {
			fits = fits && x.kinds[i].in[group] >= x.kinds[i].count
		}
		if fits {
			return true
		}
	}
	return false
}
