package scheduler_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// fullCluster has 5,000 full nodes, allocations in some queues, and a tenth as many pending asks.
type fullCluster struct {
	testing.TB
	*scheduler.Scheduler
	queues, allocations int
	each                int64    // vcores of each ask
	placed              []string // those that may end, in order of allocation
	came                int
}

const (
	fullNodes = 5000
	fullNode  = 20 // vcores
)

// guaranteed is how the allocations relate to the guarantees of queues. Unless it is nothing, the first half of the queues has all
// allocations, and the pending asks are in the last queue.
type guaranteed string

const (
	nothing guaranteed = "not-entitled" // no queue has a guarantee
	beyond  guaranteed = "victims"      // half of the usage is above guarantees
	within  guaranteed = "no-victims"   // all usage is within guarantees
)

func newFullCluster(t testing.TB, queues, allocations int, g guaranteed) *fullCluster {
	c := &fullCluster{TB: t, Scheduler: scheduler.New(core.Options{}), queues: queues, allocations: allocations}
	c.each = int64(max(1, min(fullNode, fullNodes*fullNode/allocations)))
	c.Advance(0)
	c.apply(core.Input{Event: &core.SetConfig{Config: c.config(g)}})
	for i := range fullNodes {
		occupied := int64(0)
		if int64(i)*fullNode >= int64(allocations)*c.each {
			occupied = fullNode
		}
		c.apply(core.Input{Event: &core.AddNode{ID: fmt.Sprintf("n%05d", i), Capacity: vcores(fullNode), Occupied: vcores(occupied)}})
	}
	for i := range c.apps() {
		c.apply(core.Input{Event: &core.AddApp{ID: fmt.Sprintf("a%06d", i), Queue: fmt.Sprintf("root.q%04d", i%queues), User: fmt.Sprintf("u%d", i%50)}})
	}
	half := queues / 2
	for i := range allocations + allocations/10 {
		app := i % c.apps()
		switch row := app / queues; {
		case g != nothing && i >= allocations:
			app = row*queues + queues - 1
		case g != nothing:
			j := i % (c.apps() / 2)
			app = j/half*queues + j%half
		}
		c.ask(i, app)
		if i == allocations-1 {
			c.Cycle(-1)
		}
	}
	c.Cycle(-1)
	c.note()
	return c
}

// note records the new allocations.
func (c *fullCluster) note() {
	for _, d := range c.Take() {
		if d.Type == core.Allocation {
			c.placed = append(c.placed, d.ID)
		}
	}
}

func (c *fullCluster) config(g guaranteed) string {
	limit := ""
	switch share := fullNodes * fullNode / c.queues; g {
	case beyond:
		limit = fmt.Sprintf(", resources: {guaranteed: {vcore: %d}}", share)
	case within:
		limit = fmt.Sprintf(", resources: {guaranteed: {vcore: %d}}", 2*share)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "partitions: [{name: default, preemption: {enabled: %v}, queues: [{name: root, queues: [", g != nothing)
	for i := range c.queues {
		fmt.Fprintf(&b, "{name: q%04d%s}, ", i, limit)
	}
	return b.String() + "]}]}]"
}

func (c *fullCluster) apps() int { return max(c.queues, c.allocations/20) }

func (c *fullCluster) apply(in core.Input) {
	in.At = c.Now()
	if refused := c.Apply(&in); refused != core.Accepted {
		c.Fatalf("%+v: %s", in, refused)
	}
}

func (c *fullCluster) ask(i, app int) {
	c.apply(core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("k%07d", i), App: fmt.Sprintf("a%06d", app), Resources: vcores(c.each)}})
}

// churn ends n allocations, so that as many pending asks are placed, and adds as many new asks.
func (c *fullCluster) churn(n int) {
	c.Advance(c.Now() + 1)
	for _, id := range c.placed[:n] {
		c.apply(core.Input{Event: &core.ReleaseAllocation{ID: id}})
		c.ask(2*c.allocations+c.came, c.queues-1)
		c.came++
	}
	c.placed = c.placed[n:]
	c.Cycle(-1)
	c.note()
}

// one returns an ask in a state.
func (c *fullCluster) one(state string) core.AskItem {
	list := c.Asks(&core.Page{Limit: 1, Work: 1 << 30, Where: core.Where{State: state}}).Items
	if len(list) == 0 {
		c.Fatalf("no ask is %s", state)
	}
	return list[0]
}

// BenchmarkExplain explains asks, an application and a queue.
func BenchmarkExplain(b *testing.B) {
	for _, size := range []struct{ queues, allocations int }{{10, 1000}, {100, 10_000}, {1000, 100_000}, {10, 100_000}} {
		for _, g := range []guaranteed{nothing, beyond, within} {
			c := newFullCluster(b, size.queues, size.allocations, g)
			waits, placed := c.one("pending"), c.one("allocated")
			for what, explain := range map[string]func() bool{
				"waiting": func() bool { _, ok := c.ExplainAsk(waits.ID); return ok },
				"placed":  func() bool { _, ok := c.ExplainAsk(placed.ID); return ok },
				"victims": func() bool { _, ok := c.ExplainPreemption(waits.ID); return ok },
				"app":     func() bool { _, ok := c.ExplainApp(waits.App); return ok },
				"queue":   func() bool { _, ok := c.ExplainQueue(waits.Queue); return ok },
			} {
				b.Run(fmt.Sprintf("%d-queues-%d-allocations-%s/%s", size.queues, size.allocations, g, what), func(b *testing.B) {
					for b.Loop() {
						if !explain() {
							b.Fatal("it is not there")
						}
					}
				})
			}
		}
	}
}

// BenchmarkExplainInChurn explains the queue with the pending asks while 1,000 allocations end and begin before each explanation.
func BenchmarkExplainInChurn(b *testing.B) {
	for _, g := range []guaranteed{nothing, beyond, within} {
		c := newFullCluster(b, 1000, 100_000, g)
		b.Run(string(g), func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				c.churn(1000)
				b.StartTimer()
				if e, ok := c.ExplainQueue("root.q0999"); !ok || len(e.Reasons) == 0 {
					b.Fatal("it is not there")
				}
			}
		})
	}
}
