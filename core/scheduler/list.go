package scheduler

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/inspect"
)

// PrepareReads builds the indexes behind lists and explanations, which are kept up to date from then on. This takes time proportional
// to the number of applications and asks. Without it, the first list and the first explanation build them.
func (s *Scheduler) PrepareReads() {
	s.begin("PrepareReads")
	s.indexed()
	for _, p := range s.partitions {
		p.view.PrepareExplanations()
	}
	s.end()
}

// Queues returns a page of the queues. They can be filtered by state.
func (s *Scheduler) Queues(page *core.Page) core.QueueList {
	s.begin("Queues")
	list := inspect.ListQueues(s.views(), page)
	s.end()
	return list
}

// Queue returns the queue with a path. ok is false if there is none. Outside the first partition, the path has the partition as a
// prefix: [gpu]root.a.
func (s *Scheduler) Queue(path string) (d core.QueueDump, ok bool) {
	s.begin("Queue")
	partition, path := core.SplitPath(path)
	if st := s.shared.PartitionNamed(partition); st != nil {
		d, ok = s.partitionOf(st).view.FindQueue(path)
	}
	s.end()
	return d, ok
}

// Nodes returns a page of the nodes. They can be filtered by partition and state.
func (s *Scheduler) Nodes(page *core.Page) core.NodeList {
	s.begin("Nodes")
	list := inspect.ListNodes(s.views(), page)
	s.end()
	return list
}

// Node returns the node with an ID. ok is false if there is none.
func (s *Scheduler) Node(id string) (d core.NodeDump, ok bool) {
	s.begin("Node")
	for i := 0; i < len(s.partitions) && !ok; i++ {
		d, ok = s.partitions[i].view.FindNode(id)
	}
	s.end()
	return d, ok
}

// Apps returns a page of the applications, including terminal ones until they expire. They can be filtered by queue, state, node (those
// with an allocation there) and user. The user of a terminal application is not known.
func (s *Scheduler) Apps(page *core.Page) core.AppList {
	s.begin("Apps")
	list := s.indexed().Apps(s.views(), page)
	s.end()
	return list
}

// App returns the live application with an ID, or else the one that ended last. ok is false if there is none.
func (s *Scheduler) App(id string) (d core.AppItem, ok bool) {
	s.begin("App")
	if st := s.shared.PartitionOfApp(id); st != nil {
		d, ok = s.partitionOf(st).view.FindApp(id), true
	} else {
		d, ok = s.indexed().FindEnded(id)
	}
	s.end()
	return d, ok
}

// Asks returns a page of the asks and allocations. They can be filtered by application, queue, state, node, user and
// gang.
func (s *Scheduler) Asks(page *core.Page) core.AskList {
	s.begin("Asks")
	list := s.indexed().Asks(s.views(), page)
	s.end()
	return list
}

// AtomicGangs returns a page of the atomic gangs. They can be filtered by application, queue, state and user.
func (s *Scheduler) AtomicGangs(page *core.Page) core.GangList {
	s.begin("AtomicGangs")
	list := s.indexed().Gangs(page)
	s.end()
	return list
}

// AtomicGang returns the atomic gang of an application with an ID. ok is false if there is none.
func (s *Scheduler) AtomicGang(app, id string) (d core.GangItem, ok bool) {
	s.begin("AtomicGang")
	if st := s.shared.PartitionOfApp(app); st != nil {
		d, ok = s.partitionOf(st).view.FindGang(app, id)
	}
	s.end()
	return d, ok
}

// TopologyLevels returns the levels of the topologies of all partitions, each from the widest to the narrowest.
func (s *Scheduler) TopologyLevels() []core.TopologyLevel {
	s.begin("TopologyLevels")
	list := inspect.Levels(s.views())
	s.end()
	return list
}

// Windows returns a page of the windows. They can be filtered by partition.
func (s *Scheduler) Windows(page *core.Page) core.WindowList {
	s.begin("Windows")
	list := inspect.ListWindows(s.views(), page)
	s.end()
	return list
}

// Window returns the window with an ID. ok is false if there is none.
func (s *Scheduler) Window(id string) (d core.WindowItem, ok bool) {
	s.begin("Window")
	for i := 0; i < len(s.partitions) && !ok; i++ {
		d, ok = s.partitions[i].view.FindWindow(id)
	}
	s.end()
	return d, ok
}

// Domains returns a page of the domains of the topology. They can be filtered by partition and level.
func (s *Scheduler) Domains(page *core.Page) core.DomainList {
	s.begin("Domains")
	list := inspect.ListDomains(s.views(), page)
	s.end()
	return list
}

// Ask returns the ask or allocation with an ID. ok is false if there is none.
func (s *Scheduler) Ask(id string) (d core.AskItem, ok bool) {
	s.begin("Ask")
	for i := 0; i < len(s.partitions) && !ok; i++ {
		d, ok = s.partitions[i].view.FindAsk(id)
	}
	s.end()
	return d, ok
}

func (s *Scheduler) views() []*inspect.View {
	views := make([]*inspect.View, 0, len(s.partitions))
	for _, p := range s.partitions {
		views = append(views, p.view)
	}
	return views
}

func (s *Scheduler) indexed() *inspect.Index {
	if s.index == nil {
		s.index = inspect.NewIndex(s.views())
	}
	return s.index
}
