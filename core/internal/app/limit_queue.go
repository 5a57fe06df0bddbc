package app

import (
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/limit"
)

// limitQueue holds the applications of a leaf that wait for room below a user or group limit. Each has asks of one class only. When
// the limit has room again, they are unblocked one by one, in the order of the leaf, while the room lasts. So the cost of a release
// does not depend on their number (BenchmarkReleaseBelowALimit).
type limitQueue struct {
	limit    limit.Tracker
	waiting  *index.Index // in the leaf's order, with the rows that they would have if they were not blocked
	open     bool         // the limit may have room for at least one of them
	openedAt uint64       // the shrink epoch in which it was opened
}

// limitQueues are the limit queues of a leaf.
type limitQueues struct {
	at   map[limit.Tracker]*limitQueue
	open []*limitQueue
}

// inLimitQueue is the value of askGroup.blockedBy for groups in a limit queue.
const inLimitQueue = ^uint64(0)

// CanQueueAtLimit reports whether a candidate's application can wait in a limit queue: all its pending asks are in one plain group.
func (a *application) CanQueueAtLimit(candidate Ask) bool {
	return a.groups == nil && a.module == nil && a.gang == nil && candidate.Class().Node() == "" && a.group(candidate) == &a.onlyGroup
}

// QueueAtLimit puts an application into its leaf's queue for a limit. The caller must call the leaf's Fail afterwards. first reports
// whether the leaf had no queue for the limit before.
func (a *application) QueueAtLimit(t limit.Tracker) (first bool) {
	l := a.leaf
	if first = l.limitQueues.at[t] == nil; first {
		l.addLimitQueue(t)
	}
	a.onlyGroup.blockedBy, a.limitQueue = inLimitQueue, l.limitQueues.at[t]
	return first
}

func (l *leaf) addLimitQueue(t limit.Tracker) *limitQueue {
	if l.limitQueues.at == nil {
		l.limitQueues.at = map[limit.Tracker]*limitQueue{}
	}
	g := &limitQueue{limit: t, waiting: demandrow.NewIndex(l.keyLen+2, l.types.Width())}
	l.limitQueues.at[t] = g
	return g
}

// fileInLimitQueue updates the entry of an application in its limit queue, given its key in the leaf's order.
func (l *leaf) fileInLimitQueue(a *application, key []int64) {
	g := &a.onlyGroup
	if a.groups != nil || g.empty() || g.blockedBy != inLimitQueue {
		a.leaveLimitQueue()
		return
	}
	r := &l.row
	g.blockedBy = 0
	a.describe(r)
	g.blockedBy = inLimitQueue
	r.Failed(0)
	if !a.HasPlace() {
		r.NotStarted()
	}
	if !a.Eligible() || a.isBlocked() {
		r.Hide()
	}
	r.Put(a.limitQueue.waiting, a.slot, key)
	if a.limitQueue.open {
		l.described = false
	}
}

// leaveLimitQueue removes the application from its limit queue.
func (a *application) leaveLimitQueue() {
	if a.limitQueue.waiting.Has(a.slot) {
		a.limitQueue.waiting.Remove(a.slot)
	}
	if a.limitQueue.open {
		a.leaf.described = false
	}
	a.limitQueue = nil
}

// unblockQueued takes an application out of its limit queue, so that searches try it again. The caller must file it.
func (a *application) unblockQueued(shrinkEpoch uint64) {
	a.leaveLimitQueue()
	a.onlyGroup.blockedBy, a.onlyGroup.failed, a.onlyGroup.changed = 0, 0, shrinkEpoch
	a.retry()
}

// UnblockAllQueued unblocks all applications in limit queues.
func (l *leaf) UnblockAllQueued(shrinkEpoch uint64) {
	if len(l.limitQueues.at) == 0 {
		return
	}
	for _, a := range l.apps.Items {
		if a != nil && a.limitQueue != nil {
			a.unblockQueued(shrinkEpoch)
			l.queue(a)
		}
	}
	l.limitQueues, l.described = limitQueues{}, false
}

// restoreLimitQueues makes the limit queues again after a change of the leaf's order. All are open, so that they are checked.
func (l *leaf) restoreLimitQueues() {
	l.limitQueues = limitQueues{}
	for _, a := range l.apps.Items {
		if a == nil || a.limitQueue == nil {
			continue
		}
		g := l.limitQueues.at[a.limitQueue.limit]
		if g == nil {
			g = l.addLimitQueue(a.limitQueue.limit)
			g.open, g.openedAt = true, a.limitQueue.openedAt
			l.limitQueues.open = append(l.limitQueues.open, g)
		}
		a.limitQueue = g
	}
}

// fits reports whether the limit has room for the least demand of a row.
func (g *limitQueue) fits(row []int64) bool { return g.limit.FitsLeast(demandrow.LeastDemand(row)) }

// OpenLimitQueue opens the queue for a limit that may have room again. opened reports whether some application in it fits. An empty queue is
// removed.
func (l *leaf) OpenLimitQueue(t limit.Tracker, shrinkEpoch uint64) (exists, opened bool) {
	g := l.limitQueues.at[t]
	switch {
	case g == nil:
		return false, false
	case g.waiting.Len() == 0:
		delete(l.limitQueues.at, t)
		if g.open {
			l.closeLimitQueue(g)
		}
		return false, false
	case g.waiting.First(g.fits, nil) == index.None:
		return true, false
	}
	g.openedAt, l.described = shrinkEpoch, false
	if !g.open {
		g.open = true
		l.limitQueues.open = append(l.limitQueues.open, g)
	}
	return true, true
}

func (l *leaf) closeLimitQueue(g *limitQueue) {
	g.open, l.described = false, false
	for i, other := range l.limitQueues.open {
		if other == g {
			last := len(l.limitQueues.open) - 1
			l.limitQueues.open[i], l.limitQueues.open[last] = l.limitQueues.open[last], nil
			l.limitQueues.open = l.limitQueues.open[:last]
			return
		}
	}
}

// AnyGateOpen reports whether a limit queue is open.
func (l *leaf) AnyGateOpen() bool { return len(l.limitQueues.open) > 0 }

// FirstInLimitQueues returns the first application in open limit queues that fits its limit and passes the search, in its turn, or none. It closes the
// queues in which no application fits the limit, and reports whether it closed one.
func (l *leaf) FirstInLimitQueues(s *demandrow.Search) (first Turn, closed bool) {
	afresh := *s
	afresh.Open = true // unblocked applications count as changed
	for i := 0; i < len(l.limitQueues.open); {
		g := l.limitQueues.open[i]
		slot := g.waiting.First(func(row []int64) bool { return g.fits(row) && afresh.Pass(row) }, nil)
		if slot == index.None && g.waiting.First(g.fits, nil) == index.None {
			l.closeLimitQueue(g)
			closed = true
			continue
		}
		i++
		if slot == index.None {
			continue
		}
		if a := (Turn{App: App{l.apps.Items[slot]}}); first.IsNone() || l.ComesBefore(a, first) {
			first = a
		}
	}
	return first, closed
}

// UnblockQueued unblocks an application that FirstInLimitQueues returned.
func (l *leaf) UnblockQueued(a App, shrinkEpoch uint64) {
	a.unblockQueued(shrinkEpoch)
	l.file(a.application)
}
