package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/internal/state"
)

// asleep holds the asks and applications that limits hold back. They are visited again only when usage or the number of applications falls
// at that limit, so asks far beyond a limit cost nothing until then.
type asleep struct {
	at    []sleepers // by the number of the limit
	count uint64     // number of entries ever added
}

// sleepers are the entries of one limit, in the order in which they were added.
type sleepers struct {
	list  []app.Sleeper
	full  int           // the length at which stale entries are dropped
	gates []*state.Leaf // leaves with a gate of this limit, at which applications with no other obstacle wait
}

// minSleepers is the least length at which a list is searched for stale entries.
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

// sleepWithoutPlace blocks an application that cannot start because a limit
// is at its maxapplications. It reports whether there is such a limit.
func (s *Walk) sleepWithoutPlace(a *app.App) bool {
	t := a.LacksPlace()
	if t != nil {
		s.asleep.add(t, a.SleepWhole(s.asleep.number()))
	}
	return t != nil
}

// sleepAt blocks an ask, and asks like it in its application, that exceed a limit. Asks at a
// gate are unblocked one by one, so other asks may be tried than if all were unblocked at once.
// Modules must not observe that, since their calls count, so gates are not used with modules.
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

// nextAtGate returns the first among an application and the applications at gates of its leaf that fit their limits.
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

// wakeGates unblocks all applications at gates.
func (s *Walk) wakeGates() {
	for _, l := range s.state.Leaves {
		if l != nil {
			l.WakeGates(s.state.World)
			l.Queue.MarkChanged()
		}
	}
}

// wakeAt unblocks the asks that fit a limit again.
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

// wakeAll unblocks everything, since the limits have changed.
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
