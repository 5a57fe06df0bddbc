package app

import "github.com/quern-project/quern/core/internal/limit"

// Sleeper is what a limit keeps from being placed: the asks of one class in an application or, where there is no place under
// maxapplications, all of the application's. It keeps its priority, and is offered to no search until it is woken. A gang that
// failed may be one, too, at several limits at once: searches pass it over as any that failed.
//
// Who is asleep has the number of its Sleeper. One whose asks have gone, or that was looked at again for another reason, has
// another number or none, and its Sleeper means nothing any more.
type Sleeper struct {
	app    *App
	group  *askGroup // nil: the whole application
	number uint64
}

// Sleep has the asks of a candidate's class offered no more. The number is above 0 and differs from that of any other Sleeper.
func (a *App) Sleep(candidate *Ask, number uint64) Sleeper {
	g := candidate.group
	g.asleep = number
	a.file(g)
	return Sleeper{a, g, number}
}

// GangSleeps reports whether the gang that a candidate stands for has a Sleeper.
func (a *App) GangSleeps(candidate *Ask) bool { return candidate.group.asleep != 0 }

// SleepWhole has no ask of the application offered until it is woken, or has a place.
func (a *App) SleepWhole(number uint64) Sleeper {
	a.Limits.asleep = number
	return Sleeper{a, nil, number}
}

// sleeps reports whether the whole application is offered no more.
func (a *App) sleeps() bool { return a.Limits != nil && a.Limits.asleep != 0 }

// Asleep reports whether the Sleeper still means something.
func (s *Sleeper) Asleep() bool {
	if s.group == nil {
		return s.app.Limits != nil && s.app.Limits.asleep == s.number
	}
	return s.group.asleep == s.number && s.app.has(s.group) && !s.group.empty()
}

// BarredBy reports whether a limit still bars one that is asleep.
func (s *Sleeper) BarredBy(t *limit.Tracker) bool {
	switch g := s.group; {
	case g == nil:
		return t.Full()
	case g.gang != nil:
		return !t.Fits(g.gang.least)
	default:
		return !t.Fits(g.class.Demand)
	}
}

// Wake has one that is asleep looked at again, and returns its leaf.
func (s *Sleeper) Wake(world uint64) *Leaf {
	a := s.app
	if s.group == nil {
		a.MarkChanged(world) // which wakes it
		return a.Leaf
	}
	s.group.asleep, s.group.failed, s.group.changed, a.failed = 0, 0, world, 0
	a.unfile(s.group)
	a.Leaf.queue(a)
	return a.Leaf
}

// has reports whether a group is one of the application's.
func (a *App) has(g *askGroup) bool {
	if a.groups == nil {
		return g == &a.sole
	}
	return int(g.slot) < len(a.groups.slots.Items) && a.groups.slots.Items[g.slot] == g
}
