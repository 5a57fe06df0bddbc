package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/limit"
)

// asleep has what limits keep from being placed. It is looked at again only when usage or places fall at the limit that bars
// it, so that asks far beyond a limit cost nothing until then.
type asleep struct {
	at    []sleepers // by the number of the limit
	count uint64     // of all that have ever been put to sleep
}

// sleepers are those at one limit, in the order in which they fell asleep.
type sleepers struct {
	list []app.Sleeper
	full int // the length at which those are dropped that sleep no more
}

// minSleepers is the length up to which a list is not looked through.
const minSleepers = 16

func (s *asleep) number() uint64 {
	s.count++
	return s.count
}

func (s *asleep) add(t *limit.Tracker, x app.Sleeper) {
	for int(t.ID) >= len(s.at) {
		s.at = append(s.at, sleepers{full: minSleepers})
	}
	l := &s.at[t.ID]
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

// sleepAt has an ask, and those like it in its application, sleep that a limit has no room for.
func (s *Walk) sleepAt(t *limit.Tracker, ask *app.Ask) {
	s.asleep.add(t, ask.App.Sleep(ask, s.asleep.number()))
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
}

func (s *Walk) wake(x *app.Sleeper) {
	leaf := x.Wake(s.World)
	s.Leaves[leaf.ID].Queue.MarkChanged()
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
	s.asleep.at = nil
}
