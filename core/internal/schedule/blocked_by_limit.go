package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/limit"
)

// blockedByLimit holds the asks and applications that limits hold back. They are visited again only when usage or the number of applications falls
// at that limit, so asks far beyond a limit cost nothing until then.
type blockedByLimit struct {
	byLimit []limitEntries // by the number of the limit
	count   uint64         // number of entries ever added
}

// limitEntries are the entries of one limit, in the order in which they were added.
type limitEntries struct {
	list   []app.Blocked
	full   int        // the length at which stale entries are dropped
	queues []app.Leaf // leaves with a queue for this limit, in which applications with no other obstacle wait
}

// minEntries is the least length at which a list is searched for stale entries.
const minEntries = 16

func (s *blockedByLimit) number() uint64 {
	s.count++
	return s.count
}

func (s *blockedByLimit) of(t limit.Tracker) *limitEntries {
	for int(t.ID()) >= len(s.byLimit) {
		s.byLimit = append(s.byLimit, limitEntries{full: minEntries})
	}
	return &s.byLimit[t.ID()]
}

func (s *blockedByLimit) add(t limit.Tracker, x app.Blocked) {
	l := s.of(t)
	if len(l.list) >= l.full {
		l.list = slices.DeleteFunc(l.list, func(x app.Blocked) bool { return !x.Valid() })
		l.full = max(minEntries, 2*len(l.list))
	}
	l.list = append(l.list, x)
}

// blockWithoutPlace blocks an application that cannot start because a limit
// is at its maxapplications. It reports whether there is such a limit.
func (s *Walk) blockWithoutPlace(a app.App) bool {
	t := a.LacksPlace()
	if !t.IsNone() {
		s.blocked.add(t, a.BlockApp(s.blocked.number()))
	}
	return !t.IsNone()
}

// blockAt blocks an ask, and asks like it in its application, that exceed a limit. Asks in a limit
// queue are unblocked one by one, so other asks may be tried than if all were unblocked at once. Modules must not observe that, since
// their calls count, so limit queues are not used with modules.
func (s *Walk) blockAt(t limit.Tracker, ask app.Ask) {
	a := ask.App()
	if s.state.AnyModule() || !a.CanQueueAtLimit(ask) {
		s.blocked.add(t, a.Block(ask, s.blocked.number()))
		return
	}
	s.blocked.count++
	if a.QueueAtLimit(t) {
		l := s.blocked.of(t)
		l.queues = append(l.queues, a.Leaf())
	}
}

// nextInLimitQueues returns the first among a turn and the applications in limit queues of its leaf that fit their limits.
func (s *Walk) nextInLimitQueues(l app.Leaf, a app.Turn, x *demandrow.Search) app.Turn {
	b, closed := l.FirstInLimitQueues(x)
	if closed {
		s.order.MarkChanged(queueOf(l))
	}
	if b.IsNone() || !a.IsNone() && l.ComesBefore(a, b) {
		return a
	}
	l.UnblockQueued(b.App, s.state.ShrinkEpoch())
	return b
}

// unblockQueued unblocks all applications in limit queues.
func (s *Walk) unblockQueued() {
	for q, l := range s.state.Leaves {
		l.UnblockAllQueued(s.state.ShrinkEpoch())
		s.order.MarkChanged(q)
	}
}

// unblockAt unblocks the asks that fit a limit again.
func (s *Walk) unblockAt(t limit.Tracker) {
	if int(t.ID()) >= len(s.blocked.byLimit) {
		return
	}
	l := &s.blocked.byLimit[t.ID()]
	l.list = slices.DeleteFunc(l.list, func(x app.Blocked) bool {
		if !x.Valid() {
			return true
		}
		if x.BarredBy(t) {
			return false
		}
		s.unblock(&x)
		return true
	})
	l.queues = slices.DeleteFunc(l.queues, func(leaf app.Leaf) bool {
		exists, opened := leaf.OpenLimitQueue(t, s.state.ShrinkEpoch())
		if opened {
			s.order.MarkChanged(queueOf(leaf))
		}
		return !exists
	})
}

func (s *Walk) unblock(x *app.Blocked) {
	leaf := x.Unblock(s.state.ShrinkEpoch())
	s.order.MarkChanged(queueOf(leaf))
}

// unblockAll unblocks everything, since the limits have changed.
func (s *Walk) unblockAll() {
	for i := range s.blocked.byLimit {
		for _, x := range s.blocked.byLimit[i].list {
			if x.Valid() {
				s.unblock(&x)
			}
		}
	}
	s.unblockQueued()
	s.blocked.byLimit = nil
}
