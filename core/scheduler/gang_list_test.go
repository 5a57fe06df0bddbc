package scheduler_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// rackedCluster makes a cluster of two racks in one block, each with two nodes of 2 vcore, and a node in no domain.
func rackedCluster(t *testing.T) *cluster {
	c := newCluster(t, core.Options{}, "")
	c.configureWith(", queues: [{name: q}]", ", topology: [{level: block, attribute: b}, {level: rack, attribute: r}]")
	for i, rack := range []string{"r1", "r1", "r2", "r2"} {
		c.say(core.Input{Event: &core.AddNode{ID: fmt.Sprintf("n%d", i+1), Capacity: vcores(2), Attributes: map[string]string{"b": "b1", "r": rack}}})
	}
	c.say(core.Input{Event: &core.AddNode{ID: "n5", Capacity: vcores(2)}})
	c.app("train", "root.q")
	return c
}

// members asks for some members of a gang, named after it.
func (c *cluster) members(gang string, n int, with core.Gang, in core.Topology) {
	with.ID = gang
	for i := range n {
		c.askWith(fmt.Sprintf("%s-%d", gang, i+1), "train", 2, core.Ask{Gang: &with, Topology: in})
	}
}

func listedGang(t *testing.T, s *scheduler.Scheduler, id string) core.GangItem {
	t.Helper()
	g, ok := s.AtomicGang("train", id)
	if !ok {
		t.Fatalf("gang %s is not found", id)
	}
	return g
}

func TestAtomicGang_WholeInItsRack(t *testing.T) {
	c := rackedCluster(t)
	c.members("g", 2, core.Gang{Min: 2, Max: 4}, core.Topology{Required: "rack"})
	c.cycle()
	g := listedGang(t, c.Scheduler, "g")
	if g.State != core.GangWhole || !slices.Equal(g.Domain, []string{"b1", "r1"}) || g.Level != "rack" || !g.Required || g.Allocated != 2 || g.Max != 4 {
		t.Errorf("found %+v", g)
	}
	c.say(core.Input{Event: &core.ReleaseAllocation{ID: "g-1", Failed: true}})
	c.cycle()
	g = listedGang(t, c.Scheduler, "g")
	if g.State != core.GangIsBroken || g.BrokenBy != core.ReasonMemberFailed || g.Allocated != 1 || g.Need != 2 || g.Surplus != 0 {
		t.Errorf("found %+v", g)
	}
	again, err := scheduler.Restore(c.Snapshot(), core.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if g := listedGang(t, again, "g"); g.BrokenBy != core.ReasonMemberFailed {
		t.Errorf("a snapshot lost the cause: found %+v", g)
	}
}

func TestAtomicGang_SlicesInTheirRacks(t *testing.T) {
	c := rackedCluster(t)
	c.members("g", 4, core.Gang{Min: 4}, core.Topology{Required: "block", Slice: core.Slice{Level: "rack", Size: 2}})
	c.cycle()
	g := listedGang(t, c.Scheduler, "g")
	if fmt.Sprint(g.Slices) != "[{1 2 [b1 r1]} {2 2 [b1 r2]}]" || fmt.Sprint(g.Domain) != "[b1]" || g.Members[3].Slice != 2 {
		t.Errorf("found %+v", g)
	}
}

func TestAtomicGang_SaysWhyItWaits(t *testing.T) {
	c := rackedCluster(t)
	c.members("few", 1, core.Gang{Min: 2}, core.Topology{})
	c.members("large", 3, core.Gang{Min: 3, Timeout: time.Minute}, core.Topology{Required: "rack"})
	c.members("first", 1, core.Gang{Min: 1, Set: "s", SetMin: 2}, core.Topology{})
	c.cycle()
	for id, want := range map[string]core.Reason{"few": explain.WaitGangIncomplete, "large": explain.WaitGangDoesNotFit, "first": explain.WaitSetIncomplete} {
		if g := listedGang(t, c.Scheduler, id); g.State != core.GangWaiting || g.Wait != want {
			t.Errorf("gang %s: expected %s, found %+v", id, want, g)
		}
	}
	if g := listedGang(t, c.Scheduler, "large"); g.TimesOut == 0 {
		t.Errorf("found no timeout in %+v", g)
	}
}

func TestAtomicGangs_MembersAreBounded(t *testing.T) {
	c := rackedCluster(t)
	c.members("g", core.MostGangMembers+5, core.Gang{Min: 200}, core.Topology{})
	g := listedGang(t, c.Scheduler, "g")
	if len(g.Members) != core.MostGangMembers || g.MoreMembers != 5 || g.Members[0].ID != "g-1" {
		t.Errorf("found %d members and %d more", len(g.Members), g.MoreMembers)
	}
}

func TestAtomicGangs_PagesHaveEachOnce(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		c := newCluster(t, core.Options{}, ", queues: [{name: a}]")
		c.node("n1", int64(rapid.IntRange(0, 30).Draw(r, "vcore")))
		for _, app := range []string{"app0", "app1", "app2"} {
			c.say(core.Input{Event: &core.AddApp{ID: app, Queue: "root.a", User: rapid.SampledFrom([]string{"u", "v"}).Draw(r, "user")}})
		}
		for i := range rapid.IntRange(1, 60).Draw(r, "asks") {
			var gang *core.Gang
			if g := rapid.IntRange(0, 9).Draw(r, "gang"); g > 0 {
				gang = &core.Gang{ID: fmt.Sprint(g), Min: g%4 + 1}
			}
			c.askWith(fmt.Sprint("k", i), fmt.Sprint("app", rapid.IntRange(0, 2).Draw(r, "app")), 1, core.Ask{Gang: gang})
			if rapid.IntRange(0, 4).Draw(r, "cycle") == 0 {
				c.cycle()
			}
			if rapid.IntRange(0, 9).Draw(r, "ends") == 0 {
				c.say(core.Input{Event: &core.ReleaseAllocation{ID: fmt.Sprint("k", i-1), Failed: true}})
			}
		}
		checkGangs(r, c.Scheduler, all(r, c.Asks, core.Where{}))
	})
}

func TestDomains_SumTheirNodes(t *testing.T) {
	c := rackedCluster(t)
	c.members("g", 2, core.Gang{Min: 2}, core.Topology{Required: "rack"})
	c.cycle()
	c.say(core.Input{Event: &core.DrainNode{ID: "n3"}})
	var found []string
	page := core.Page{Limit: 1, Work: 1000}
	for more := true; more; {
		part := c.Domains(&page)
		for _, d := range part.Items {
			found = append(found, fmt.Sprintf("%s %v %d %d %v %v %v", d.Level, d.Domain, d.Nodes, d.Schedulable, d.Capacity, d.Used, d.Free))
		}
		page.After, more = part.Next, part.More
	}
	want := []string{
		fmt.Sprintf("block [b1] 4 3 %v %v %v", vcores(8), vcores(4), vcores(2)), fmt.Sprintf("rack [b1 r1] 2 2 %v %v %v", vcores(4), vcores(4), resource.Set(nil)),
		fmt.Sprintf("rack [b1 r2] 2 1 %v %v %v", vcores(4), resource.Set(nil), vcores(2)),
	}
	if !slices.Equal(found, want) {
		t.Errorf("expected %q, found %q", want, found)
	}
	if levels := fmt.Sprint(c.TopologyLevels()); levels != "[{ block b 1} { rack r 2}]" {
		t.Errorf("found %s", levels)
	}
	if part := c.Domains(&core.Page{Limit: 9, Work: 1000, Where: core.Where{Level: "rack"}}); len(part.Items) != 2 || part.More {
		t.Errorf("found %+v", part)
	}
}

// Joined by zero bytes, the values of the first two racks would be out of order, and a page would skip one.
func TestDomains_PagedWithZeroBytesInValues(t *testing.T) {
	c := newCluster(t, core.Options{}, "")
	c.say(core.Input{Event: &core.SetConfig{Config: "partitions: [{name: default, topology: [{level: block, attribute: b}, {level: rack, attribute: r}], queues: [{name: root, queues: [{name: q}]}]}]"}})
	for i, path := range [][2]string{{"a", "z"}, {"a\x00b", "a"}, {"a\x00", "z"}, {"b", "a"}} {
		c.say(core.Input{Event: &core.AddNode{ID: fmt.Sprint("n", i), Capacity: vcores(1), Attributes: map[string]string{"b": path[0], "r": path[1]}}})
	}
	var found []string
	page := core.Page{Limit: 1, Work: 1000, Where: core.Where{Level: "rack"}}
	for more := true; more; {
		part := c.Domains(&page)
		for _, d := range part.Items {
			found = append(found, fmt.Sprintf("%q", d.Domain))
		}
		page.After, more = part.Next, part.More
	}
	if want := []string{`["a" "z"]`, `["a\x00" "z"]`, `["a\x00b" "a"]`, `["b" "a"]`}; !slices.Equal(found, want) {
		t.Errorf("expected %s, found %s", want, found)
	}
}
