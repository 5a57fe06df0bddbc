package app

import (
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/pending"
)

// gate is what a limit keeps waiting in a leaf: applications with asks of one class. When the limit has room again they are woken
// one by one, in the order of the leaf, as long as the room lasts; nothing looks at all of them
// (BenchmarkReleaseBelowALimit).
type gate struct {
	limit    *limit.Tracker
	waiting  *index.Index // as in the leaf's order, with the rows that they would have if they were awake
	open     bool         // the limit may have room for one of them
	openedAt uint64       // the world in which it had
}

// gates are those of a leaf.
type gates struct {
	at   map[*limit.Tracker]*gate
	open []*gate
}

// atGate is the number of a Sleeper in the groups that wait at a gate.
const atGate = ^uint64(0)

// MayWaitAtGate reports whether the asks of a candidate may wait at a gate: they are all that its application waits for.
func (a *App) MayWaitAtGate(candidate *Ask) bool {
	return a.groups == nil && a.module == nil && a.Gang == nil && candidate.Class.Node == "" && candidate.group == &a.sole
}

// WaitAtGate has the asks of an application wait for a limit; its leaf's Fail has to follow. It reports whether they are the first
// at the leaf's gate there.
func (a *App) WaitAtGate(t *limit.Tracker) (first bool) {
	l := a.Leaf
	if first = l.gates.at[t] == nil; first {
		l.addGate(t)
	}
	a.sole.asleep, a.gate = atGate, l.gates.at[t]
	return first
}

func (l *Leaf) addGate(t *limit.Tracker) *gate {
	if l.gates.at == nil {
		l.gates.at = map[*limit.Tracker]*gate{}
	}
	g := &gate{limit: t, waiting: pending.NewIndex(l.keyLen+2, l.Types.Width())}
	l.gates.at[t] = g
	return g
}

// fileAtGate brings the entry of an application at its gate up to date, given its key in the leaf's order.
func (l *Leaf) fileAtGate(a *App, key []int64) {
	g := &a.sole
	if a.groups != nil || g.empty() || g.asleep != atGate {
		a.leaveGate()
		return
	}
	r := &l.row
	g.asleep = 0
	a.describe(r)
	g.asleep = atGate
	r.Failed(0)
	if !a.HasPlace() {
		r.NotStarted()
	}
	if !a.Eligible() || a.sleeps() {
		r.Hide()
	}
	r.Put(a.gate.waiting, a.slot, key)
	if a.gate.open {
		l.described = false
	}
}

// leaveGate ends that the application waits at a gate.
func (a *App) leaveGate() {
	if a.gate.waiting.Has(a.slot) {
		a.gate.waiting.Remove(a.slot)
	}
	if a.gate.open {
		a.Leaf.described = false
	}
	a.gate = nil
}

// wakeAtGate has an application that waits at a gate looked at again; it has yet to be filed.
func (a *App) wakeAtGate(world uint64) {
	a.leaveGate()
	a.sole.asleep, a.sole.failed, a.sole.changed, a.failed = 0, 0, world, 0
}

// WakeGates has all applications that wait at gates looked at again.
func (l *Leaf) WakeGates(world uint64) {
	if len(l.gates.at) == 0 {
		return
	}
	for _, a := range l.apps.Items {
		if a != nil && a.gate != nil {
			a.wakeAtGate(world)
			l.queue(a)
		}
	}
	l.gates, l.described = gates{}, false
}

// restoreGates makes the gates again, in an order that was.
func (l *Leaf) restoreGates() {
	l.gates = gates{}
	for _, a := range l.apps.Items {
		if a == nil || a.gate == nil {
			continue
		}
		g := l.gates.at[a.gate.limit]
		if g == nil {
			g = l.addGate(a.gate.limit)
			g.open, g.openedAt = true, a.gate.openedAt
			l.gates.open = append(l.gates.open, g)
		}
		a.gate = g
	}
}

// fits reports whether the limit has room for what a row of the gate shows.
func (g *gate) fits(row []int64) bool { return g.limit.FitsLeast(pending.LeastDemand(row)) }

// OpenGate opens the gate of a limit that may have room again, and reports whether anything that waits there fits. A gate where
// nothing waits ends.
func (l *Leaf) OpenGate(t *limit.Tracker, world uint64) (exists, opened bool) {
	g := l.gates.at[t]
	switch {
	case g == nil:
		return false, false
	case g.waiting.Len() == 0:
		delete(l.gates.at, t)
		if g.open {
			l.closeGate(g)
		}
		return false, false
	case g.waiting.First(g.fits, nil) == index.None:
		return true, false
	}
	g.openedAt, l.described = world, false
	if !g.open {
		g.open = true
		l.gates.open = append(l.gates.open, g)
	}
	return true, true
}

func (l *Leaf) closeGate(g *gate) {
	g.open, l.described = false, false
	for i, other := range l.gates.open {
		if other == g {
			last := len(l.gates.open) - 1
			l.gates.open[i], l.gates.open[last] = l.gates.open[last], nil
			l.gates.open = l.gates.open[:last]
			return
		}
	}
}

// AnyGateOpen reports whether a gate is open.
func (l *Leaf) AnyGateOpen() bool { return len(l.gates.open) > 0 }

// FirstAtGates returns the first application at an open gate for which the limit has room and that the search passes, or nil. It
// closes gates whose limits have room for nothing that waits there, and reports whether it closed one.
func (l *Leaf) FirstAtGates(s *pending.Search) (first *App, closed bool) {
	afresh := *s
	afresh.Open = true // as what is woken has changed
	for i := 0; i < len(l.gates.open); {
		g := l.gates.open[i]
		slot := g.waiting.First(func(row []int64) bool { return g.fits(row) && afresh.Pass(row) }, nil)
		if slot == index.None && g.waiting.First(g.fits, nil) == index.None {
			l.closeGate(g)
			closed = true
			continue
		}
		i++
		if slot == index.None {
			continue
		}
		if a := l.apps.Items[slot]; first == nil || l.ComesBefore(a, first) {
			first = a
		}
	}
	return first, closed
}

// WakeAtGate has an application that FirstAtGates returned looked at.
func (l *Leaf) WakeAtGate(a *App, world uint64) {
	a.wakeAtGate(world)
	l.file(a)
}
