package scheduler_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// notes holds, for each item, the columns of the last question about it, by name.
type notes map[string]string

// noted returns a judge that records columns, with codes as texts, and answers with the first column.
func noted(seen notes) *judge {
	return &judge{answer: func(b *policy.Batch, row int32, keys []float64) {
		var list []string
		for i, col := range b.Cols {
			v := fmt.Sprint(int64(col[row]))
			if b.Columns[i].Kind.Coded() {
				v = append([]string{"-"}, b.Texts...)[int(col[row])]
			}
			list = append(list, v)
		}
		keys[0] = b.Cols[0][row]
		seen[b.Items.Name(row)] = strings.Join(list, " ")
	}}
}

func (n notes) String() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(n)) {
		list = append(list, name+": "+n[name])
	}
	return strings.Join(list, ", ")
}

const usageColumns = `{"name":"usage","points":{"app.order":{"columns":["user_limit_share=7","group_limit_share=-1","user_code","group_code"],"keys":1,"depends":"row"}}}`

// usageCluster has ann in root.a, with a limit there, and in root.b beside bob and eve, who have no limits. Each of them has more
// pending asks than there is room for.
func usageCluster(t *testing.T) (*cluster, notes) {
	seen := notes{}
	c := newCluster(t, panel(map[string]*judge{"usage": noted(seen)}), "")
	c.setPolicy("usage", "1", usageColumns)
	c.configure(usageLimits(8))
	c.node("n", 20)
	c.appOf("a-ann", "root.a", "ann", "qa", "dev")
	c.appOf("b-ann", "root.b", "ann")
	c.appOf("b-bob", "root.b", "bob", "dev")
	c.appOf("b-eve", "root.b", "eve")
	for _, a := range []string{"a-ann", "b-ann", "b-bob", "b-eve"} {
		c.ask(a+"-wide", a, 50)
	}
	c.cycle()
	return c, seen
}

func usageLimits(most int) string {
	return fmt.Sprintf(`, limits: [{users: [ann, bob], maxresources: {vcore: %d}}, {groups: [dev], maxresources: {vcore: 10, gpu: 0}}], queues: [
		{name: a, properties: {application.sort.policy: usage}, limits: [{users: [ann], maxresources: {vcore: 4}}]},
		{name: b, properties: {application.sort.policy: usage}}, {name: c}]`, most)
}

func TestUseOfLimitsIsTheLargestShareOverTypesAndQueues(t *testing.T) {
	c, seen := usageCluster(t)
	c.expect("nothing used", seen.String(), "a-ann: 0 0 ann dev, b-ann: 0 -1 ann -, b-bob: 0 0 bob dev, b-eve: 7 -1 eve -")
	c.restore("r1", "a-ann", "n", 3, core.Ask{})
	c.cycle()
	c.expect("3 of 4 in root.a, of 8 in root, of 10 for dev", seen.String(),
		"a-ann: 750000000 300000000 ann dev, b-ann: 375000000 -1 ann -, b-bob: 0 300000000 bob dev, b-eve: 7 -1 eve -")
	c.say(core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: "r2", App: "b-bob", Resources: resource.NewSet(resource.Quantity{Type: "gpu", Value: 1})}, PlacedOn: "n"}})
	c.cycle()
	c.expect("more than nothing of 0 is all", seen["a-ann"]+", "+seen["b-bob"], "750000000 1000000000 ann dev, 0 1000000000 bob dev")
}

func TestLimitColumns_ChangeForAllCountedApps(t *testing.T) {
	c, seen := usageCluster(t)
	c.appOf("c-ann", "root.c", "ann", "dev") // no policy orders the applications of root.c
	c.ask("c1", "c-ann", 4)
	c.cycle()
	c.expect("allocated elsewhere", seen.String(), "a-ann: 500000000 400000000 ann dev, b-ann: 500000000 -1 ann -, b-bob: 0 400000000 bob dev, b-eve: 7 -1 eve -")
	c.say(core.Input{Event: &core.MoveApp{ID: "c-ann", Queue: "root.a"}})
	c.cycle()
	c.expect("moved below her other limit", seen["a-ann"]+", "+seen["b-ann"], "1000000000 400000000 ann dev, 500000000 -1 ann -")
	c.configure(usageLimits(16))
	c.cycle()
	c.expect("the limit raised", seen["b-ann"], "250000000 -1 ann -")
	c.release("c1")
	c.cycle()
	c.expect("released", seen["a-ann"]+", "+seen["b-ann"]+", "+seen["b-bob"], "0 0 ann dev, 0 -1 ann -, 0 0 bob dev")
	c.ask("c2", "c-ann", 1)
	c.cycle()
	c.say(core.Input{Event: &core.RemoveApp{ID: "c-ann"}})
	c.cycle()
	c.expect("removed", seen["b-ann"], "0 -1 ann -")
}

func TestWhatIsUsedOfLimitsIsNotAskedAboutWithoutNeed(t *testing.T) {
	j := noted(notes{})
	c := newCluster(t, panel(map[string]*judge{"usage": j}), "")
	c.setPolicy("usage", "1", usageColumns)
	c.configure(usageLimits(8))
	c.node("n", 20)
	c.appOf("idle", "root.b", "ann")
	c.appOf("other", "root.b", "eve")
	c.ask("other1", "other", 50)
	c.appOf("busy", "root.b", "ann")
	c.ask("wide", "busy", 50)
	c.cycle()
	j.questions()
	c.restore("r1", "busy", "n", 1, core.Ask{})
	c.cycle()
	c.expect("asked about", j.questions(), "busy")
}

func TestAskColumns_GangsUsersPlaceholders(t *testing.T) {
	seen := notes{}
	c := newCluster(t, panel(map[string]*judge{"sizes": noted(seen)}), "")
	c.setPolicy("sizes", "1", manifest("sizes", policy.AskOrder, 1, policy.OnRow, "gang_size", "gang_min", "placeholder", "user_code", "group_code"))
	configure := func(group string) {
		c.configure(`, limits: [{groups: [` + group + `], maxresources: {vcore: 9}}], queues: [{name: q, properties: {ask.sort.policy: sizes}}]`)
	}
	configure("dev")
	c.say(core.Input{Event: &core.AddApp{ID: "app", Queue: "root.q", User: "ann", Groups: []string{"dev", "ops"}, Placeholders: &core.Placeholders{Ask: vcores(1)}}})
	member := func(id string) { c.askWith(id, "app", 1, core.Ask{Gang: &core.Gang{ID: "g", Min: 2}}) }
	member("g1")
	c.askWith("p", "app", 1, core.Ask{Placeholder: true, TaskGroup: "t"})
	c.cycle()
	c.expect("a member and a placeholder", seen.String(), "g1: 1 2 0 ann dev, p: 0 0 1 ann dev")
	member("g2")
	member("g3")
	c.cycle()
	c.expect("three members", seen.String(), "g1: 3 2 0 ann dev, g2: 3 2 0 ann dev, g3: 3 2 0 ann dev, p: 0 0 1 ann dev")
	c.say(core.Input{Event: &core.RemoveAsk{ID: "g2"}})
	configure("ops")
	c.cycle()
	delete(seen, "g2")
	c.expect("two members, another group", seen.String(), "g1: 2 2 0 ann ops, g3: 2 2 0 ann ops, p: 0 0 1 ann ops")
}

func TestAskColumns_Surplus(t *testing.T) {
	seen := notes{}
	c := newCluster(t, panel(map[string]*judge{"sizes": noted(seen)}), "")
	c.setPolicy("sizes", "1", manifest("sizes", policy.AskOrder, 1, policy.OnRow, "gang_surplus"))
	c.configure(`, queues: [{name: q, properties: {ask.sort.policy: sizes}}]`)
	c.app("app", "root.q")
	c.node("n", 3)
	for _, id := range []string{"g1", "g2", "g3", "g4"} {
		c.askWith(id, "app", 1, core.Ask{Gang: &core.Gang{ID: "g", Min: 2}})
	}
	c.cycle()
	c.expect("three of at least two are allocated", seen["g4"], "1")
	c.askWith("g5", "app", 9, core.Ask{Gang: &core.Gang{ID: "g", Min: 2}})
	c.say(core.Input{Event: &core.ReleaseAllocation{ID: "g1", Failed: true}})
	c.cycle()
	c.expect("the fourth took the place of one that failed", seen["g5"], "1")
	c.say(core.Input{Event: &core.ReleaseAllocation{ID: "g2", Failed: true}})
	c.ask("other", "app", 9)
	c.cycle()
	c.expect("no more than needed", seen["g5"], "0")
}

func TestVictimColumns_Surplus(t *testing.T) {
	for _, d := range []core.Disruption{core.DisruptUnit, core.DisruptMember} {
		seen := notes{}
		c := ranked(t, noted(seen), 1, "gang_surplus")
		c.configure(`, queues: [{name: test}, {name: spare}, {name: prod, resources: {guaranteed: {vcore: 4}}}]`)
		c.node("n", 8)
		c.app("x", "root.test")
		for _, id := range []string{"x1", "x2", "x3", "x4"} {
			c.restore(id, "x", "n", 2, core.Ask{Gang: &core.Gang{ID: "g", Min: 2, Disruption: d}})
		}
		c.ask("p1", "prod", 2)
		c.ask("p2", "prod", 2)
		c.wait(30 * time.Second)
		c.expect("a second search after one of four was preempted", seen.String(), "x1: 1, x2: 1, x3: 1, x4: 1")
	}
}

func TestAppColumns_FirstWaitingGang(t *testing.T) {
	seen := notes{}
	c := newCluster(t, panel(map[string]*judge{"sizes": noted(seen)}), "")
	c.setPolicy("sizes", "1", manifest("sizes", policy.AppOrder, 1, policy.OnRow, "gang_size", "gang_min"))
	c.configure(`, queues: [{name: q, properties: {application.sort.policy: sizes}}]`)
	c.app("app", "root.q")
	c.askWith("a1", "app", 1, core.Ask{Gang: &core.Gang{ID: "a", Min: 1}})
	c.askWith("b1", "app", 9, core.Ask{Gang: &core.Gang{ID: "b", Min: 3}})
	c.askWith("b2", "app", 9, core.Ask{Gang: &core.Gang{ID: "b", Min: 3}})
	c.cycle()
	c.expect("two gangs wait", seen.String(), "app: 1 1")
	c.node("n", 1)
	c.cycle()
	c.expect("the first is placed", seen.String(), "app: 2 3")
	c.say(core.Input{Event: &core.RemoveAsk{ID: "b1"}})
	c.say(core.Input{Event: &core.RemoveAsk{ID: "b2"}})
	c.ask("x", "app", 9)
	c.cycle()
	c.expect("no gang waits", seen.String(), "app: 0 0")
}

func TestVictimColumns_OfTheirAppsAtThatTime(t *testing.T) {
	seen := notes{}
	j := noted(seen)
	c := ranked(t, j, 1, "user_limit_share", "group_limit_share", "gang_size", "gang_min", "placeholder", "user_code", "group_code")
	limits := func(most int) {
		c.configure(fmt.Sprintf(`, limits: [{users: [ann, bob], maxresources: {vcore: %d}}, {groups: [dev], maxresources: {vcore: 20}}],
			queues: [{name: test}, {name: spare}, {name: prod, resources: {guaranteed: {vcore: 4}}}]`, most))
	}
	limits(10)
	c.node("n", 10)
	c.appOf("x", "root.test", "ann", "dev")
	c.appOf("y", "root.test", "bob", "dev")
	c.appOf("z", "root.spare", "ann")
	c.restore("x1", "x", "n", 4, core.Ask{})
	c.restore("y1", "y", "n", 5, core.Ask{Gang: &core.Gang{ID: "g", Min: 1}})
	c.restore("z1", "z", "n", 1, core.Ask{NotPreemptable: true})
	c.ask("p1", "prod", 2)
	c.wait(30 * time.Second)
	c.expect("the first search", seen.String(), "x1: 500000000 450000000 0 0 0 ann dev, y1: 500000000 450000000 1 1 0 bob dev, z1: 500000000 0 0 0 0 ann -")
	c.expect("the first victim", c.preempted(), "x1@n ")
	c.release("x1")
	c.cycle()
	c.restore("x2", "x", "n", 2, core.Ask{})
	c.askWith("y2", "y", 50, core.Ask{Gang: &core.Gang{ID: "g", Min: 1}})
	c.ask("p2", "prod", 2)
	c.wait(30 * time.Second)
	delete(seen, "p1")
	delete(seen, "x1")
	c.expect("the second search", seen.String(), "x2: 300000000 350000000 0 0 0 ann dev, y1: 500000000 350000000 2 1 0 bob dev, z1: 300000000 0 0 0 0 ann -")
	c.expect("the second victim", c.preempted(), "x1@n x2@n ")
	c.release("x2")
	c.cycle()
	c.say(core.Input{Event: &core.MoveApp{ID: "y", Queue: "root.spare"}})
	limits(20)
	c.ask("p3", "prod", 2)
	c.wait(30 * time.Second)
	c.expect("after a reload", seen["y1"]+", "+seen["z1"], "250000000 250000000 2 1 0 bob dev, 50000000 0 0 0 0 ann -")
}

// No policy reads limits here, so nothing else causes the allocation to be ranked again.
func TestVictimRanks_RenewedWithGangOrGroup(t *testing.T) {
	seen := notes{}
	c := ranked(t, noted(seen), 1, "gang_size", "group_code")
	configure := func(group string) {
		c.configure(`, queues: [{name: test, limits: [{groups: [` + group + `], maxresources: {vcore: 8}}]}, {name: spare}, {name: prod, resources: {guaranteed: {vcore: 8}}}]`)
	}
	configure("dev")
	c.node("n", 16)
	c.appOf("x", "root.spare", "ann", "dev", "ops")
	member := core.Ask{Gang: &core.Gang{ID: "g", Min: 1}, NotPreemptable: true}
	c.restore("x1", "x", "n", 4, member)
	searches := 0
	search := func() {
		searches++
		c.restore(fmt.Sprint("v", searches), "dear", "n", 12, core.Ask{})
		c.ask(fmt.Sprint("p", searches), "prod", 1)
		c.wait(30 * time.Second)
		c.release(fmt.Sprint("v", searches))
		c.cycle()
		c.release(fmt.Sprint("p", searches))
	}
	search()
	c.expect("alone", seen["x1"], "1 -")
	c.askWith("x2", "x", 50, member)
	search()
	c.expect("beside another member", seen["x1"], "2 -")
	c.say(core.Input{Event: &core.RemoveAsk{ID: "x2"}})
	search()
	c.expect("alone again", seen["x1"], "1 -")
	c.say(core.Input{Event: &core.MoveApp{ID: "x", Queue: "root.test"}})
	search()
	c.expect("moved", seen["x1"], "1 dev")
	configure("ops")
	search()
	c.expect("after a reload", seen["x1"], "1 ops")
}
