package replay

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/report/summary"
)

// timedEvaluator measures what the calls of a policy take. It changes nothing about them.
type timedEvaluator struct {
	policy.Evaluator
	spent *summary.PolicyTime
}

// Eval answers a batch.
func (t *timedEvaluator) Eval(b *policy.Batch) error {
	begun := time.Now()
	err := t.Evaluator.Eval(b)
	t.spent.Took += time.Since(begun)
	t.spent.Calls++
	t.spent.Items += len(b.Rows)
	return err
}

// timed puts the measuring before the evaluator of a policy; all that a name had are measured together.
func (p *Policies) timed(m core.Announcement, e policy.Evaluator) policy.Evaluator {
	if e == nil {
		return nil
	}
	spent := p.spent[m.Name]
	if spent == nil {
		spent = &summary.PolicyTime{}
		p.spent[m.Name] = spent
	}
	return &timedEvaluator{e, spent}
}

// Spent is what the calls of each policy took in the run with the last scheduler; policies that were not asked are left out.
func (p *Policies) Spent() map[string]summary.PolicyTime {
	list := map[string]summary.PolicyTime{}
	for name, spent := range p.spent {
		if spent.Calls > 0 {
			list[name] = *spent
		}
	}
	return list
}
