package state

import (
	"errors"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/policy"
)

// A failed policy is called again after firstBackOff, and each time it fails again, after twice as long.
const (
	firstBackOff = time.Second
	lastBackOff  = 5 * time.Minute
)

// bind sets the evaluator of a module.
func (c *Shared) bind(m *module) {
	var e policy.Evaluator
	if c.options.Evaluator != nil {
		told := core.Announcement{PolicyModule: core.PolicyModule{Name: m.Name, SHA256: m.set.SHA256, Manifest: m.set.Manifest}}
		if m.set.Manifest != "" {
			told.Parsed = m.Manifest.Clone()
		}
		e = c.options.Evaluator(told)
	}
	if c.options.Impure != nil && c.options.Impure(m.Name) {
		m.impure = true
	}
	m.Evaluator = &caller{c, m, e}
}

// fault puts a module in quarantine and emits the decision.
func (c *Shared) fault(m *module, fault error) {
	d := c.emit(core.PolicyFault)
	d.Policy, d.Reason, d.Message = m.Name, core.ReasonPolicyFailed, fault.Error()
	switch {
	case errors.Is(fault, errDiverged):
		d.Reason = core.ReasonPolicyDiverged
	case errors.Is(fault, policy.ErrImpure):
		d.Reason = core.ReasonPolicyImpure
	case errors.Is(fault, policy.ErrUnstable):
		d.Reason = core.ReasonPolicyUnstable
	case errors.Is(fault, policy.ErrAnswer):
		d.Reason = core.ReasonPolicyAnswer
	case errors.Is(fault, errMissing):
		d.Reason = core.ReasonPolicyMissing
	}
	if m.backOff == 0 || instant.Sub(c.now, m.returned) > m.backOff {
		m.backOff = firstBackOff
	} else {
		m.backOff = min(2*m.backOff, lastBackOff)
	}
	m.until = instant.Add(c.now, m.backOff)
	c.modules.Faults++
	for _, s := range c.partitions {
		s.eachActing(m, func(a *policy.Acting) {
			a.Fail()
			d.Fallback = a.Fallback.Name
		})
		s.upset()
	}
}

// eachActing calls do with each acting policy of the partition that uses a module, in a fixed order.
func (s *State) eachActing(m *module, do func(*policy.Acting)) {
	for _, p := range policy.Points() {
		if a := s.policies.acting[actingKey{p, m.Name}]; a != nil && a.Module == &m.Module {
			do(a)
		}
	}
	if a := s.policies.predicates[m.Name]; a != nil && a.Module == &m.Module {
		do(a)
	}
}

// nextReturn returns the time at which the next module leaves quarantine.
func (s *Modules) nextReturn() (at time.Duration, ok bool) {
	for _, from := range []map[string]*module{s.announced, s.hosts} {
		for _, m := range from {
			if m.until != 0 {
				at, ok = instant.Sooner(at, ok, m.until)
			}
		}
	}
	return at, ok
}

// returnPolicies ends the quarantine of modules whose time is up.
func (c *Shared) returnPolicies() {
	if at, ok := c.modules.nextReturn(); !ok || at > c.now {
		return
	}
	for _, m := range c.modules.all() {
		if m.until == 0 || m.until > c.now {
			continue
		}
		m.until, m.returned = 0, c.now
		for _, s := range c.partitions {
			s.eachActing(m, func(a *policy.Acting) { a.Recover() })
			s.upset()
		}
	}
}
