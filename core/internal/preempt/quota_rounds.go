package preempt

import (
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/internal/quota"
	"github.com/quern-project/quern/core/resource"
)

// QuotaRounds plays each quota preemption round that is due: the queue releases what it uses above its max. Parents come before their
// children.
func (s *Preemption) QuotaRounds() {
	for _, q := range s.state.RoundsDue() {
		if s.state.RoundDue(q) { // the round of an ancestor may have ended the excess, or postponed this round
			excess := q.Excess(q.Max)
			s.state.GiveBack(q, s.ChooseForQuota(q, excess), s.whyByQuota(q, excess))
		}
	}
}

// ChooseForQuota returns the allocations that a queue would release to end an excess, in order of allocation.
func (s *Preemption) ChooseForQuota(q *queue.Queue, excess resource.Vec) []app.Ask {
	return quota.Choose(q, excess, func(leaf *queue.Queue) *app.Leaf { return s.state.Leaves[leaf.ID].Leaf })
}

// whyByQuota returns a function that explains a victim of a round: the queue that releases it, and the types whose max that queue
// exceeds.
func (s *Preemption) whyByQuota(q *queue.Queue, excess resource.Vec) func(v app.Ask, why *explain.VictimExplanation) {
	var over []explain.Finding
	for _, t := range s.state.Types.Sorted() {
		if excess[t] > 0 {
			over = append(over, explain.Finding{Law: explain.LawMax, Queue: q.Shown, Type: s.state.Types.Name(t), Used: q.StayingUsage(t), Guaranteed: q.Max[t]})
		}
	}
	return func(v app.Ask, why *explain.VictimExplanation) {
		why.Victim, why.ForQueue, why.Node, why.At = QuotaVictim(v, s.state.QueueOf(v), over), q.Shown, s.state.Nodes.ID(v.Node()), s.state.Now
	}
}

// QuotaVictim describes an allocation that is released because a queue is above its max. over lists the exceeded maxima.
func QuotaVictim(v app.Ask, q *queue.Queue, over []explain.Finding) explain.Victim {
	return explain.Victim{
		ID: v.ID(), App: v.App().ID, Queue: q.Shown, Priority: v.Priority(), Kind: explain.ByQuota,
		Originator: v.Originator(), OptedOut: v.NotPreemptable(), Over: over,
	}
}
