package tool

import (
	"context"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
)

// ScenarioPolicy makes the evaluators of a policy for scenarios and counts the calls that failed, since a scenario may pass
// because of the policy's fallback. A process has no deadline here: the result of a scenario must not depend on the load of
// the machine. It is owned by one goroutine.
type ScenarioPolicy struct {
	Faults int
	First  error // of the faults
	host   *Host
	ctx    context.Context
	ends   []func() // of the evaluators of this scenario
}

// ForScenarios makes the policy of a run of scenarios.
func (h *Host) ForScenarios(ctx context.Context) *ScenarioPolicy {
	return &ScenarioPolicy{host: h, ctx: ctx}
}

// Announced is the policy as a scheduler is told of it.
func (c *ScenarioPolicy) Announced() []core.PolicyModule {
	return []core.PolicyModule{c.host.Announced.PolicyModule}
}

// NewEvaluators closes the evaluators of the last scenario and returns the Evaluator option for the next one.
func (c *ScenarioPolicy) NewEvaluators() func(core.Announcement) policy.Evaluator {
	c.Close()
	return func(m core.Announcement) policy.Evaluator {
		if m.Name != c.host.Announced.Name || m.SHA256 != c.host.Announced.SHA256 {
			return nil // announced by the scenario itself
		}
		e, end, err := c.host.EvaluatorWithoutDeadline(c.ctx)
		if err != nil {
			c.note(err)
			return nil
		}
		c.ends = append(c.ends, end)
		return &faultRecorder{e, c}
	}
}

// Close closes the evaluators.
func (c *ScenarioPolicy) Close() {
	for _, end := range c.ends {
		end()
	}
	c.ends = nil
}

func (c *ScenarioPolicy) note(err error) {
	if c.Faults++; c.First == nil {
		c.First = err
	}
}

// faultRecorder records the calls that fail.
type faultRecorder struct {
	policy.Evaluator
	policy *ScenarioPolicy
}

// Eval answers a batch.
func (n *faultRecorder) Eval(b *policy.Batch) error {
	err := n.Evaluator.Eval(b)
	if err == nil {
		err = b.Check()
	}
	if err != nil {
		n.policy.note(err)
	}
	return err
}
