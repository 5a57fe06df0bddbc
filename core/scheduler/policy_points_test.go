package scheduler_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
)

func TestAQueueOrderPolicyOrdersTheChildrenOfAParent(t *testing.T) {
	// A property of the queues, then descending pending resources.
	j := &judge{answer: func(b *policy.Batch, row int32, keys []float64) {
		keys[0], keys[1] = b.Cols[0][row], -b.Cols[1][row]
	}}
	c := newCluster(t, panel(map[string]*judge{"tiers": j}), "")
	c.setPolicy("tiers", "1", manifest("tiers", policy.QueueOrder, 2, policy.OnRow, "property:tier=9", "pending:vcore"))
	c.configure(`, properties: {queue.sort.policy: tiers}, queues: [{name: a}, {name: b, properties: {tier: "2"}}, {name: c, properties: {tier: "2"}}, {name: d, properties: {tier: "1"}}]`)
	for _, q := range []string{"a", "b", "c", "d"} {
		c.app("app-"+q, "root."+q)
		c.ask(q+"1", "app-"+q, 1)
	}
	c.ask("c2", "app-c", 1)
	c.cycle()
	j.questions()
	c.node("n", 9)
	c.cycle()
	c.expect("order", c.placed(), "d1@n c1@n b1@n c2@n a1@n")

	j.questions()
	c.ask("b2", "app-b", 1)
	c.cycle()
	c.expect("asked after one ask came and was placed", j.questions(), "root.b root.b")
}

func TestAppOrder_OrdersAndHoldsBack(t *testing.T) {
	// The earliest deadline in the tag first. An application without one is not eligible while it has its share.
	j := &judge{answer: func(b *policy.Batch, row int32, keys []float64) {
		keys[0] = b.Cols[0][row]
		if keys[0] < 0 {
			keys[0] = 100
			if b.Cols[1][row] >= 1 {
				keys[0] = math.Inf(1)
			}
		}
	}}
	c := newCluster(t, panel(map[string]*judge{"deadline": j}), "")
	c.setPolicy("deadline", "1", manifest("deadline", policy.AppOrder, 1, policy.OnRow, "tag:deadline=-1", "allocations"))
	c.configure(`, queues: [{name: q, properties: {application.sort.policy: deadline}}]`)
	c.say(core.Input{Event: &core.AddApp{ID: "late", Queue: "root.q", Tags: map[string]string{"deadline": "50"}}})
	c.say(core.Input{Event: &core.AddApp{ID: "soon", Queue: "root.q", Tags: map[string]string{"deadline": "5"}}})
	c.app("none", "root.q")
	for _, app := range []string{"none", "late", "soon"} {
		c.ask(app+"1", app, 1)
		c.ask(app+"2", app, 1)
	}
	c.cycle()
	j.questions()
	c.node("n", 9)
	c.cycle()
	c.expect("order", c.placed(), "soon1@n soon2@n late1@n late2@n none1@n")
	x, _ := c.ExplainAsk("none2")
	c.expect("why it waits", fmt.Sprint(x.Reasons), "[policy]")
	j.questions()
	c.release("none1")
	c.cycle()
	c.expect("eligible again", c.placed(), "none2@n")
	c.expect("asked", j.questions(), "none none")
	c.cycle()
	c.expect("asked when nothing changed", j.questions(), "")
}

func TestAnAskOrderPolicyOrdersByAllOfItsKeys(t *testing.T) {
	// Descending size, then reverse order of arrival.
	j := &judge{answer: func(b *policy.Batch, row int32, keys []float64) {
		keys[0], keys[1], keys[2] = 7, -b.Cols[0][row], -b.Cols[1][row]
	}}
	c := newCluster(t, panel(map[string]*judge{"large": j}), "")
	c.setPolicy("large", "1", manifest("large", policy.AskOrder, 3, policy.OnRow, "ask:vcore", "submitted"))
	c.configure(`, queues: [{name: q, properties: {ask.sort.policy: large}}]`)
	c.app("app", "root.q")
	for i, size := range []int64{1, 3, 2, 3, 1} {
		c.ask(fmt.Sprintf("a%d", i), "app", size)
	}
	c.askWith("urgent", "app", 1, core.Ask{Priority: 1})
	c.node("n", 20)
	c.cycle()
	c.expect("order", c.placed(), "urgent@n a3@n a1@n a2@n a4@n a0@n")
	c.expect("asked, each ask once", j.questions(), "a0,a1,a2,a3,a4,urgent")
	c.ask("wide", "app", 99)
	c.ask("small", "app", 1)
	c.cycle()
	c.expect("asked about the new ones", j.questions(), "wide,small")
}

func TestNodeScore_OwnRowAskedAboutChangedNodes(t *testing.T) {
	j := &judge{answer: byColumn} // the node's own rank; larger is better
	c := newCluster(t, panel(map[string]*judge{"rank": j}), "")
	c.setPolicy("rank", "1", manifest("rank", policy.NodeScore, 1, policy.OnRow, "attribute:rank=-1", "free:vcore"))
	c.configureWith(`, queues: [{name: q}]`, ", nodesortpolicy: {type: rank}")
	c.app("app", "root.q")
	for i := range 40 {
		c.node(fmt.Sprintf("n%02d", i), 2)
	}
	c.nodeWith("best", 1, map[string]string{"rank": "10"})
	c.nodeWith("good", 1, map[string]string{"rank": "5"})
	c.nodeWith("odd", 1, map[string]string{"rank": "ten"})
	c.cycle()
	j.questions()
	for _, ask := range []string{"a", "b", "c"} {
		c.ask(ask, "app", 1)
	}
	c.cycle()
	c.expect("order", c.placed(), "a@best b@good c@n00")
	c.expect("asked", j.questions(), "best good n00")
	c.release("b")
	c.cycle()
	c.expect("asked after a release", j.questions(), "good")
}

func TestNodeScore_SiblingsAskedAboutAllNodes(t *testing.T) {
	// The node whose usage is nearest to the mean of all.
	j := &judge{answer: func(b *policy.Batch, row int32, keys []float64) {
		sum := 0.0
		for _, r := range b.Rows {
			sum += b.Cols[0][r]
		}
		keys[0] = -math.Abs(b.Cols[0][row] - sum/float64(len(b.Rows)))
	}}
	c := newCluster(t, panel(map[string]*judge{"mean": j}), "")
	c.setPolicy("mean", "1", manifest("mean", policy.NodeScore, 1, policy.OnSiblings, "used:vcore"))
	c.configureWith(`, queues: [{name: q}]`, ", nodesortpolicy: {type: mean}")
	c.app("app", "root.q")
	for i, used := range []int64{0, 4, 3} { // the mean is 7/3; n2 is nearest
		id := fmt.Sprintf("n%d", i)
		c.node(id, 9)
		c.say(core.Input{Event: &core.UpdateNode{ID: id, Occupied: vcores(used)}})
	}
	c.ask("a", "app", 1)
	c.cycle()
	c.expect("order", c.placed(), "a@n2")
	j.questions()
	c.ask("b", "app", 1) // with 0, 4, 4 the mean is 8/3; n1 and n2 are both 4/3 away
	c.cycle()
	c.expect("order", c.placed(), "b@n1")
	asked := strings.Split(j.questions(), ",")
	slices.Sort(asked)
	c.expect("asked after one changed", fmt.Sprint(asked), "[n0 n1 n2]")
}

func TestNodeScore_ByAskHasAnOrderForEachClass(t *testing.T) {
	// The smallest rest after the ask is placed.
	j := &judge{answer: func(b *policy.Batch, row int32, keys []float64) {
		keys[0] = -math.Abs(b.Cols[0][row] - b.Cols[1][row])
	}}
	c := newCluster(t, panel(map[string]*judge{"fit": j}), "")
	c.setPolicy("fit", "1", manifest("fit", policy.NodeScore, 1, policy.OnAsk, "free:vcore", "ask:vcore"))
	c.configureWith(`, queues: [{name: q}]`, ", nodesortpolicy: {type: fit}")
	c.app("app", "root.q")
	c.node("n2", 2)
	c.node("n4", 4)
	c.node("n8", 8)
	c.ask("four", "app", 4)
	c.ask("one", "app", 1)
	c.ask("eight", "app", 8)
	c.ask("uno", "app", 1)
	c.cycle()
	c.expect("order", c.placed(), "four@n4 one@n2 eight@n8 uno@n2")
	c.expect("asked: all nodes for a new class, then those that changed since", j.questions(), "n2,n4,n8 n2,n4,n8 n2,n4,n8 n2,n8")
}

func TestANodeFilterPolicyRulesNodesOut(t *testing.T) {
	j := &judge{answer: func(b *policy.Batch, row int32, keys []float64) { // large asks are refused on slow nodes
		keys[0] = 0
		if b.Cols[0][row] < 2 && b.Cols[1][row] > 1000 {
			keys[0] = 42
		}
	}}
	c := newCluster(t, panel(map[string]*judge{"speed": j}), `, queues: [{name: q}]`)
	c.app("app", "root.q")
	c.nodeWith("slow", 9, map[string]string{"speed": "1"})
	c.ask("before", "app", 2)
	c.cycle()
	c.expect("without the filter", c.placed(), "before@slow")
	c.setPolicy("speed", "1", manifest("speed", policy.NodeFilter, 1, policy.OnAsk, "attribute:speed", "ask:vcore"))
	c.ask("small", "app", 1)
	c.ask("large", "app", 2)
	c.cycle()
	c.expect("with it", c.placed(), "small@slow")
	x, _ := c.ExplainAsk("large")
	c.expect("explained", fmt.Sprint(x.Reasons, x.Nodes), "[no-node-fits] [{predicate 42 1}]")
	c.nodeWith("fast", 9, map[string]string{"speed": "3"})
	c.cycle()
	c.expect("a node that it lets in", c.placed(), "large@fast")
	c.ask("more", "app", 3)
	c.removePolicy("speed")
	c.say(core.Input{Event: &core.DrainNode{ID: "fast"}})
	c.cycle()
	c.expect("removed", c.placed(), "more@slow")
}

func TestAHostPredicateIsAskedByNameAndMemoised(t *testing.T) {
	allowed := map[string]bool{"n2": true}
	j := &judge{}
	j.answer = func(b *policy.Batch, row int32, keys []float64) {
		keys[0] = 1
		if allowed[b.Items.Name(row)] {
			keys[0] = 0
		}
	}
	c := newCluster(t, panel(map[string]*judge{"affinity": j}), `, queues: [{name: q}]`)
	c.app("app", "root.q")
	for _, n := range []string{"n1", "n2", "n3"} {
		c.node(n, 2)
	}
	c.askWith("a", "app", 1, core.Ask{Predicate: "affinity"})
	c.askWith("b", "app", 2, core.Ask{Predicate: "affinity"})
	c.ask("free", "app", 1)
	c.cycle()
	c.expect("order", c.placed(), "a@n2 free@n1")
	c.expect("asked: all for each class, then who changed", j.questions(), "n1,n2,n3 n1,n2,n3 n1")
	c.cycle()
	c.expect("asked when nothing changed", j.questions(), "")
	allowed["n3"] = true
	c.say(core.Input{Event: &core.UpdateNode{ID: "n3", Attributes: map[string]string{"label": "x"}}})
	c.cycle()
	c.expect("asked when the node changed", j.questions(), "n3")
	c.expect("and let in", c.placed(), "b@n3")
}

func TestBuiltInsStandBehindTheSamePoints(t *testing.T) {
	// A module with the answers of the built-ins places asks like them.
	j := &judge{answer: func(b *policy.Batch, row int32, keys []float64) {
		byColumn(b, row, keys)
		if b.Point == policy.QueueOrder {
			keys[1] = -keys[1]
		}
	}}
	const top = "top_share:"
	module := fmt.Sprintf(`{"name":"copy","points":{%s,%s,%s,%s}}`,
		declared(policy.QueueOrder, 2, policy.OnRow, "", "fair_share", "pending_share"),
		declared(policy.AppOrder, 8, policy.OnRow, "", top+"1", top+"2", top+"3", top+"4", top+"5", top+"6", top+"7", top+"8"),
		declared(policy.AskOrder, 1, policy.OnRow, "", "submitted"),
		declared(policy.NodeScore, 1, policy.OnRow, "", "free:vcore"))
	run := func(queues, apps, asks, nodes string) string {
		c := newCluster(t, panel(map[string]*judge{"copy": j}), "")
		c.setPolicy("copy", "1", module)
		c.configureWith(fmt.Sprintf(`, properties: {queue.sort.policy: %s, application.sort.policy: %s, ask.sort.policy: %s},
queues: [{name: a, resources: {guaranteed: {vcore: 6}}}, {name: b, resources: {guaranteed: {vcore: 3}}}]`, queues, apps, asks),
			", nodesortpolicy: {type: "+nodes+"}")
		for i := range 4 {
			c.node(fmt.Sprintf("n%d", i), 10)
			c.app(fmt.Sprintf("app%d", i), []string{"root.a", "root.b"}[i%2])
		}
		for i := range 24 {
			c.ask(fmt.Sprintf("x%d", i), fmt.Sprintf("app%d", i*7%4), int64(1+i%3))
		}
		c.cycle()
		return c.placed()
	}
	native := run("fair", "fair", "fifo", "fair")
	if native == "" || native != run("copy", "copy", "copy", "copy") {
		t.Errorf("expected %q, found %q", native, run("copy", "copy", "copy", "copy"))
	}
	if run("fair", "fair", "fifo", "binpacking") == native {
		t.Error("another order of nodes places alike: the comparison shows nothing")
	}
}

func TestPredicate_PassesAfterAChangeOfTheNode(t *testing.T) {
	asked := 0
	j := &judge{answer: func(_ *policy.Batch, _ int32, keys []float64) {
		asked++
		keys[0] = 1
		if asked > 1 { // it requires another allocation there
			keys[0] = 0
		}
	}}
	c := newCluster(t, panel(map[string]*judge{"company": j}), `, queues: [{name: q}]`)
	c.app("app", "root.q")
	c.node("n", 9)
	c.askWith("shy", "app", 1, core.Ask{Predicate: "company"})
	c.cycle()
	c.expect("alone", c.placed(), "")
	c.ask("other", "app", 1)
	c.cycle()
	c.expect("in company", c.placed(), "other@n shy@n")
}

func TestWordsOfAHostPredicateAreInExplanations(t *testing.T) {
	refuse := &judge{answer: func(_ *policy.Batch, _ int32, keys []float64) { keys[0] = 7 }}
	o := panel(map[string]*judge{"ports": refuse, "ports" + policy.PlacementMark: refuse, "speed": refuse})
	o.Words = func(predicate string, code float64) string {
		if code == 7 {
			return "told by " + predicate
		}
		return ""
	}
	c := newCluster(t, o, `, queues: [{name: q}]`)
	c.app("app", "root.q")
	c.node("n", 4)
	for _, predicate := range []string{"ports", "ports" + policy.PlacementMark} {
		c.askWith(predicate, "app", 1, core.Ask{Predicate: predicate})
	}
	c.cycle()
	detail := func(ask string) string {
		e, _ := c.ExplainAsk(ask)
		if len(e.Nodes) != 1 {
			t.Fatalf("found %+v", e.Nodes)
		}
		return e.Nodes[0].Detail
	}
	c.expect("details", detail("ports")+", "+detail("ports"+policy.PlacementMark), "told by ports, told by ports"+policy.PlacementMark)
	c.setPolicy("speed", "1", manifest("speed", policy.NodeFilter, 1, policy.OnAsk, "ask:vcore"))
	c.cycle()
	c.expect("the code of a module", detail("ports"), "7")
}
