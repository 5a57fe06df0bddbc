package inspect

import (
	"maps"
	"slices"
	"sort"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// Read returns the selected parts of the state of all partitions, in the order of the configuration. The lists of other parts stay
// empty.
func Read(views []*View, parts core.Parts) core.Dump {
	first := views[0]
	d := core.Dump{Now: first.Now, Total: first.total(), NodeSort: first.Conf.NodeSort.Policy}
	for _, s := range views {
		s.walk.SortAll()
		if s != first {
			d.Others = append(d.Others, core.PartitionDump{Name: s.Name, Total: s.total(), NodeSort: s.Conf.NodeSort.Policy})
		}
		if parts&core.OfQueues != 0 {
			s.dumpQueue(s.Root, &d.Queues)
		}
		if parts&core.OfNodes != 0 {
			for _, n := range s.Nodes.Sorted() {
				d.Nodes = append(d.Nodes, s.dumpNode(n))
			}
		}
	}
	if parts&core.OfApplications != 0 {
		d.Applications = dumpApps(views)
	}
	return d
}

// total returns the sum of the capacities of the partition's nodes.
func (s *View) total() resource.Set { return s.Types.Set(s.Nodes.Total(), 0) }

// dumpApps returns the applications of all partitions in order of submission, including terminal ones.
func dumpApps(views []*View) []core.AppDump {
	type entry struct {
		seq uint64
		core.AppDump
	}
	var list []entry
	for _, s := range views {
		for _, a := range s.Apps {
			list = append(list, entry{a.Seq, s.dumpApp(a)})
		}
	}
	for _, e := range views[0].Ended {
		shown := e.Partition
		if shown == views[0].Name {
			shown = ""
		}
		list = append(list, entry{e.Seq, core.AppDump{Partition: shown, ID: e.ID, Queue: e.Queue, State: e.State, Since: e.Since, Submitted: e.Submitted}})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].seq < list[j].seq })
	out := make([]core.AppDump, 0, len(list))
	for _, e := range list {
		out = append(out, e.AppDump)
	}
	return out
}

func (s *View) dumpQueue(q *queue.Queue, out *[]core.QueueDump) {
	*out = append(*out, s.readQueue(q))
	for _, child := range q.Children() {
		s.dumpQueue(child, out)
	}
}

// readQueue describes a queue.
func (s *View) readQueue(q *queue.Queue) core.QueueDump {
	d := core.QueueDump{
		Partition: s.Shown, Path: q.Path, Leaf: q.Leaf(), Dynamic: q.Dynamic, State: q.State(core.QueueActive, core.QueueDraining),
		Used: s.Types.Set(q.Used, 0), Pending: s.Types.Set(q.Waiting.Vec(), 0), Guaranteed: withoutZeros(q.Conf.Guaranteed), Max: q.Conf.Max,
		Headroom: s.headroomSet(q), PendingAsks: q.Asks, Allocations: q.Allocations,
		Applications: q.Live, Running: q.Running, MaxRunning: q.Conf.MaxApplications, FairShare: q.FairShare(s.Nodes.Total()),
		AppSort: q.Conf.AppSort, Properties: maps.Clone(q.Conf.Inherited),
	}
	if q.Parent == nil {
		d.Max = s.total()
	}
	d.Leaving = s.leavingOf(q)
	d.Priority, d.HasPriority = s.highest(q)
	return d
}

// leavingOf returns the usage of victims in a queue that are leaving.
func (s *View) leavingOf(q *queue.Queue) resource.Set {
	var set resource.Set
	for t := range s.Types.Len() {
		if amount := q.Leaving(t); amount != 0 {
			set = append(set, resource.Quantity{Type: s.Types.Name(t), Value: amount})
		}
	}
	return resource.NewSet(set...)
}

// highest returns a queue's priority as its parent sees it. ok is false if no ask is pending in it. It is recomputed if the queues
// are not sorted.
func (s *View) highest(q *queue.Queue) (priority int32, ok bool) {
	if s.walk.Sorted() {
		if q.Asks == 0 {
			return 0, false
		}
		return q.Highest(), true
	}
	count := func(p int32, waits bool) {
		if waits && (!ok || p > priority) {
			priority, ok = p, true
		}
	}
	if q.Leaf() {
		s.Leaves[q.ID].Apps(func(a *app.App) bool { count(a.Highest()); return true })
	}
	for _, child := range q.Children() {
		count(s.highest(child))
	}
	if !ok {
		return 0, false
	}
	return q.Priority(priority), true
}

func withoutZeros(set resource.Set) resource.Set {
	return slices.DeleteFunc(slices.Clone(set), func(q resource.Quantity) bool { return q.Value == 0 })
}

// headroomSet returns a queue's headroom: negative for types of which it uses too much, and without types whose headroom is 0.
func (s *View) headroomSet(q *queue.Queue) resource.Set {
	var set resource.Set
	for t := range s.Types.Len() {
		least, bounded := int64(resource.Most), false
		for p := q; p != nil; p = p.Parent {
			if p.Max[t] != resource.Unlimited {
				least, bounded = min(least, resource.Sub(p.Max[t], p.Taken(t))), true
			}
		}
		if bounded && least != 0 {
			set = append(set, resource.Quantity{Type: s.Types.Name(t), Value: least})
		}
	}
	return resource.NewSet(set...)
}

func (s *View) dumpNode(n int32) core.NodeDump {
	d := core.NodeDump{
		Partition: s.Shown, ID: s.Nodes.ID(n), Capacity: s.Types.Set(s.Nodes.Capacity(n), 0), Occupied: s.Types.Set(s.Nodes.Occupied(n), 0), Used: s.Types.Set(s.Nodes.Used(n), 0),
		Attributes: s.Nodes.Attributes(n), Schedulable: s.Nodes.Schedulable(n), Utilisation: s.Nodes.Utilisation(n, s.NodeWeights()),
	}
	if r, reserved := s.Reservations().On(n); reserved {
		d.Reserved = s.AskAt(r.Ask).ID()
	}
	if c, claimed := s.Claims().First(n); claimed {
		d.Kept = s.AskAt(c.Ask).ID()
	}
	for a := s.Asks.FirstOn(n); !a.IsNone(); a = a.NextOnNode() {
		d.Allocations = append(d.Allocations, a.ID())
	}
	return d
}

func (s *View) dumpApp(a *app.App) core.AppDump {
	d := s.dumpAppAlone(a)
	for _, ask := range s.waitingOf(a) {
		d.Asks = append(d.Asks, s.dumpAsk(ask))
	}
	for ask := a.FirstPlaced(); !ask.IsNone(); ask = ask.NextOfApp() {
		d.Asks = append(d.Asks, s.dumpAsk(ask))
	}
	return d
}

// dumpAppAlone returns an application without its asks.
func (s *View) dumpAppAlone(a *app.App) core.AppDump {
	d := core.AppDump{
		Partition: s.Shown, ID: a.ID, Queue: s.Leaves[a.Leaf.ID].Queue.Path, State: a.State, Since: a.Since, Submitted: a.Submitted,
		Used: s.Types.Set(a.Used, 0),
	}
	if a.Limits != nil {
		d.Group = a.Limits.Group
	}
	d.Priority, d.HasPriority = s.highestOf(a)
	return d
}

// highestOf returns the highest priority of an application's pending asks. ok is false if there are none. It is recomputed if the
// queues are not sorted.
func (s *View) highestOf(a *app.App) (priority int32, ok bool) {
	if !s.walk.Sorted() {
		return a.Highest()
	}
	if !a.HasPriority() {
		return 0, false
	}
	return a.Priority(), true
}

func (s *View) dumpAsk(ask app.Ask) core.AskDump {
	d := core.AskDump{
		ID: ask.ID(), Priority: ask.Priority(), Resources: ask.Class().Resources, Placeholder: ask.IsPlaceholder(), Submitted: ask.Created(), Leaves: ask.Leaving(),
	}
	if !ask.Pending() {
		d.Node, d.Allocated = s.Nodes.ID(ask.Node()), ask.PlacedAt()
	}
	if ask.Hold().IsClaimed() {
		d.Kept = s.Nodes.ID(ask.HoldOn())
	}
	if why, leaves := s.Departure(ask); leaves {
		d.Leaving = why.Why.For
	} else if why, leaves := s.Replacements().Notice(ask.Slot()); leaves {
		d.Leaving = s.Replacements().For(why)
	}
	return d
}

// waitingOf lists an application's pending asks in the order of the walk. The leaf must be sorted.
func (s *View) waitingOf(a *app.App) []app.Ask {
	list := s.PendingOf(a)
	slices.SortStableFunc(list, func(x, y app.Ask) int {
		switch {
		case x == y:
			return 0
		case a.Before(x, y):
			return -1
		}
		return 1
	})
	return list
}
