package scheduler_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/scheduler"
)

// place submits an application. user contains the user and then groups.
func (c *cluster) place(id, queue, user string, tags ...string) {
	c.say(placed(id, queue, user, tags...))
}

func placed(id, queue, user string, tags ...string) core.Input {
	words := strings.Fields(user)
	app := &core.AddApp{ID: id, Queue: queue, Tags: map[string]string{}}
	if len(words) > 0 {
		app.User, app.Groups = words[0], words[1:]
	}
	for i := 0; i < len(tags); i += 2 {
		app.Tags[tags[i]] = tags[i+1]
	}
	return core.Input{Event: app}
}

const threeRules = `, placementrules: [
	{name: tag, value: ns, create: true, filter: {groups: [dev]}},
	{name: provided, parent: {name: fixed, value: teams}},
	{name: user, create: true, parent: {name: fixed, value: root.users}}]`

const threeTrees = `, submitacl: "*", queues: [{name: teams, queues: [{name: a}]}, {name: users, parent: true}, {name: leaf}]`

func TestExplain_RuleThatPlacedAnApplication(t *testing.T) {
	c := newCluster(t, core.Options{}, "")
	c.configureWith(threeTrees, threeRules)
	for _, tc := range []struct {
		queue, user string
		tags        []string
		want        string
	}{
		{"", "ann dev", []string{"NS", "x"}, "Placed in root.x by rule 1 (tag ns)."},
		{"a", "ann dev", nil, "Placed in root.teams.a by rule 2 (provided). Before: rule 1 (tag ns): there is no value to make a queue name from."},
		{"a", "ann", nil, "Placed in root.teams.a by rule 2 (provided). Before: rule 1 (tag ns): its filter excludes the user."},
		{"b", "ann dev", []string{"ns", "teams"}, "Placed in root.users.ann by rule 3 (user). Before: rule 1 (tag ns): root.teams is a parent; rule 2 (provided): root.teams.b does not exist."},
		{"root.leaf.x", "ann dev", []string{"ns", "a b"}, `Placed in root.users.ann by rule 3 (user). Before: rule 1 (tag ns): "root.a b" is not the name of a queue; rule 2 (provided): root.leaf.x does not exist.`},
		{"", "b!b dev", []string{"ns", "root.leaf.x", "application.create.force", "true"}, `It is in root.@recovery@, since it runs already and no placement rule yields a queue that can be used. Before: rule 1 (tag ns): root.leaf.x: root.leaf is a leaf; rule 2 (provided): there is no value to make a queue name from; rule 3 (user): "root.users.b!b" is not the name of a queue.`},
	} {
		id := fmt.Sprint(len(c.decisions))
		c.place(id, tc.queue, tc.user, tc.tags...)
		e, ok := c.ExplainApp(id)
		if !ok || e.Placement == nil || e.Placement.Text != tc.want || !strings.HasSuffix(e.Text, tc.want) {
			t.Errorf("%+v: found %v, %+v", tc, ok, e)
		}
		if again := recovered(t, c.Scheduler); true {
			e2, _ := again.ExplainApp(id)
			if e2.Text != e.Text {
				t.Errorf("after a restore %q", e2.Text)
			}
		}
	}
}

func recovered(t *testing.T, s *scheduler.Scheduler) *scheduler.Scheduler {
	t.Helper()
	again, err := scheduler.Restore(s.Snapshot(), core.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return again
}

func TestWhereAnApplicationWouldGoChangesNothing(t *testing.T) {
	c := newCluster(t, core.Options{}, "")
	c.configureWith(threeTrees, threeRules)
	before := c.Snapshot()
	in := placed("x", "", "ann dev", "ns", "p_q", "namespace.resourcequota", `{"vcore":1}`)
	e := c.ExplainPlacement(in.Event.(*core.AddApp))
	if e.Queue != "root.p_q" || e.Rule != 1 || !slices.Equal(e.Creates, []string{"root.p_q"}) || e.Reason != "" {
		t.Errorf("%+v", e)
	}
	in = placed("x", "", "ann dev", "ns", "root.d.e", "namespace.resourcequota", `{"vcore":}`)
	if e = c.ExplainPlacement(in.Event.(*core.AddApp)); e.Queue != "" || e.Reason != core.ReasonBadTag || len(e.Tried) != 1 {
		t.Errorf("%+v", e)
	}
	in = placed("x", "", "!")
	e = c.ExplainPlacement(in.Event.(*core.AddApp))
	if e.Reason != core.ReasonNotPlaced || len(e.Tried) != 4 || e.Tried[2].Fault != explain.BadQueueName || e.Tried[3].Fault != explain.NoSuchQueue {
		t.Errorf("%+v", e)
	}
	if after := c.Snapshot(); string(after) != string(before) {
		t.Errorf("expected\n%s\nfound\n%s", before, after)
	}
	c.configureWith(threeTrees, "")
	in = placed("x", "root.teams.a", "ann")
	if e = c.ExplainPlacement(in.Event.(*core.AddApp)); e.Queue != "root.teams.a" || e.Rule != 0 || e.Text == "" || len(e.Creates) != 0 {
		t.Errorf("%+v", e)
	}
	in.Event.(*core.AddApp).Queue = "root.teams"
	if e = c.ExplainPlacement(in.Event.(*core.AddApp)); e.Queue != "" || e.Reason != core.ReasonNotALeaf {
		t.Errorf("%+v", e)
	}
}

func TestWhatAUserMayDoAndByWhichList(t *testing.T) {
	c := newCluster(t, core.Options{}, `, adminacl: "boss ops", queues: [{name: a, submitacl: "ann dev", queues: [{name: b, adminacl: "ann"}, {name: c, submitacl: "*"}]}, {name: d}]`)
	for _, tc := range []struct{ queue, user, want string }{
		{"root.a", "ann", `User "ann" may submit to queue root.a by the user in submitacl of root.a, and may not administer it.`},
		{"ROOT.A.B", "ann", `User "ann" may submit to queue root.a.b by the user in adminacl of root.a.b, and administer it by the user in adminacl of root.a.b.`},
		{"root.a.b", "eve x dev", `User "eve" may submit to queue root.a.b by the group "dev" in submitacl of root.a, and may not administer it.`},
		{"root.a.c", "eve ops", `User "eve" may submit to queue root.a.c by "*" in submitacl of root.a.c, and administer it by the group "ops" in adminacl of root.`},
		{"root.d", "eve", `User "eve" may neither submit to queue root.d nor administer it: neither its access lists nor those of the queues above it have the user or a group of the user.`},
	} {
		words := strings.Fields(tc.user)
		if e, ok := c.Access(tc.queue, words[0], words[1:]); !ok || e.Text != tc.want {
			t.Errorf("%+v: found %+v", tc, e)
		}
	}
	if _, ok := c.Access("root.nowhere", "ann", nil); ok {
		t.Error("a queue that does not exist is open")
	}
	c.configure(`, queues: [{name: a}]`)
	if e, ok := c.Access("root.a", "eve", nil); !ok || !e.Open || !e.Submit || !e.Admin {
		t.Errorf("without lists: %+v", e)
	}
}

func TestLongNamesAndTagsAreRefusedQuickly(t *testing.T) {
	c := newCluster(t, core.Options{}, "")
	expensive := "((a?){30}){8}"
	c.configureWith(`, queues: [{name: default}]`, fmt.Sprintf(", placementrules: [{name: provided, create: true, filter: {users: ['%s$']}}]", expensive))
	long, texts := strings.Repeat("a", 1<<20), strings.Repeat("a", 60<<10)
	began := time.Now()
	for _, tc := range []struct {
		in     core.Input
		reason core.Reason
	}{
		{placed("a", "root.x", long), core.ReasonNameTooLong},
		{placed("b", "root.x", "u "+long), core.ReasonNameTooLong},
		{placed("c", "root."+texts, "u"), ""}, // to root.default
		{placed("d", "root.x", "u", "namespace.resourcequota", `{"vcore":"`+texts+`"}`), core.ReasonBadTag},
		{placed("e", "root.x", "u", "namespace.resourceguaranteed", strings.Repeat(`{"resources":`, 1<<12)), core.ReasonBadTag},
		{placed("f", "root.x", "u", "namespace.resourcequota", "{"+strings.Repeat(`"vcore":1,`, 1<<12)), core.ReasonBadTag},
		{placed("g", "root.x", "u", "namespace.resourcemaxapps", strings.Repeat("9", 60<<10)), core.ReasonBadTag},
		{placed("i", "root."+long, "u"), core.ReasonNameTooLong},
		{placed("j", "root.x", "u", "namespace.resourcequota", long), core.ReasonNameTooLong},
		{placed(long, "root.x", "u"), core.ReasonNameTooLong},
		{placed("h", "root.x", strings.Repeat("a", 1024)), ""},
	} {
		tc.in.At = c.Now()
		if refused := c.Apply(&tc.in); refused != tc.reason {
			t.Errorf("%.20s: expected %q, found %q", tc.in.ID(), tc.reason, refused)
		}
		for _, d := range c.Take() {
			if len(d.Message)+len(d.ID) > 1000 {
				t.Errorf("%.20s: a message of %d bytes", tc.in.ID(), len(d.Message)+len(d.ID))
			}
		}
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
	if len(c.Snapshot()) > 10_000 {
		t.Errorf("the snapshot has %d bytes", len(c.Snapshot()))
	}
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Four days after 10,000 users at a time, each with a dynamic queue, have come and gone, no trace of them is left.
func TestUsersAndDynamicQueuesComeAndGoWithoutATrace(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	c := newCluster(t, core.Options{}, "")
	c.configureWith(`, queues: [{name: users, parent: true, childtemplate: {maxapplications: 3, resources: {guaranteed: {vcore: 1}}}}]`,
		", placementrules: [{name: user, create: true, parent: {name: fixed, value: users}}]")
	c.say(core.Input{Event: &core.AddNode{ID: "n", Capacity: cores(100, 1000)}})
	const waves, users = 10, 10_000
	wave := func(n int) {
		for i := range users {
			id := fmt.Sprint("a", i)
			c.place(id, "", fmt.Sprintf("user%d", n*users+i), "namespace.resourcequota", `{"vcore":"2"}`)
			if i%10 == 0 {
				c.say(core.Input{Event: &core.AddAsk{ID: id, App: id, Resources: cores(1, 1)}})
			}
		}
		c.cycle()
		if live := c.Dump().Queues; len(live) != users+2 {
			t.Fatalf("%d queues", len(live))
		}
		for i := range users {
			c.say(core.Input{Event: &core.RemoveApp{ID: fmt.Sprint("a", i)}})
		}
		c.wait(96 * time.Hour)
		c.decisions = nil
	}
	wave(0)
	before, first := heapInUse(), len(c.Snapshot())
	for n := 1; n < waves; n++ {
		wave(n)
	}
	d := c.Dump()
	if len(d.Queues) != 2 || len(d.Applications) != 0 {
		t.Errorf("%d queues, %d applications are left", len(d.Queues), len(d.Applications))
	}
	if now := len(c.Snapshot()); now > first+100 {
		t.Errorf("the snapshot has %d bytes, %d after the first wave", now, first)
	}
	after := heapInUse()
	t.Logf("%d bytes in use after one wave, %d after %d", before, after, waves)
	if after > before+before/4+1<<20 {
		t.Errorf("%d bytes in use, %d after the first wave", after, before)
	}
	runtime.KeepAlive(c)
}
