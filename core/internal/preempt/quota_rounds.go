package preempt

import (
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/quota"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// QuotaRounds plays each quota preemption round that is due: the queue releases what it uses above its max. Parents come before their
// children.
func (s *Preemption) QuotaRounds() {
	for _, q := range s.state.RoundsDue() {
		if s.state.RoundDue(q) { // the round of an ancestor may have ended the excess, or postponed this round
			excess := s.state.Queues().Excess(q)
			victims := s.ChooseForQuota(q, excess)
			s.state.ReleaseExcess(q, victims, s.whyByQuota(q, excess, s.state.EndingGangs(victims)))
		}
	}
}

// ChooseForQuota returns the allocations that a queue would release to end an excess, in order of allocation.
func (s *Preemption) ChooseForQuota(q queues.ID, excess resource.Vec) []app.Ask {
	return quota.Choose(s.state.Queues(), q, excess, s.state.Leaf, s.sparedByQuota())
}

// whyByQuota returns a function that explains a victim of a round: the queue that releases it, and the types whose max that queue
// exceeds.
func (s *Preemption) whyByQuota(q queues.ID, excess resource.Vec, ends state.Ending) func(v app.Ask, why *explain.VictimExplanation) {
	var over []explain.Finding
	tree := s.state.Queues()
	for _, t := range s.state.Types().Sorted() {
		if excess[t] > 0 {
			over = append(over, explain.Finding{Law: explain.LawMax, Queue: tree.Shown(q), Type: s.state.Types().Name(t), Used: tree.StayingUsage(q, t), Guaranteed: tree.Max(q, t), Milli: s.state.Types().IsMilli(t)})
		}
	}
	return func(v app.Ask, why *explain.VictimExplanation) {
		why.Victim, why.ForQueue, why.Node, why.At = QuotaVictim(v, tree.Shown(s.state.QueueOf(v)), ends, over), tree.Shown(q), s.state.Nodes().ID(v.Node()), s.state.Now()
	}
}

// QuotaVictim describes an allocation of a queue, given by its shown path, that is released because a queue is above its max. ends lists the gangs that leave as a whole, and
// over the exceeded maxima.
func QuotaVictim(v app.Ask, queue string, ends state.Ending, over []explain.Finding) explain.Victim {
	e := explain.Victim{
		ID: v.ID(), App: v.App().ID(), Queue: queue, Priority: v.Priority(), Kind: explain.ByQuota,
		Originator: v.Originator(), OptedOut: v.NotPreemptable(), Over: over,
	}
	nameGang(v, ends, &e)
	return e
}
