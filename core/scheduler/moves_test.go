package scheduler_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// usage lists the usage of users and groups under limits, one line each: queue, name, vcores, applications.
func (c *cluster) usage() string {
	var out []string
	for _, u := range c.LimitUsage() {
		used, _ := u.Used.Value(resource.VCore)
		out = append(out, fmt.Sprintf("%s %s %d %d", u.Queue, u.Name, used/1000, u.Applications))
	}
	return strings.Join(out, "\n")
}

func (c *cluster) move(id, queue string) core.Reason {
	refused := c.Apply(&core.Input{At: c.Now(), Event: &core.MoveApp{ID: id, Queue: queue}})
	c.take()
	return refused
}

func TestAMoveTakesUsageAndPlacesFromOneLimitToAnother(t *testing.T) {
	c := newCluster(t, core.Options{}, "")
	c.configure(`, limits: [{users: [bob], maxapplications: 2}], queues: [{name: a, limits: [{users: ["*"], maxresources: {vcore: 4}}]},
		{name: b, limits: [{users: [bob], maxresources: {vcore: 3}}, {groups: [dev], maxresources: {vcore: 3}}]}]`)
	c.node("n", 10)
	c.appOf("x", "root.a", "bob", "dev")
	c.ask("x1", "x", 3)
	c.ask("x2", "x", 2)
	c.cycle()
	c.expect("usage", c.usage(), "root bob 3 1\nroot.a bob 3 1")
	if refused := c.move("x", "root.b"); refused != core.Accepted {
		t.Fatal(refused)
	}
	c.expect("usage", c.usage(), "root bob 3 1\nroot.b bob 3 1\nroot.b dev 3 1")
	e, _ := c.ExplainApp("x")
	c.expect("group", e.Group, "dev")
	c.placed()
	c.release("x1")
	c.cycle()
	c.expect("what the limits of the new queue let in", c.placed(), "x2@n")
	if refused := c.move("x", "root.a"); refused != core.Accepted {
		t.Fatal(refused)
	}
	c.expect("usage", c.usage(), "root bob 2 1\nroot.a bob 2 1")
	c.say(core.Input{Event: &core.RemoveApp{ID: "x"}})
	c.expect("usage", c.usage(), "")
}

func TestARefusedMoveLeavesNothingChanged(t *testing.T) {
	c := newCluster(t, core.Options{}, "")
	c.configure(`, queues: [{name: a, limits: [{users: [bob], maxresources: {vcore: 9}}, {groups: [dev], maxapplications: 5}]},
		{name: user, limits: [{users: [bob], maxresources: {vcore: 2}}]}, {name: group, limits: [{groups: [dev], maxresources: {vcore: 2}}]},
		{name: users, limits: [{users: [bob], maxapplications: 1}]}, {name: groups, limits: [{groups: [dev], maxapplications: 1}]}, {name: small, resources: {max: {vcore: 2}}},
		{name: sorted, properties: {application.sort.policy: fair}}]`)
	c.node("n", 10)
	c.appOf("u", "root.users", "bob")
	c.ask("u1", "u", 1)
	c.appOf("g", "root.groups", "ann", "dev")
	c.ask("g1", "g", 1)
	c.say(core.Input{Event: &core.AddApp{ID: "x", Queue: "root.a", User: "bob", Groups: []string{"dev"}, Placeholders: &core.Placeholders{Ask: vcores(1)}}})
	c.askWith("p", "x", 1, core.Ask{Placeholder: true, TaskGroup: "g"})
	c.ask("x1", "x", 2)
	c.cycle()
	c.ask("x2", "x", 7) // waits for the limit of bob
	c.cycle()
	for queue, why := range map[string]core.Reason{
		"root.user": core.ReasonUserLimit, "root.group": core.ReasonGroupLimit, "root.users": core.ReasonUserMaxApplications,
		"root.groups": core.ReasonGroupMaxApplications, "root.small": core.ReasonHeadroom, "root.sorted": core.ReasonGangSortPolicy, "root": core.ReasonNotALeaf,
	} {
		dump, usage, deadline := c.Dump(), c.LimitUsage(), fmt.Sprint(c.Deadline())
		ask, _ := c.ExplainAsk("x2")
		app, _ := c.ExplainApp("x")
		if refused := c.move("x", queue); refused != why {
			t.Errorf("%s: expected %q, found %q", queue, why, refused)
		}
		c.cycle()
		askAfter, _ := c.ExplainAsk("x2")
		appAfter, _ := c.ExplainApp("x")
		if !reflect.DeepEqual(c.Dump(), dump) || !reflect.DeepEqual(c.LimitUsage(), usage) || fmt.Sprint(c.Deadline()) != deadline ||
			!reflect.DeepEqual(ask, askAfter) || !reflect.DeepEqual(app, appAfter) {
			t.Errorf("%s: something has changed", queue)
		}
	}
}

// Restored schedulers learn types in another order, which decisions must not show.
func TestMessagesNameTheSameTypeAfterARestore(t *testing.T) {
	both := func(zinc, alum int64) resource.Set {
		return resource.NewSet(resource.Quantity{Type: "zinc", Value: zinc}, resource.Quantity{Type: "alum", Value: alum})
	}
	c := newCluster(t, core.Options{}, ", queues: [{name: a}, {name: b, resources: {max: {zinc: 1}}}]")
	c.node("n", 1)
	c.configure(", queues: [{name: a}, {name: b, resources: {max: {zinc: 1, alum: 1}}}]")
	c.say(core.Input{Event: &core.AddNode{ID: "m", Capacity: both(9, 9)}})
	c.app("x", "root.a")
	c.say(core.Input{Event: &core.AddAsk{ID: "x1", App: "x", Resources: both(2, 2)}})
	c.cycle()
	messages := func(s *scheduler.Scheduler) string {
		s.Take()
		for _, in := range []core.Input{
			{Event: &core.MoveApp{ID: "x", Queue: "root.b"}},
			{Event: &core.AddNode{ID: "o", Capacity: both(1<<63-1, 1<<63-1)}},
			{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: "y", App: "x", Resources: both(1<<63-1, 1<<63-1)}, PlacedOn: "m"}},
			{Event: &core.UpdateNode{ID: "n", Capacity: both(1<<63-1, 1<<63-1)}},
			{Event: &core.UpdateNode{ID: "m", Occupied: both(1<<63-1, 1<<63-1)}},
		} {
			in.At = s.Now()
			s.Apply(&in)
		}
		var out []string
		for _, d := range s.Take() {
			if !strings.Contains(d.Message, "alum") {
				t.Errorf("%q does not name the first type", d.Message)
			}
			out = append(out, d.Message)
		}
		return strings.Join(out, "\n")
	}
	again := recovered(t, c.Scheduler)
	c.expect("messages", messages(c.Scheduler), messages(again))
}

func TestOddNamesOfUsersAndGroupsAreOnlyThoseOfAll(t *testing.T) {
	c := newCluster(t, core.Options{}, "")
	c.configure(`, limits: [{users: [bob], maxresources: {vcore: 9}}, {users: ["*"], maxresources: {vcore: 2}}, {groups: [dev], maxresources: {vcore: 9}}, {groups: ["*"], maxresources: {vcore: 8}}],
		queues: [{name: a, limits: [{groups: [dev], maxresources: {vcore: 9}}]}]`)
	c.node("n", 100)
	for i, user := range []string{"*", "a b", "", " bob", "bob ", "Bob", "\x00", "böb"} {
		id := fmt.Sprint("x", i)
		c.appOf(id, "root.a", user, "*", " dev", "DEV", "")
		c.ask(id+"-large", id, 3)
		c.ask(id+"-small", id, 1)
		c.cycle()
		c.expect(fmt.Sprintf("allocations of %q", user), c.placed(), id+"-small@n")
		e, _ := c.ExplainApp(id)
		c.expect("group", e.Group, "*")
	}
	c.appOf("y", "root.a", "bob", "x y", "dev")
	c.ask("y1", "y", 3)
	c.cycle()
	c.expect("allocations", c.placed(), "y1@n")
}
