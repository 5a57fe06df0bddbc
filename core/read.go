package core

import (
	"maps"
	"slices"
	"sort"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// Dump reads the whole state.
func (s *Scheduler) Dump() Dump { return s.Read(Everything) }

// Read reads some parts of the state; the lists of the others stay empty.
func (s *Scheduler) Read(parts Parts) Dump {
	s.look()
	d := Dump{Now: s.now, Total: s.types.Set(s.nodes.Total(), 0), NodeSort: s.conf.NodeSort.Policy}
	if parts&OfQueues != 0 {
		s.dumpQueue(s.root, &d.Queues)
	}
	if parts&OfNodes != 0 {
		for _, n := range s.nodes.Sorted() {
			d.Nodes = append(d.Nodes, s.dumpNode(n))
		}
	}
	if parts&OfApplications != 0 {
		d.Applications = s.dumpApps()
	}
	return d
}

// look brings the orders up to date for reading. With policy modules in force they stay as the last cycle left them:
// asking a module is the cycle's to do, since answers are counted and may have to be recorded.
func (s *Scheduler) look() {
	if len(s.policies.modules)+len(s.policies.hosts) == 0 {
		s.sync(s.root)
		s.measureAnew(s.root)
	}
}

// measureAnew sorts by the cluster's total as it is now, wherever something waits; the walk does so only where it comes by.
func (s *Scheduler) measureAnew(q *queue.Queue) {
	if q.Leaf() {
		s.refresh(s.leaves[q.ID])
		return
	}
	q.Sync(&s.wide)
	q.Each(func(child *queue.Queue) bool {
		s.measureAnew(child)
		return true
	})
}

// dumpApps reads the applications in order of submission.
func (s *Scheduler) dumpApps() []AppDump {
	type entry struct {
		seq uint64
		AppDump
	}
	var list []entry
	for _, a := range s.apps {
		list = append(list, entry{a.Seq, s.dumpApp(a)})
	}
	for _, e := range s.ended {
		list = append(list, entry{e.Seq, AppDump{ID: e.ID, Queue: e.Queue, State: e.State, Submitted: e.Submitted}})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].seq < list[j].seq })
	out := make([]AppDump, 0, len(list))
	for _, e := range list {
		out = append(out, e.AppDump)
	}
	return out
}

func (s *Scheduler) dumpQueue(q *queue.Queue, out *[]QueueDump) {
	*out = append(*out, s.readQueue(q))
	for _, child := range q.Children {
		s.dumpQueue(child, out)
	}
}

// readQueue describes one queue.
func (s *Scheduler) readQueue(q *queue.Queue) QueueDump {
	d := QueueDump{
		Path: q.Path, Leaf: q.Leaf(), State: q.State(QueueActive, QueueDraining),
		Used: s.types.Set(q.Used, 0), Pending: s.types.Set(q.Waiting.Vec(), 0), Guaranteed: withoutZeros(q.Conf.Guaranteed), Max: q.Conf.Max,
		Headroom: s.headroomSet(q), PendingAsks: q.Asks, Allocations: q.Allocations,
		Applications: q.Live, Running: q.Running, MaxRunning: q.Conf.MaxApplications, FairShare: q.FairShare(s.nodes.Total()),
		AppSort: q.Conf.AppSort, Properties: maps.Clone(q.Conf.Inherited),
	}
	if q.Parent == nil {
		d.Max = s.types.Set(s.nodes.Total(), 0)
	}
	d.Leaving = s.leavingOf(q)
	d.Priority, d.HasPriority = s.highest(q)
	return d
}

// leavingOf is what victims use in a queue that are to leave.
func (s *Scheduler) leavingOf(q *queue.Queue) resource.Set {
	var set resource.Set
	for t := range s.types.Len() {
		if amount := q.Leaves(t); amount != 0 {
			set = append(set, resource.Quantity{Type: s.types.Name(t), Value: amount})
		}
	}
	return resource.NewSet(set...)
}

// highest counts a queue's priority anew, as its parent sees it; ok is false when nothing waits in it.
func (s *Scheduler) highest(q *queue.Queue) (priority int32, ok bool) {
	count := func(p int32, waits bool) {
		if waits && (!ok || p > priority) {
			priority, ok = p, true
		}
	}
	if q.Leaf() {
		s.leaves[q.ID].Apps(func(a *app.App) bool { count(a.Highest()); return true })
	}
	for _, child := range q.Children {
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

// headroomSet is a queue's headroom, without the types of which there is neither any nor a lack.
func (s *Scheduler) headroomSet(q *queue.Queue) resource.Set {
	var set resource.Set
	for t := range s.types.Len() {
		least, bounded := int64(resource.Most), false
		for p := q; p != nil; p = p.Parent {
			if p.Max[t] != resource.Unlimited {
				least, bounded = min(least, resource.Sub(p.Max[t], p.Taken(t))), true
			}
		}
		if bounded && least != 0 {
			set = append(set, resource.Quantity{Type: s.types.Name(t), Value: least})
		}
	}
	return resource.NewSet(set...)
}

func (s *Scheduler) dumpNode(n *node.Node) NodeDump {
	d := NodeDump{
		ID: n.ID, Capacity: s.types.Set(n.Capacity, 0), Occupied: s.types.Set(n.Occupied, 0), Used: s.types.Set(n.Used, 0),
		Attributes: maps.Clone(n.Attributes), Schedulable: n.Schedulable, Utilisation: s.nodes.Utilisation(n, weightsOf(s.conf)),
	}
	r := s.local[n.Slot]
	if r.holder != nil {
		d.Reserved = r.holder.ID
	}
	if r.claim != nil {
		d.Kept = r.claim.ask.ID
	}
	for a := r.placed.First; a != nil; a = a.Next(app.OnNode) {
		d.Allocations = append(d.Allocations, a.ID)
	}
	return d
}

func (s *Scheduler) dumpApp(a *app.App) AppDump {
	d := AppDump{
		ID: a.ID, Queue: s.leaves[a.Leaf.ID].queue.Path, State: a.State, Submitted: a.Submitted,
		Used: s.types.Set(a.Used, 0),
	}
	d.Priority, d.HasPriority = a.Highest()
	for _, ask := range s.waitingOf(a) {
		d.Asks = append(d.Asks, s.dumpAsk(ask))
	}
	for ask := a.Placed.First; ask != nil; ask = ask.Next(app.OfApp) {
		d.Asks = append(d.Asks, s.dumpAsk(ask))
	}
	return d
}

func (s *Scheduler) dumpAsk(ask *app.Ask) AskDump {
	d := AskDump{ID: ask.ID, Priority: ask.Priority, Resources: ask.Class.Resources, Submitted: ask.Created}
	if !ask.Pending() {
		d.Node, d.Allocated = s.nodes.At(ask.Node).ID, ask.PlacedAt
	}
	if ask.Keeps != app.NoNode {
		d.Kept = s.nodes.At(ask.Keeps).ID
	}
	if ask.Leaving {
		d.Leaving = s.leaving[ask].Why.For
	}
	return d
}

// waitingOf lists an application's pending asks in the order of the walk; the leaf is in sync.
func (s *Scheduler) waitingOf(a *app.App) []*app.Ask {
	list := s.pendingOf(a)
	slices.SortStableFunc(list, func(x, y *app.Ask) int {
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
