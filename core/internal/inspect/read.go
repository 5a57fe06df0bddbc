package inspect

import (
	"github.com/quern-project/quern/core/instant"
	"maps"
	"slices"
	"sort"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// Read returns the selected parts of the state of all partitions, in the order of the configuration. The lists of other parts stay
// empty.
func Read(views []*View, parts core.Parts) core.Dump {
	first := views[0]
	d := core.Dump{Now: first.Now(), Total: first.total(), NodeSort: first.Conf().NodeSort.Policy}
	for _, s := range views {
		s.walk.SortAll()
		if s != first {
			d.Others = append(d.Others, core.PartitionDump{Name: s.Name(), Total: s.total(), NodeSort: s.Conf().NodeSort.Policy})
		}
		if parts&core.OfQueues != 0 {
			s.dumpQueue(s.Queues().Root(), &d.Queues)
		}
		if parts&core.OfNodes != 0 {
			for n := range s.Nodes().Sorted().All {
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
func (s *View) total() resource.Set { return s.Types().Set(s.Nodes().Total(), 0) }

// dumpApps returns the applications of all partitions in order of submission, including terminal ones.
func dumpApps(views []*View) []core.AppDump {
	type entry struct {
		seq uint64
		core.AppDump
	}
	var list []entry
	for _, s := range views {
		for a := range s.Asks().Apps {
			list = append(list, entry{a.Seq(), s.dumpApp(a)})
		}
	}
	for i := range views[0].EndedCount() {
		e := views[0].EndedAt(i)
		shown := e.Partition
		if shown == views[0].Name() {
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

func (s *View) dumpQueue(q queues.ID, out *[]core.QueueDump) {
	*out = append(*out, s.readQueue(q))
	for child := range s.Queues().Children(q) {
		s.dumpQueue(child, out)
	}
}

// readQueue describes a queue.
func (s *View) readQueue(q queues.ID) core.QueueDump {
	tree := s.Queues()
	share, _ := tree.Shares(q, s.Nodes().Total())
	d := core.QueueDump{
		Partition: s.Shown(), Path: tree.Path(q), Leaf: tree.IsLeaf(q), Dynamic: tree.IsDynamic(q), State: tree.State(q, core.QueueActive, core.QueueDraining),
		Used: s.Types().Set(tree.AllUsed(q), 0), Pending: s.Types().Set(tree.AllWaiting(q), 0), Guaranteed: withoutZeros(tree.Conf(q).Guaranteed), Max: tree.Conf(q).Max,
		Headroom: s.headroomSet(q), PendingAsks: tree.Asks(q), Allocations: tree.Allocations(q),
		Applications: tree.Live(q), Running: tree.Running(q), MaxRunning: tree.Conf(q).MaxApplications, FairShare: share,
		AppSort: tree.Conf(q).AppSort, Properties: maps.Clone(tree.Conf(q).Inherited),
	}
	if tree.Parent(q) == queues.None {
		d.Max = s.total()
	}
	d.Leaving = s.leavingOf(q)
	d.Priority, d.HasPriority = s.highest(q)
	s.addAging(&d, q)
	return d
}

// leavingOf returns the usage of victims in a queue that are leaving.
func (s *View) leavingOf(q queues.ID) resource.Set {
	var set resource.Set
	for t := range s.Types().Len() {
		if amount := s.Queues().Leaving(q, t); amount != 0 {
			set = append(set, resource.Quantity{Type: s.Types().Name(t), Value: amount, Milli: s.Types().IsMilli(t)})
		}
	}
	return resource.NewSet(set...)
}

// highest returns a queue's priority as its parent sees it. ok is false if no ask is pending in it. It is recomputed if the queues
// are not sorted.
func (s *View) highest(q queues.ID) (priority int32, ok bool) {
	tree := s.Queues()
	if s.walk.Sorted() {
		if tree.Asks(q) == 0 {
			return 0, false
		}
		return s.walk.Highest(q), true
	}
	count := func(p int32, waits bool) {
		if waits && (!ok || p > priority) {
			priority, ok = p, true
		}
	}
	if tree.IsLeaf(q) {
		s.Leaf(q).Apps(func(a app.App) bool { count(a.Highest()); return true })
	}
	for child := range tree.Children(q) {
		count(s.highest(child))
	}
	if !ok {
		return 0, false
	}
	return tree.Priority(q, priority), true
}

func withoutZeros(set resource.Set) resource.Set {
	return slices.DeleteFunc(slices.Clone(set), func(amount resource.Quantity) bool { return amount.Value == 0 })
}

// headroomSet returns a queue's headroom: negative for types of which it uses too much, and without types whose headroom is 0.
func (s *View) headroomSet(q queues.ID) resource.Set {
	var set resource.Set
	tree := s.Queues()
	for t := range s.Types().Len() {
		least, bounded := int64(resource.Most), false
		for p := q; p != queues.None; p = tree.Parent(p) {
			if most := tree.Max(p, t); most != resource.Unlimited {
				least, bounded = min(least, resource.Sub(most, tree.Taken(p, t))), true
			}
		}
		if bounded && least != 0 {
			set = append(set, resource.Quantity{Type: s.Types().Name(t), Value: least, Milli: s.Types().IsMilli(t)})
		}
	}
	return resource.NewSet(set...)
}

func (s *View) dumpNode(n int32) core.NodeDump {
	d := core.NodeDump{
		Partition: s.Shown(), ID: s.Nodes().ID(n), Capacity: s.Types().Set(s.Nodes().Capacity(n), 0), Occupied: s.Types().Set(s.Nodes().Occupied(n), 0), Used: s.Types().Set(s.Nodes().Used(n), 0),
		Attributes: s.Nodes().Attributes(n), Schedulable: s.Nodes().Schedulable(n), Utilisation: s.Nodes().Utilisation(n, s.NodeWeights()), Devices: s.Nodes().Devices(n).Dump(),
	}
	for _, l := range s.nestedLevels() {
		value, has := s.Nodes().Attribute(n, l.Attribute)
		if !has {
			break
		}
		d.Domain = append(d.Domain, core.LevelValue{Level: l.Name, Value: value})
	}
	if r, reserved := s.Reservations().On(n); reserved {
		d.Reserved = s.AskAt(r.Ask).ID()
	}
	if c, claimed := s.Claims().First(n); claimed {
		d.ClaimedBy = s.AskAt(c.Ask).ID()
	}
	for a := s.Asks().FirstOn(n); !a.IsNone(); a = a.NextOnNode() {
		d.Allocations = append(d.Allocations, a.ID())
	}
	return d
}

func (s *View) dumpApp(a app.App) core.AppDump {
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
func (s *View) dumpAppAlone(a app.App) core.AppDump {
	d := core.AppDump{
		Partition: s.Shown(), ID: a.ID(), Queue: s.Queues().Path(state.QueueOfApp(a)), State: a.State().String(), Since: a.Since(), Submitted: a.Submitted(),
		Used: s.Types().Set(a.Used(), 0), Preempted: a.Preempted(),
	}
	if !a.Limits().IsNone() {
		d.Group = a.Limits().Group()
	}
	d.Priority, d.HasPriority = s.highestOf(a)
	return d
}

// highestOf returns the highest priority of an application's pending asks. ok is false if there are none. It is recomputed if the
// queues are not sorted.
func (s *View) highestOf(a app.App) (priority int32, ok bool) {
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
		ID: ask.ID(), Priority: ask.Priority(), Resources: ask.Class().Resources(), Placeholder: ask.IsPlaceholder(), Submitted: ask.Created(), Leaves: ask.Leaving(),
	}
	if !ask.Pending() {
		d.Node, d.Allocated = s.Nodes().ID(ask.Node()), ask.PlacedAt()
		d.Devices = s.DevicesOf(ask)
		if ends := ask.Ends(); ends != instant.Never {
			d.Ends = &ends
		}
	}
	d.Walltime = ask.Walltime().Limit
	d.MinRuntime = s.MinRuntime(ask)
	d.Preempted = ask.Preempted()
	d.Planned = s.PlannedStart(ask)
	if ask.Hold().IsClaimed() {
		d.Claims = s.Nodes().ID(ask.HoldOn())
	}
	if why, leaves := s.Departures().Of(ask.Slot()); leaves {
		d.Leaving = why.Why.For
	} else if why, leaves := s.Replacements().Notice(ask.Slot()); leaves {
		d.Leaving = s.Replacements().For(why)
	}
	return d
}

// waitingOf lists an application's pending asks in the order of the walk. The leaf must be sorted.
func (s *View) waitingOf(a app.App) []app.Ask {
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
