package scheduler_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/scheduler"
)

// twoPartitions returns a cluster with the partitions main and gpu, each with a leaf root.q with some properties.
func twoPartitions(t *testing.T, o core.Options, properties string, setUp func(*cluster)) *cluster {
	t.Helper()
	c := &cluster{t: t, Scheduler: scheduler.New(o)}
	c.Advance(0)
	if setUp != nil {
		setUp(c)
	}
	c.partitions("main", "gpu")
	if properties != "" {
		c.say(core.Input{Event: &core.SetConfig{Config: partitionsOf(properties, "main", "gpu")}})
	}
	for _, d := range c.decisions {
		if d.Type == core.ConfigRejected {
			t.Fatal("the configuration is refused: ", d.Errors)
		}
	}
	return c
}

func partitionsOf(properties string, names ...string) string {
	text := "partitions:\n"
	for _, name := range names {
		text += fmt.Sprintf("- name: %s\n  queues: [{name: q, properties: {%s}}]\n", name, properties)
	}
	return text
}

func (c *cluster) partitions(names ...string) {
	c.say(core.Input{Event: &core.SetConfig{Config: partitionsOf("", names...)}})
}

func (c *cluster) nodeIn(partition, id string, n int64) {
	c.say(core.Input{Event: &core.AddNode{ID: id, Partition: partition, Capacity: vcores(n)}})
}

func (c *cluster) appIn(partition, id string) {
	c.say(core.Input{Event: &core.AddApp{ID: id, Partition: partition, Queue: "root.q"}})
}

func TestOnePolicyModuleServesAllPartitions(t *testing.T) {
	c := twoPartitions(t, panel(map[string]*judge{"reverse": {answer: lastFirst}}), "application.sort.policy: reverse", func(c *cluster) {
		c.setPolicy("reverse", "1", manifest("reverse", policy.AppOrder, 1, policy.OnRow, "submitted"))
	})
	for _, p := range []string{"main", "gpu"} {
		for _, app := range []string{"one", "two"} {
			c.appIn(p, p+app)
			c.ask(p+app, p+app, 1)
		}
		c.nodeIn(p, p, 1)
	}
	c.cycle()
	c.expect("placed", c.placed(), "maintwo@main gputwo@gpu")
	if uses := c.PolicyUses(); len(uses) != 1 || !uses[0].InForce || uses[0].Calls < 2 {
		t.Errorf("found %+v", uses)
	}
	c.removePolicy("reverse")
	c.expect("faults", c.faults(), "reverse removed->fifo")
	c.release("maintwo")
	c.release("gputwo")
	c.cycle()
	c.expect("placed", c.placed(), "mainone@main gpuone@gpu")
}

// A module gets the same code for a text in all partitions.
func TestTextsHaveOneCodeInAllPartitions(t *testing.T) {
	seen := map[string]map[float64]bool{}
	answer := func(b *policy.Batch, row int32, keys []float64) {
		name := b.Items.Name(row)
		text := ""
		if code := b.Cols[0][row]; code > 0 {
			text = b.Texts[int(code)-1]
		}
		if seen[text] == nil {
			seen[text] = map[float64]bool{}
		}
		seen[text][b.Cols[0][row]] = true
		if text != "team-"+name[len(name)-1:] {
			t.Errorf("%s: found the team %q", name, text)
		}
		keys[0] = 0
	}
	c := twoPartitions(t, panel(map[string]*judge{"teams": {answer: answer}}), "application.sort.policy: teams", func(c *cluster) {
		c.setPolicy("teams", "1", manifest("teams", policy.AppOrder, 1, policy.OnRow, "tag_code:team"))
	})
	for i, p := range []string{"gpu", "main", "gpu", "main"} {
		team := fmt.Sprint(1 + i/2)
		c.say(core.Input{Event: &core.AddApp{ID: p + team, Partition: p, Queue: "root.q", Tags: map[string]string{"team": "team-" + team}}})
		c.ask(p+team, p+team, 1)
		c.cycle()
	}
	if len(seen) != 2 || len(seen["team-1"]) != 1 || len(seen["team-2"]) != 1 {
		t.Errorf("found the codes %v", seen)
	}
}

// fussy admits no ask to nodes of main, and fails when it is asked about nodes of gpu.
type fussy struct{}

func (fussy) Eval(b *policy.Batch) error {
	for _, row := range b.Rows {
		if b.Items.Name(row) == "gpu" {
			return errors.New("no")
		}
		b.Out[int(row)*b.Keys] = 1
	}
	return nil
}

func TestFault_InALaterPartitionRetriesTheOthers(t *testing.T) {
	o := core.Options{Evaluator: func(core.Announcement) policy.Evaluator { return fussy{} }}
	c := twoPartitions(t, o, "", func(c *cluster) {
		c.setPolicy("fussy", "1", `{"name":"fussy","points":{`+declared(policy.NodeFilter, 1, policy.OnAsk, "")+`}}`)
	})
	for _, p := range []string{"main", "gpu"} {
		c.nodeIn(p, p, 1)
		c.appIn(p, p)
		c.ask(p, p, 1)
	}
	c.cycle()
	c.expect("decisions", lines(t, c.decisions[len(c.decisions)-5:]), `{"seq":8,"at":"0s","type":"policy.fault","policy":"fussy","reason":"failed","message":"no","fallback":"pass-all"}
{"seq":9,"at":"0s","type":"allocation","id":"gpu","app":"gpu","queue":"root.q","node":"gpu","priority":0,"resources":{"vcore":"1000m"}}
{"seq":10,"at":"0s","type":"app.state","id":"gpu","from":"Accepted","to":"Starting","reason":"first-allocation"}
{"seq":11,"at":"0s","type":"allocation","id":"main","app":"main","queue":"root.q","node":"main","priority":0,"resources":{"vcore":"1000m"}}
{"seq":12,"at":"0s","type":"app.state","id":"main","from":"Accepted","to":"Starting","reason":"first-allocation"}
`)
}

func TestAppTimers_BySubmissionInAllPartitions(t *testing.T) {
	c := twoPartitions(t, core.Options{}, "", nil)
	for i, p := range []string{"gpu", "main", "gpu", "main"} {
		id := fmt.Sprint(p, i)
		c.nodeIn(p, id, 1)
		c.appIn(p, id)
		c.ask(id, id, 1)
	}
	c.cycle()
	c.decisions = nil
	c.wait(5 * time.Minute)
	found := ""
	for _, d := range c.decisions {
		found += d.ID + " "
	}
	c.expect("timers", found, "gpu0 main1 gpu2 main3 ")
}

func TestEndedApp_StaysInItsPartition(t *testing.T) {
	c := twoPartitions(t, core.Options{}, "", nil)
	for _, p := range []string{"main", "gpu"} {
		c.appIn(p, p)
		c.say(core.Input{Event: &core.RemoveApp{ID: p}})
	}
	ended := func(want string) {
		t.Helper()
		for _, s := range []*scheduler.Scheduler{c.Scheduler, restored(t, c.Snapshot())} {
			found := ""
			for _, a := range s.Dump().Applications {
				found += a.ID + "=" + a.Partition + " "
			}
			c.expect("ended", found, want)
		}
	}
	ended("main= gpu=gpu ")
	c.partitions("gpu", "main")
	ended("main=main gpu= ")
	c.partitions("gpu")
	ended("main=main gpu= ")
	c.partitions("other")
	ended("main=main gpu= ")
}

func restored(t *testing.T, snapshot []byte) *scheduler.Scheduler {
	t.Helper()
	s, err := scheduler.Restore(snapshot, core.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if again := s.Snapshot(); !bytes.Equal(again, snapshot) {
		t.Fatalf("expected\n%s\nfound\n%s", snapshot, again)
	}
	return s
}

// While a long search for victims is unfinished in the first partition, the second waits. Both continue after a restore.
func TestASnapshotRemembersWhichPartitionSearches(t *testing.T) {
	c := &cluster{t: t, Scheduler: scheduler.New(core.Options{SearchSteps: 1})}
	c.Advance(0)
	text := ""
	for _, name := range []string{"main", "gpu"} {
		text += "- {name: " + name + ", preemption: {enabled: true}, queues: [{name: q}, {name: p, resources: {guaranteed: {vcore: 4}}, properties: {preemption.delay: 10s}}]}\n"
	}
	c.say(core.Input{Event: &core.SetConfig{Config: "partitions:\n" + text}})
	for _, p := range []string{"main", "gpu"} {
		c.nodeIn(p, p, 4)
		c.appIn(p, p+"low")
		c.say(core.Input{Event: &core.AddApp{ID: p + "high", Partition: p, Queue: "root.p"}})
		for i := range 4 {
			c.ask(fmt.Sprint(p, i), p+"low", 1)
		}
		c.cycle()
		c.ask(p+"new", p+"high", 3)
	}
	c.cycle()
	c.wait(10*time.Second - 1)
	c.Advance(10 * time.Second)
	c.decisions = nil
	cycles := 0
	for at, ok := c.Deadline(); cycles == 0 || ok && at <= c.Now(); at, ok = c.Deadline() {
		if cycles++; cycles > 1000 {
			t.Fatal("the search does not end")
		}
		other := restored(t, c.Snapshot())
		if next, waits := other.Deadline(); next != at || waits != ok {
			t.Fatalf("expected the deadline %s (%t) after a restore, found %s (%t)", at, ok, next, waits)
		}
		c.cycle()
	}
	found := ""
	for _, d := range c.decisions {
		found += string(d.Type) + " " + d.Node + " "
	}
	c.expect("victims", found, "preemption main preemption main preemption main preemption gpu preemption gpu preemption gpu ")
	if cycles < 3 {
		t.Errorf("the search took %d cycles", cycles)
	}
}

func TestSnapshot_ContradictoryPartitionsRefused(t *testing.T) {
	c := twoPartitions(t, core.Options{}, "", nil)
	for _, p := range []string{"main", "gpu"} {
		c.nodeIn(p, p+"-node", 1)
		c.appIn(p, p)
		c.ask(p+"-task", p, 1)
	}
	c.cycle()
	snapshot := c.Snapshot()
	restored(t, snapshot)
	for _, tc := range []struct {
		what  string
		value any
		path  []any
	}{
		{"a configuration of fewer partitions", partitionsOf("", "main"), []any{"Config", "Text"}},
		{"a configuration of more partitions", partitionsOf("", "main", "gpu", "more"), []any{"Config", "Text"}},
		{"no other partition", []any{}, []any{"Others"}},
		{"a node of two partitions", "main-node", []any{"Others", 0, "Nodes", 0, "ID"}},
		{"an application of two partitions", "main", []any{"Others", 0, "Apps", 0, "ID"}},
		{"two applications of one number", 1, []any{"Others", 0, "Apps", 0, "Seq"}},
		{"an ask of two partitions", "main-task", []any{"Others", 0, "Asks", 0, "ID"}},
		{"two asks of one number", 1, []any{"Others", 0, "Asks", 0, "Seq"}},
		{"two allocations of one number", 1, []any{"Others", 0, "Asks", 0, "Placed"}},
		{"an allocation on a node of another partition", "main-node", []any{"Others", 0, "Asks", 0, "PlacedOn"}},
		{"an ask of an application of another partition", "main", []any{"Others", 0, "Asks", 0, "App"}},
	} {
		if _, err := scheduler.Restore(edit(t, snapshot, tc.value, tc.path...), core.Options{}); err == nil {
			t.Errorf("%s is taken", tc.what)
		} else {
			t.Log(err)
		}
	}
}
