package scheduler_test

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"pgregory.net/rapid"
)

// all reads a list page by page.
func all[T any](t *rapid.T, read func(*core.Page) core.Listed[T], where core.Where) (list []T) {
	page := core.Page{Where: where, Limit: rapid.IntRange(1, 5).Draw(t, "limit"), Work: rapid.SampledFrom([]int{1, 8, 1000}).Draw(t, "work")}
	for n := 0; ; n++ {
		part := read(&page)
		if len(part.Items) > page.Limit {
			t.Fatalf("expected at most %d, found %d", page.Limit, len(part.Items))
		}
		list = append(list, part.Items...)
		if !part.More {
			return list
		}
		if n > 10_000 || part.Next == page.After {
			t.Fatalf("the list does not go on from %+v", part.Next)
		}
		page.After = part.Next
	}
}

// listed reads lists into a dump, in the order of a dump and without what a dump does not have.
func listed(t *rapid.T, s *scheduler.Scheduler) core.Dump {
	d := core.Dump{Queues: all(t, s.Queues, core.Where{}), Nodes: all(t, s.Nodes, core.Where{})}
	asks := map[string][]core.AskDump{}
	for _, k := range all(t, s.Asks, core.Where{}) {
		asks[k.App] = append(asks[k.App], k.AskDump)
	}
	for _, a := range all(t, s.Apps, core.Where{}) {
		if a.Pending+a.Allocations > 0 {
			a.Asks = asks[a.ID]
		}
		d.Applications = append(d.Applications, a.AppDump)
	}
	return d
}

// sorted sorts a dump in the order of lists.
func sorted(d core.Dump) core.Dump {
	slices.SortStableFunc(d.Queues, func(a, b core.QueueDump) int { return cmp.Compare(a.Partition, b.Partition) })
	slices.SortFunc(d.Nodes, func(a, b core.NodeDump) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortStableFunc(d.Applications, func(a, b core.AppDump) int { return cmp.Compare(a.ID, b.ID) })
	for i := range d.Applications {
		slices.SortFunc(d.Applications[i].Asks, func(a, b core.AskDump) int { return cmp.Compare(a.ID, b.ID) })
	}
	if len(d.Applications) == 0 {
		d.Applications = nil
	}
	return core.Dump{Queues: d.Queues, Nodes: d.Nodes, Applications: d.Applications}
}

func TestPagesHaveWhatADumpHas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &life{t: t}
		s := beginning()
		for n := range rapid.IntRange(1, 40).Draw(t, "steps") {
			l.step(s)
			if n > 0 && rapid.IntRange(0, 3).Draw(t, "look") > 0 {
				continue
			}
			found := sorted(listed(t, s))
			if expected := sorted(s.Dump()); !reflect.DeepEqual(expected, found) {
				t.Fatalf("expected\n%+v\nfound\n%+v", expected, found)
			}
			checkWhere(t, s)
		}
	})
}

// checkWhere compares filtered lists and single objects with whole lists.
func checkWhere(t *rapid.T, s *scheduler.Scheduler) {
	apps, asks := all(t, s.Apps, core.Where{}), all(t, s.Asks, core.Where{})
	for _, w := range []core.Where{
		{Queue: "root.a"}, {Queue: "root"}, {Queue: "root.a", State: "pending"}, {State: core.StateRunning}, {User: "u"}, {App: "app1"}, {Node: "n1"},
		{State: "pending"}, {State: "allocated"}, {State: "leaving", Node: "n2"}, {Node: "n2", Queue: "root.a"}, {Node: "n1", State: core.StateRunning, User: "u"}, {User: "v", State: "pending"},
	} {
		is := func(want, found string) bool { return want == "" || want == found }
		below := func(want, found string) bool { return is(want, found) || strings.HasPrefix(found, want+".") }
		wanted := slices.DeleteFunc(slices.Clone(asks), func(k core.AskItem) bool {
			return !below(w.Queue, core.ShownPath(k.Partition, k.Queue)) || !is(w.State, k.State()) || !is(w.App, k.App) || !is(w.Node, k.Node) || !is(w.User, k.User)
		})
		equalItems(t, fmt.Sprintf("asks of %+v", w), wanted, all(t, s.Asks, w))
		if w.App != "" {
			continue
		}
		on := func(a *core.AppItem) bool {
			return w.Node == "" || slices.ContainsFunc(asks, func(k core.AskItem) bool { return k.App == a.ID && k.Node == w.Node && a.Allocations > 0 })
		}
		equalItems(t, fmt.Sprintf("applications of %+v", w), slices.DeleteFunc(slices.Clone(apps), func(a core.AppItem) bool {
			return !below(w.Queue, core.ShownPath(a.Partition, a.Queue)) || !is(w.State, a.State) || !is(w.User, a.User) || !on(&a)
		}), all(t, s.Apps, w))
	}
	for _, k := range asks {
		one, ok := s.Ask(k.ID)
		equalItems(t, "ask "+k.ID, []core.AskItem{k}, []core.AskItem{one})
		if !ok {
			t.Fatalf("ask %s is listed and is not found", k.ID)
		}
	}
	checkGangs(t, s, asks)
	for i, a := range apps {
		if one, ok := s.App(a.ID); !ok || (i+1 == len(apps) || apps[i+1].ID != a.ID) && !reflect.DeepEqual(a, one) {
			t.Fatalf("application %s: expected %+v, found %+v", a.ID, a, one)
		}
	}
	for _, n := range all(t, s.Nodes, core.Where{}) {
		if one, ok := s.Node(n.ID); !ok || !reflect.DeepEqual(n, one) {
			t.Fatalf("node %s: expected %+v, found %+v", n.ID, n, one)
		}
	}
	for _, q := range all(t, s.Queues, core.Where{}) {
		if one, ok := s.Queue(core.ShownPath(q.Partition, q.Path)); !ok || !reflect.DeepEqual(q, one) {
			t.Fatalf("queue %s: expected %+v, found %+v", q.Path, q, one)
		}
	}
}

// checkGangs compares the list of gangs with the asks.
func checkGangs(t *rapid.T, s *scheduler.Scheduler, asks []core.AskItem) {
	gangs, counted := all(t, s.AtomicGangs, core.Where{}), 0
	for i, g := range gangs {
		if one, ok := s.AtomicGang(g.App, g.ID); !ok || !reflect.DeepEqual(g, one) {
			t.Fatalf("gang %s of %s: expected %+v, found %+v", g.ID, g.App, g, one)
		}
		if i > 0 && gangs[i-1].App > g.App {
			t.Fatalf("gang %s of %s comes after one of %s", g.ID, g.App, gangs[i-1].App)
		}
		members := slices.DeleteFunc(slices.Clone(asks), func(k core.AskItem) bool { return k.App != g.App || k.AtomicGang != g.ID })
		equalItems(t, "members of "+g.ID, members, all(t, s.Asks, core.Where{App: g.App, Gang: g.ID}))
		counted += len(members)
		in := func(state string) (n int) {
			for _, k := range members {
				if k.State() == state {
					n++
				}
			}
			return n
		}
		if g.Pending != in("pending") || g.Allocated != in("allocated") || g.Leaving != in("leaving") || len(g.Members) != len(members) {
			t.Fatalf("gang %s of %s: expected members %+v, found %+v", g.ID, g.App, members, g)
		}
	}
	if all := slices.DeleteFunc(slices.Clone(asks), func(k core.AskItem) bool { return k.AtomicGang == "" }); counted != len(all) {
		t.Fatalf("expected %d members of gangs, found %d", len(all), counted)
	}
	for _, w := range []core.Where{{State: core.GangWaiting}, {State: core.GangWhole}, {App: "app1"}, {Queue: "root.a", User: "u"}} {
		equalItems(t, fmt.Sprintf("gangs of %+v", w), slices.DeleteFunc(slices.Clone(gangs), func(g core.GangItem) bool {
			queue := core.ShownPath(g.Partition, g.Queue)
			return w.State != "" && w.State != g.State || w.App != "" && w.App != g.App || w.User != "" && w.User != g.User ||
				w.Queue != "" && w.Queue != queue && !strings.HasPrefix(queue, w.Queue+".")
		}), all(t, s.AtomicGangs, w))
	}
}

func equalItems[T any](t *rapid.T, what string, expected, found []T) {
	if len(expected)+len(found) > 0 && !reflect.DeepEqual(expected, found) {
		t.Fatalf("%s: expected\n%+v\nfound\n%+v", what, expected, found)
	}
}

func TestPages_ContinueBehindRemovedItems(t *testing.T) {
	c := newCluster(t, core.Options{}, ", queues: [{name: q}]")
	for i := range 4 {
		id := fmt.Sprintf("app-%d", i)
		c.app(id, "root.q")
		c.ask(id+"-ask", id, 1)
		c.say(core.Input{Event: &core.AddNode{ID: fmt.Sprintf("node-%d", i)}})
	}
	first := func() core.Page { return core.Page{Limit: 2, Work: 1000} }
	apps, asks, nodes := first(), first(), first()
	apps.After, asks.After, nodes.After = c.Apps(&apps).Next, c.Asks(&asks).Next, c.Nodes(&nodes).Next
	c.say(core.Input{Event: &core.RemoveApp{ID: "app-1"}})
	c.say(core.Input{Event: &core.RemoveNode{ID: "node-1"}})
	c.app("app-00", "root.q") // before the position of the page, which therefore does not list it
	if list := c.Apps(&apps); len(list.Items) != 2 || list.Items[0].ID != "app-2" || list.More {
		t.Errorf("expected app-2 and app-3, found %+v", list)
	}
	if list := c.Asks(&asks); len(list.Items) != 2 || list.Items[0].ID != "app-2-ask" || list.More {
		t.Errorf("expected the asks of app-2 and app-3, found %+v", list)
	}
	if list := c.Nodes(&nodes); len(list.Items) != 2 || list.Items[0].ID != "node-2" || list.More {
		t.Errorf("expected node-2 and node-3, found %+v", list)
	}
}
