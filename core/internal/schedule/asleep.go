package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/internal/state"
)

// asleep has what limits keep from being placed. It is looked at again only when usage or places fall at the limit that bars
// it, so that asks far beyond a limit cost nothing until then.
type asleep struct {
	at    []sleepers // by the number of the limit
	count uint64     // of all that have ever been put to sleep
}

// sleepers are those at one limit, in the order in which they fell asleep.
type sleepers struct {
	list  []app.Sleeper
	full  int           // the length at which those are dropped that sleep no more
	gates []*state.Leaf // leaves with a gate for those that wait for nothing else
}

// minSleepers is the length up to which a list is not looked through.
const minSleepers = 16

func (s *asleep) number() uint64 {
	s.count++
	return s.count
}

func (s *asleep) of(t *limit.Tracker) *sleepers {
	for int(t.ID) >= len(s.at) {
		s.at = append(s.at, sleepers{full: minSleepers})
	}
	return &s.at[t.ID]
}

func (s *asleep) add(t *limit.Tracker, x app.Sleeper) {
	l := s.of(t)
	if len(l.list) >= l.full {
		l.list = slices.DeleteFunc(l.list, func(x app.Sleeper) bool { return !x.Asleep() })
		l.full = max(minSleepers, 2*len(l.list))
	}
	l.list = append(l.list, x)
}

// sleepWithoutPlace has an application sleep that a limit at its maxapplications keeps from starting, and reports whether there
// is one.
func (s *Walk) sleepWithoutPlace(a *app.App) bool {
	t := a.LacksPlace()
	if t != nil {
		s.asleep.add(t, a.SleepWhole(s.asleep.number()))
	}
	return t != nil
}

// sleepAt has an ask, and those like it in its application, sleep that a limit has no room for. At a gate they are woken one by
// one, so that others may be tried than if all were woken: modules, whose calls count, are not to see that.
func (s *Walk) sleepAt(t *limit.Tracker, ask *app.Ask) {
	a := ask.App
	if s.state.Modules.Any() || !a.MayWaitAtGate(ask) {
		s.asleep.add(t, a.Sleep(ask, s.asleep.number()))
		return
	}
	s.asleep.count++
	if a.WaitAtGate(t) {
		l := s.asleep.of(t)
		l.gates = append(l.gates, s.state.Leaves[a.Leaf.ID])
	}
}

// nextAtGate is the first of an application and of those at the gates of its leaf that limits have room for.
func (s *Walk) nextAtGate(l *state.Leaf, a *app.App, x *pending.Search) *app.App {
	b, closed := l.FirstAtGates(x)
	if closed {
		l.Queue.MarkChanged()
	}
	if b == nil || a != nil && l.ComesBefore(a, b) {
		return a
	}
	l.WakeAtGate(b, s.state.World)
	return b
}

// wakeGates has everything looked at again that waits at gates.
func (s *Walk) wakeGates() {
	for _, l := range s.state.Leaves {
		if l != nil {
			l.WakeGates(s.state.World)
			l.Queue.MarkChanged()
		}
	}
}

// wakeAt has those looked at again that a limit bars no more.
func (s *Walk) wakeAt(t *limit.Tracker) {
	if int(t.ID) >= len(s.asleep.at) {
		return
	}
	l := &s.asleep.at[t.ID]
	l.list = slices.DeleteFunc(l.list, func(x app.Sleeper) bool {
		if !x.Asleep() {
			return true
		}
		if x.BarredBy(t) {
			return false
		}
		s.wake(&x)
		return true
	})
	l.gates = slices.DeleteFunc(l.gates, func(leaf *state.Leaf) bool {
		exists, opened := leaf.OpenGate(t, s.state.World)
		if opened {
			leaf.Queue.MarkChanged()
		}
		return !exists
	})
}

func (s *Walk) wake(x *app.Sleeper) {
	leaf := x.Wake(s.state.World)
	s.state.Leaves[leaf.ID].Queue.MarkChanged()
}

// wakeAll has everything that sleeps looked at again: the limits are others now.
func (s *Walk) wakeAll() {
	for i := range s.asleep.at {
		for _, x := range s.asleep.at[i].list {
			if x.Asleep() {
				s.wake(&x)
			}
		}
	}
	s.wakeGates()
	s.asleep.at = nil
}
