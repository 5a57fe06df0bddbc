package preempt

import (
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/internal/quota"
	"github.com/quern-project/quern/core/resource"
)

// QuotaRounds has each queue whose round is due give back what it uses beyond its max, the upper queues first.
func (s *Preemption) QuotaRounds() {
	for _, q := range s.state.RoundsDue() {
		if s.state.RoundDue(q) { // the round of a queue above may have ended its excess, or made it wait
			excess := q.Excess(q.Max)
			s.state.GiveBack(q, s.ChooseForQuota(q, excess), s.whyByQuota(q, excess))
		}
	}
}

// ChooseForQuota returns what a queue would give back to end an excess, in order of allocation.
func (s *Preemption) ChooseForQuota(q *queue.Queue, excess resource.Vec) []*app.Ask {
	return quota.Choose(q, excess, func(leaf *queue.Queue) *app.Leaf { return s.state.Leaves[leaf.ID].Leaf })
}

// whyByQuota explains the victims of a round: which queue gives them back, and why that gives.
func (s *Preemption) whyByQuota(q *queue.Queue, excess resource.Vec) func(v *app.Ask, why *explain.VictimExplanation) {
	var over []explain.Finding
	for _, t := range s.state.Types.Sorted() {
		if excess[t] > 0 {
			over = append(over, explain.Finding{Law: explain.LawMax, Queue: q.Shown, Type: s.state.Types.Name(t), Used: q.Stays(t), Guaranteed: q.Max[t]})
		}
	}
	return func(v *app.Ask, why *explain.VictimExplanation) {
		why.Victim, why.ForQueue, why.Node, why.At = QuotaVictim(v, s.state.QueueOf(v), over), q.Shown, s.state.Nodes.At(v.Node).ID, s.state.Now
	}
}

// QuotaVictim describes an allocation that a queue over its max gives back.
func QuotaVictim(v *app.Ask, q *queue.Queue, over []explain.Finding) explain.Victim {
	return explain.Victim{
		ID: v.ID, App: v.App.ID, Queue: q.Shown, Priority: v.Priority, Kind: explain.ByQuota,
		Originator: v.Originator, OptedOut: v.NotPreemptable, Over: over,
	}
}
