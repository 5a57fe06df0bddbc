package metrics

import (
	"sync"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server"
)

// cycles counts the preemptions that go round. Decisions do not name the applications of a preemption, so these are looked up within a second. A
// victim that has left by then is not counted.
type cycles struct {
	mu      sync.Mutex      // of recent and dropped
	recent  []core.Decision // that were not looked up yet
	dropped bool

	lookUp sync.Mutex // of count; locked before mu
	count  ledger.Cycles
}

// mostRecent is how many decisions wait for being looked up. With more, those that wait are forgotten.
const mostRecent = 50_000

// published records a decision that readers see from now on.
func (c *cycles) published(d *core.Decision) {
	switch d.Type {
	case core.Preemption, core.Lapsed, core.ConfigAccepted, core.AppMoved:
	case core.Release:
		if d.Reason == core.ReasonPreempted {
			return
		}
	default:
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.recent) >= mostRecent {
		c.recent, c.dropped = nil, true
	}
	c.recent = append(c.recent, core.Decision{At: d.At, Type: d.Type, ID: d.ID, For: d.For, Queue: d.Queue, Right: d.Right, Reason: d.Reason})
}

// counted looks recent decisions up, and returns how many preemptions went round.
func (c *cycles) counted(view *server.View) int {
	c.lookUp.Lock()
	defer c.lookUp.Unlock()
	recent, dropped := c.take()
	if dropped {
		c.count.Changed()
	}
	if len(recent) > 0 {
		view.Read(func(s *scheduler.Scheduler) {
			for i := range recent {
				c.follow(s, &recent[i])
			}
		})
	}
	return c.count.Count
}

// take returns the decisions that wait for being looked up, which wait no more. The view may wait for it, so that it must not wait for the view.
func (c *cycles) take() (recent []core.Decision, dropped bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	recent, dropped = c.recent, c.dropped
	c.recent, c.dropped = nil, false
	return recent, dropped
}

func (c *cycles) follow(s *scheduler.Scheduler, d *core.Decision) {
	if d.Type != core.Preemption {
		c.count.Decided(d)
		return
	}
	of := ledger.Displacement{At: d.At, Right: d.Right, Of: ledger.Party{Queue: d.Queue}}
	if d.Right == core.RightGuarantee || d.Right == core.RightQueue {
		victim, there := s.Ask(d.ID)
		by, stays := s.Ask(d.For)
		if !there || !stays {
			return
		}
		of.Of, of.By, of.Asked = partyOf(&victim), partyOf(&by), by.Submitted
		of.OfPriority, of.ByPriority, of.OfTypes, of.ByTypes = victim.Priority, by.Priority, typesOf(&victim), typesOf(&by)
	}
	c.count.Preempted(&of)
}

func partyOf(k *core.AskItem) ledger.Party {
	return ledger.Party{User: k.User, Queue: core.ShownPath(k.Partition, k.Queue), Series: core.SeriesOf(k.App)}
}

func typesOf(k *core.AskItem) (types []string) {
	for _, q := range k.Resources {
		if q.Value > 0 {
			types = append(types, q.Type)
		}
	}
	return types
}
