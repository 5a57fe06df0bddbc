package inspect

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/preempt"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// explainQuota explains by how much a queue exceeds its max, and when it releases the excess. It returns nil if there is none.
func (s *View) explainQuota(q queues.ID) *explain.QuotaExplanation {
	tree := s.Queues()
	if tree.Parent(q) == queues.None {
		return nil // the max of root is the nodes' total, which is no quota
	}
	excess := tree.Excess(q)
	if excess == nil {
		return nil
	}
	e := &explain.QuotaExplanation{Excess: s.Types().Set(excess, 0), Reason: s.quotaOff(q)}
	over, is := tree.Over(q)
	if e.Reason != "" || !is {
		return e
	}
	e.Since, e.Due = over.Since, tree.Conf(q).QuotaDelay.After(over.Since)
	if over.Tried {
		e.Reason = explain.QuotaNoCandidates
		return e
	}
	for p := tree.Parent(q); p != queues.None; p = tree.Parent(p) {
		if tree.QuotaVictims(p) > 0 {
			e.Reason, e.Above = explain.QuotaWaits, tree.Shown(p)
		}
	}
	return e
}

// quotaOff returns why quota preemption never applies to a queue, or an empty reason if it may.
func (s *View) quotaOff(q queues.ID) core.Reason {
	tree := s.Queues()
	switch {
	case !s.Conf().QuotaPreemption:
		return explain.QuotaOff
	case tree.Parent(q) == queues.None:
		return explain.QuotaRoot
	case tree.IsDynamic(q):
		return explain.QuotaDynamic
	case tree.Conf(q).QuotaDelay <= 0:
		return explain.QuotaNoDelay
	}
	return ""
}

// stored returns an amount as the lane of its type counts, rounded down: one read without the configuration may be in thousandths or not.
func (s *View) stored(lane int, q resource.Quantity) int64 {
	switch milli := s.Types().IsMilli(lane); {
	case milli == q.Milli:
		return q.Value
	case !milli:
		return q.Value / core.WholeDevice
	case q.Value > resource.Most/core.WholeDevice:
		return resource.Most
	}
	return q.Value * core.WholeDevice
}

// ExplainMax explains which allocations a queue would release if it had another max. ok is false if no queue has the path.
func (s *View) ExplainMax(path string, limit resource.Set) (e explain.MaxExplanation, ok bool) {
	tree := s.Queues()
	q := tree.Find(strings.ToLower(path))
	if q == queues.None {
		return e, false
	}
	bound := make(resource.Vec, s.Types().Width())
	bound.Fill(resource.Unlimited)
	for _, m := range limit {
		if lane, known := s.Types().Find(m.Type); known { // of unknown types, nothing is used
			bound[lane] = s.stored(lane, m)
		}
	}
	e = explain.MaxExplanation{Queue: tree.Shown(q), Reason: s.quotaOff(q), Delay: tree.Conf(q).QuotaDelay}
	if excess := tree.ExcessOver(q, bound); excess != nil {
		e.Excess = s.Types().Set(excess, 0)
		left := slices.Clone(excess)
		victims := s.preemption.ChooseForQuota(q, excess)
		ends := s.EndingGangs(victims)
		for _, v := range victims {
			e.Victims = append(e.Victims, preempt.QuotaVictim(v, tree.Shown(s.QueueOf(v)), ends, nil))
			left.Sub(v.Class().Demand())
		}
		for t := range left {
			left[t] = max(0, left[t])
		}
		e.Stays = s.Types().Set(left, 0)
	}
	e.Text = e.Sentences()
	return e, true
}
