package scheduler_test

import (
	"errors"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
)

// ranked returns a cluster in which root.prod has waited long enough to preempt from root.test, and judge j is the victim.rank policy.
func ranked(t *testing.T, j *judge, keys int, columns ...string) *cluster {
	c := newCluster(t, panel(map[string]*judge{"cheap": j}), "")
	c.setPolicy("cheap", "1", manifest("cheap", policy.VictimRank, keys, policy.OnRow, columns...))
	c.configure(`, queues: [{name: test}, {name: prod, resources: {guaranteed: {vcore: 4}}}]`)
	c.say(core.Input{Event: &core.AddApp{ID: "dear", Queue: "root.test", Tags: map[string]string{"cost": "9"}}})
	c.say(core.Input{Event: &core.AddApp{ID: "cheap", Queue: "root.test", Tags: map[string]string{"cost": "1"}}})
	c.app("prod", "root.prod")
	return c
}

// restore adds an allocation on a node.
func (c *cluster) restore(id, app, node string, cores int64, more core.Ask) {
	c.say(core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: id, App: app, Resources: vcores(cores), Ask: more}, PlacedOn: node}})
}

func (c *cluster) preempted() string {
	c.take()
	text := ""
	for _, d := range c.decisions {
		if d.Type == core.Preemption {
			text += d.ID + "@" + d.Node + " "
		}
	}
	return text
}

// byCost ranks the allocations of the cheapest application first.
func byCost() *judge {
	return &judge{answer: func(b *policy.Batch, row int32, keys []float64) { keys[0] = b.Cols[0][row] }}
}

func TestVictimRank_ChoosesWithinAPriority(t *testing.T) {
	c := ranked(t, byCost(), 1, "tag:cost=5")
	c.node("n1", 2)
	c.node("n2", 2)
	c.restore("big", "dear", "n2", 2, core.Ask{}) // one victim without excess
	c.restore("c1", "cheap", "n1", 1, core.Ask{})
	c.restore("c2", "cheap", "n1", 1, core.Ask{})
	c.ask("p", "prod", 2)
	c.wait(30 * time.Second)
	c.expect("two cheap ones rather than one dear one", c.preempted(), "c1@n1 c2@n1 ")
}

func TestAVictimRankPolicyCannotTradePriorities(t *testing.T) {
	c := ranked(t, byCost(), 1, "tag:cost=5")
	c.node("n1", 1)
	c.node("n2", 1)
	c.restore("low", "dear", "n1", 1, core.Ask{Priority: -1})
	c.restore("high", "cheap", "n2", 1, core.Ask{})
	c.ask("p", "prod", 1)
	c.wait(30 * time.Second)
	c.expect("the lowest priority all the same", c.preempted(), "low@n1 ")
}

func TestVictimRankKeysAreListedFromTheLargest(t *testing.T) {
	// By size: two sets with the same largest key differ in the second key.
	j := &judge{answer: func(b *policy.Batch, row int32, keys []float64) { keys[0], keys[1] = b.Cols[0][row], -b.Cols[1][row] }}
	c := ranked(t, j, 2, "ask:vcore", "submitted")
	c.node("n1", 4)
	c.node("n2", 4)
	c.restore("a3", "dear", "n1", 3, core.Ask{})
	c.restore("a1", "dear", "n1", 1, core.Ask{})
	c.restore("b2", "dear", "n2", 2, core.Ask{})
	c.restore("b2x", "dear", "n2", 2, core.Ask{})
	c.ask("p", "prod", 4)
	c.wait(30 * time.Second)
	c.expect("two of two cores each", c.preempted(), "b2@n2 b2x@n2 ")
}

func TestVictimRank_FailureLeavesTheBuiltInOrder(t *testing.T) {
	j := byCost()
	j.fault = errors.New("no idea")
	c := ranked(t, j, 1, "tag:cost=5")
	c.node("n1", 2)
	c.node("n2", 2)
	c.restore("c1", "cheap", "n1", 1, core.Ask{})
	c.restore("c2", "cheap", "n1", 1, core.Ask{})
	c.restore("big", "dear", "n2", 2, core.Ask{})
	c.ask("p", "prod", 2)
	c.wait(30 * time.Second)
	c.expect("fewest victims", c.preempted(), "big@n2 ")
	c.expect("said", c.faults(), "cheap failed->equal")
}

func TestARemovedVictimRankPolicyNoLongerCounts(t *testing.T) {
	c := ranked(t, byCost(), 1, "tag:cost=5")
	c.node("n1", 2)
	c.node("n2", 2)
	c.restore("c1", "cheap", "n1", 1, core.Ask{})
	c.restore("c2", "cheap", "n1", 1, core.Ask{})
	c.restore("big", "dear", "n2", 2, core.Ask{})
	c.ask("p", "prod", 2)
	c.wait(29 * time.Second)
	c.removePolicy("cheap")
	c.wait(time.Second)
	c.expect("fewest victims", c.preempted(), "big@n2 ")
}
