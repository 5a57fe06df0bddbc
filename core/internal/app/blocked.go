package app

import "github.com/quern-project/quern/core/internal/limit"

// Blocked refers to asks that a user or group limit blocks: the asks of one class in an application or, if a limit is at its
// maxapplications, all asks of the application. Searches do not return blocked asks until Unblock; their priority still counts. A gang
// that failed may have Sleepers too, at several limits at once.
//
// The blocked group or application records the number of its Blocked. A Blocked with another number is obsolete: its asks have
// ended, or were unblocked for another reason.
type Blocked struct {
	app    *application
	group  *askGroup // nil if the whole application is blocked
	number uint64
}

// Block blocks the asks of the candidate's group. The number must be positive and unique among all of them.
func (a *application) Block(candidate Ask, number uint64) Blocked {
	g := a.group(candidate)
	g.blockedBy = number
	a.file(g)
	return Blocked{a, g, number}
}

// GangIsBlocked reports whether the candidate's gang is blocked.
func (a *application) GangIsBlocked(candidate Ask) bool { return a.group(candidate).blockedBy != 0 }

// BlockApp blocks all asks of the application, until Unblock or MarkChanged.
func (a *application) BlockApp(number uint64) Blocked {
	a.limits.blockedBy = number
	return Blocked{a, nil, number}
}

// isBlocked reports whether the whole application is blocked.
func (a *application) isBlocked() bool { return a.limits != nil && a.limits.blockedBy != 0 }

// Valid reports whether it is not obsolete.
func (s *Blocked) Valid() bool {
	if s.group == nil {
		return s.app.limits != nil && s.app.limits.blockedBy == s.number
	}
	return s.group.blockedBy == s.number && s.app.hasGroup(s.group) && !s.group.empty()
}

// BarredBy reports whether a limit has no room for the blocked asks.
func (s *Blocked) BarredBy(t limit.Tracker) bool {
	switch g := s.group; {
	case g == nil:
		return t.Full()
	case g.gang != nil:
		return !t.Fits(g.gang.least.Amounts())
	default:
		return !t.Fits(g.class.Demand())
	}
}

// Unblock unblocks the asks, so that searches try them again. It returns their leaf.
func (s *Blocked) Unblock(shrinkEpoch uint64) Leaf {
	a := s.app
	if s.group == nil {
		a.markChanged(shrinkEpoch) // this unblocks it
		return Leaf{a.leaf}
	}
	s.group.blockedBy, s.group.failed, s.group.changed = 0, 0, shrinkEpoch
	a.retry()
	a.unfile(s.group)
	a.leaf.queue(a)
	return Leaf{a.leaf}
}

// hasGroup reports whether a group belongs to the application. Groups are reused.
func (a *application) hasGroup(g *askGroup) bool {
	if a.groups == nil {
		return g == &a.onlyGroup
	}
	return int(g.slot) < len(a.groups.slots.Items) && a.groups.slots.Items[g.slot] == g
}
