package inspect

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/preempt"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// explainQuota explains by how much a queue exceeds its max, and when it releases the excess. It returns nil if there is none.
func (s *View) explainQuota(q *queue.Queue) *explain.QuotaExplanation {
	if q.Parent == nil {
		return nil // the max of root is the nodes' total, which is no quota
	}
	excess := q.Excess(q.Max)
	if excess == nil {
		return nil
	}
	e := &explain.QuotaExplanation{Excess: s.Types.Set(excess, 0), Reason: s.quotaOff(q)}
	if e.Reason != "" || q.Over == nil {
		return e
	}
	e.Since, e.Due = q.Over.Since, q.Conf.QuotaDelay.After(q.Over.Since)
	if q.Over.Tried {
		e.Reason = explain.QuotaNoCandidates
		return e
	}
	for p := q.Parent; p != nil; p = p.Parent {
		if p.QuotaVictims > 0 {
			e.Reason, e.Above = explain.QuotaWaits, p.Shown
		}
	}
	return e
}

// quotaOff returns why quota preemption never applies to a queue, or an empty reason if it may.
func (s *View) quotaOff(q *queue.Queue) core.Reason {
	switch {
	case !s.Conf.QuotaPreemption:
		return explain.QuotaOff
	case q.Parent == nil:
		return explain.QuotaRoot
	case q.Dynamic:
		return explain.QuotaDynamic
	case q.Conf.QuotaDelay <= 0:
		return explain.QuotaNoDelay
	}
	return ""
}

// ExplainMax explains which allocations a queue would release if it had another max. ok is false if no queue has the path.
func (s *View) ExplainMax(path string, limit resource.Set) (e explain.MaxExplanation, ok bool) {
	q := s.ByPath[strings.ToLower(path)]
	if q == nil {
		return e, false
	}
	bound := make(resource.Vec, s.Types.Width())
	bound.Fill(resource.Unlimited)
	for _, m := range limit {
		if lane, known := s.Types.Find(m.Type); known { // of unknown types, nothing is used
			bound[lane] = m.Value
		}
	}
	e = explain.MaxExplanation{Queue: q.Shown, Reason: s.quotaOff(q), Delay: q.Conf.QuotaDelay}
	if excess := q.Excess(bound); excess != nil {
		e.Excess = s.Types.Set(excess, 0)
		left := slices.Clone(excess)
		for _, v := range s.preemption.ChooseForQuota(q, excess) {
			e.Victims = append(e.Victims, preempt.QuotaVictim(v, s.QueueOf(v), nil))
			left.Sub(v.Class().Demand)
		}
		for t := range left {
			left[t] = max(0, left[t])
		}
		e.Stays = s.Types.Set(left, 0)
	}
	e.Text = e.Sentences()
	return e, true
}
