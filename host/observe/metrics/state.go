package metrics

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/scheduler"
)

// state is how the scheduler stands, as it was last read. Reading it holds the view for a moment, so it is not done for each question.
type state struct {
	mu        sync.Mutex
	readAt    time.Time
	totals    core.Totals
	policies  []core.PolicyUse
	reasons   map[core.Reason]int // asks that wait, by reason
	explained time.Time
}

const (
	totalsLife  = time.Second
	reasonsLife = 10 * time.Second
	// mostExplained is how many queues are asked what their asks wait for.
	mostExplained = 50
)

// present is how the scheduler stands: a second ago at most, and what is waited for ten.
func (m *Metrics) present(now time.Time) (core.Totals, []core.PolicyUse, map[core.Reason]int) {
	s := &m.state
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.readAt.IsZero() || now.Sub(s.readAt) >= totalsLife {
		m.live.View().Read(func(from *scheduler.Scheduler) { s.totals, s.policies = from.Totals(), from.PolicyUses() })
		s.readAt = now
	}
	if s.explained.IsZero() || now.Sub(s.explained) >= reasonsLife {
		s.reasons, s.explained = m.explain(s.totals.Queues), now
	}
	return s.totals, s.policies, s.reasons
}

// waitingLeaves are the leaves in which asks wait, those with most first.
func waitingLeaves(queues []core.QueueTotals) (leaves []*core.QueueTotals) {
	for i := range queues {
		if q := &queues[i]; q.Leaf && q.PendingAsks > 0 {
			leaves = append(leaves, q)
		}
	}
	slices.SortStableFunc(leaves, func(a, b *core.QueueTotals) int { return cmp.Compare(b.PendingAsks, a.PendingAsks) })
	return leaves
}

// unexplained is the reason of asks in queues beyond those that are asked.
const unexplained core.Reason = "unexplained"

// explain counts the asks that wait by what the first one of their queue waits for. It asks one queue at a time, those in which most wait.
func (m *Metrics) explain(queues []core.QueueTotals) map[core.Reason]int {
	reasons := map[core.Reason]int{}
	for i, q := range waitingLeaves(queues) {
		reason := unexplained
		if i < mostExplained {
			m.live.View().Borrow(func(from *scheduler.Scheduler) { reason = from.WaitReason(q.Queue) })
		}
		if reason != explain.WaitNothingPending { // it was placed meanwhile
			reasons[reason] += q.PendingAsks
		}
	}
	return reasons
}
