package app

import "github.com/quern-project/quern/core/internal/limit"

// Sleeper refers to asks that a user or group limit blocks: the asks of one class in an application or, if a limit is at its
// maxapplications, all asks of the application. Searches do not return blocked asks until Wake; their priority still counts. A gang
// that failed may have Sleepers too, at several limits at once.
//
// The blocked group or application records the number of its Sleeper. A Sleeper with another number is obsolete: its asks have
// ended, or were unblocked for another reason.
type Sleeper struct {
	app    *App
	group  *askGroup // nil if the whole application is blocked
	number uint64
}

// Sleep blocks the asks of the candidate's group. The number must be positive and unique among all Sleepers.
func (a *App) Sleep(candidate *Ask, number uint64) Sleeper {
	g := candidate.group
	g.blockedBy = number
	a.file(g)
	return Sleeper{a, g, number}
}

// GangSleeps reports whether the candidate's gang has a Sleeper.
func (a *App) GangSleeps(candidate *Ask) bool { return candidate.group.blockedBy != 0 }

// SleepWhole blocks all asks of the application, until Wake or MarkChanged.
func (a *App) SleepWhole(number uint64) Sleeper {
	a.Limits.blockedBy = number
	return Sleeper{a, nil, number}
}

// isBlocked reports whether the whole application is blocked.
func (a *App) isBlocked() bool { return a.Limits != nil && a.Limits.blockedBy != 0 }

// Asleep reports whether the Sleeper is not obsolete.
func (s *Sleeper) Asleep() bool {
	if s.group == nil {
		return s.app.Limits != nil && s.app.Limits.blockedBy == s.number
	}
	return s.group.blockedBy == s.number && s.app.hasGroup(s.group) && !s.group.empty()
}

// BarredBy reports whether a limit has no room for the blocked asks.
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

// Wake unblocks the asks, so that searches try them again. It returns their leaf.
func (s *Sleeper) Wake(world uint64) *Leaf {
	a := s.app
	if s.group == nil {
		a.MarkChanged(world) // this unblocks it
		return a.Leaf
	}
	s.group.blockedBy, s.group.failed, s.group.changed, a.failed = 0, 0, world, 0
	a.unfile(s.group)
	a.Leaf.queue(a)
	return a.Leaf
}

// hasGroup reports whether a group belongs to the application. Groups are reused.
func (a *App) hasGroup(g *askGroup) bool {
	if a.groups == nil {
		return g == &a.onlyGroup
	}
	return int(g.slot) < len(a.groups.slots.Items) && a.groups.slots.Items[g.slot] == g
}
