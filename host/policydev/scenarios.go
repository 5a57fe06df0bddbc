package policydev

import (
	"context"

	"github.com/quern-project/quern/core"
	corepolicy "github.com/quern-project/quern/core/policy"
)

// Cast answers for a policy in scenarios, and notes which calls failed, since a scenario may well pass by the policy's
// fallback. A process may take its time: what a scenario comes to must not depend on how busy the machine is. It is owned
// by one goroutine.
type Cast struct {
	Faults int
	First  error // of the faults
	host   *Host
	ctx    context.Context
	ends   []func() // of who answers in this scenario
}

// Cast makes who answers in scenarios.
func (h *Host) Cast(ctx context.Context) *Cast { return &Cast{host: h, ctx: ctx} }

// Announced is the policy as a scheduler is told of it.
func (c *Cast) Announced() []core.PolicyModule {
	return []core.PolicyModule{c.host.Announced.PolicyModule}
}

// Answer makes who answers in one more scenario, in the place of who answered in the one before.
func (c *Cast) Answer() func(core.PolicyModule) corepolicy.Evaluator {
	c.Close()
	return func(m core.PolicyModule) corepolicy.Evaluator {
		if m.Name != c.host.Announced.Name || m.SHA256 != c.host.Announced.SHA256 {
			return nil // one that the scenario made up
		}
		e, end, err := c.host.Patient(c.ctx)
		if err != nil {
			c.note(err)
			return nil
		}
		c.ends = append(c.ends, end)
		return &noting{e, c}
	}
}

// Close ends who answers.
func (c *Cast) Close() {
	for _, end := range c.ends {
		end()
	}
	c.ends = nil
}

func (c *Cast) note(err error) {
	if c.Faults++; c.First == nil {
		c.First = err
	}
}

// noting notes the calls that fail.
type noting struct {
	corepolicy.Evaluator
	cast *Cast
}

// Eval answers a batch.
func (n *noting) Eval(b *corepolicy.Batch) error {
	err := n.Evaluator.Eval(b)
	if err == nil {
		err = b.Check()
	}
	if err != nil {
		n.cast.note(err)
	}
	return err
}
