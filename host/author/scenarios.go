package author

import (
	"context"

	"github.com/quern-project/quern/core"
	corepolicy "github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policy"
)

// Cast answers for a policy in scenarios, and notes which calls failed, since a scenario may well pass by the policy's
// fallback. It is owned by one goroutine.
type Cast struct {
	Faults int
	First  error // of the faults
	host   *Host
	ctx    context.Context
	acting *policy.Binding
}

// Cast makes who answers in scenarios.
func (h *Host) Cast(ctx context.Context) *Cast { return &Cast{host: h, ctx: ctx} }

// Announced is the policy as a scheduler is told of it.
func (c *Cast) Announced() []core.PolicyModule {
	a := c.host.Announced
	return []core.PolicyModule{{Name: a.Name, SHA256: a.SHA256, Manifest: a.Manifest}}
}

// Answer makes who answers in one more scenario, in the place of who answered in the one before.
func (c *Cast) Answer() func(core.PolicyModule) corepolicy.Evaluator {
	c.Close()
	c.acting = c.host.registry.Bind(c.ctx)
	return func(m core.PolicyModule) corepolicy.Evaluator {
		e := c.acting.Evaluator(m.Name, m.SHA256, m.Manifest)
		for _, lack := range c.acting.Lacks() {
			c.note(lack)
		}
		if e == nil {
			return nil
		}
		return &noting{e, c}
	}
}

// Close ends who answers.
func (c *Cast) Close() {
	if c.acting != nil {
		c.acting.Close()
		c.acting = nil
	}
}

func (c *Cast) note(err error) {
	if c.Faults++; c.First == nil {
		c.First = c.host.unstaged(err)
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
