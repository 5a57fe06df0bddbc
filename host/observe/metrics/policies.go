package metrics

import (
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/server"
)

// Policies has the calls of policy modules timed, of the scheduler that decides.
func (m *Metrics) Policies(each func(decides bool) server.Policies) func(decides bool) server.Policies {
	return func(decides bool) server.Policies {
		p := each(decides)
		if decides {
			p = &timedPolicies{p, m}
		}
		return p
	}
}

type timedPolicies struct {
	server.Policies
	metrics *Metrics
}

// Options implements server.Policies.
func (p *timedPolicies) Options() core.Options {
	o := p.Policies.Options()
	find := o.Evaluator
	if find == nil {
		return o
	}
	o.Evaluator = func(a core.Announcement) policy.Evaluator {
		e := find(a)
		if e == nil {
			return nil // nothing answers
		}
		return &timedEvaluator{e, p.metrics.calls.WithLabelValues(p.metrics.policyLabel(a.Name))}
	}
	return o
}

// timedEvaluator times each call.
type timedEvaluator struct {
	policy.Evaluator
	seconds prometheus.Observer
}

// Eval implements policy.Evaluator.
func (e *timedEvaluator) Eval(b *policy.Batch) error {
	began := time.Now()
	err := e.Evaluator.Eval(b)
	e.seconds.Observe(time.Since(began).Seconds())
	return err
}

// policyLabel is the label of a policy. All predicates of an owner, OWNER/NAME, have one, since there may be any number of them.
func (m *Metrics) policyLabel(name string) string {
	if at := strings.LastIndexByte(name, '/'); at >= 0 {
		name = name[:at+1]
	}
	return m.policies.label(name)
}
