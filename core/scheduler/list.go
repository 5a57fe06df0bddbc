package scheduler

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/inspect"
)

// PrepareReads makes what applications and asks are listed from and allocations are counted by in explanations, which costs as much as
// there is of them, and keeps it up to date from then on. The first list and the first explanation do so otherwise.
func (s *Scheduler) PrepareReads() {
	s.begin("PrepareReads")
	s.indexed()
	for _, p := range s.partitions {
		p.view.PrepareExplanations()
	}
	s.end()
}

// Queues reads a part of the queues. They can be selected by state.
func (s *Scheduler) Queues(page *core.Page) core.QueueList {
	s.begin("Queues")
	list := inspect.ListQueues(s.views(), page)
	s.end()
	return list
}

// Queue reads one queue; ok is false when none has the path. Outside the first partition its name stands before the path, as in
// [gpu]root.a.
func (s *Scheduler) Queue(path string) (d core.QueueDump, ok bool) {
	s.begin("Queue")
	partition, path := core.SplitPath(path)
	if st := s.shared.PartitionNamed(partition); st != nil {
		d, ok = s.partitionOf(st).view.FindQueue(path)
	}
	s.end()
	return d, ok
}

// Nodes reads a part of the nodes. They can be selected by partition and state.
func (s *Scheduler) Nodes(page *core.Page) core.NodeList {
	s.begin("Nodes")
	list := inspect.ListNodes(s.views(), page)
	s.end()
	return list
}

// Node reads one node; ok is false when none has the ID.
func (s *Scheduler) Node(id string) (d core.NodeDump, ok bool) {
	s.begin("Node")
	for i := 0; i < len(s.partitions) && !ok; i++ {
		d, ok = s.partitions[i].view.FindNode(id)
	}
	s.end()
	return d, ok
}

// Apps reads a part of the applications, terminal ones among them until they expire. They can be selected by queue, state, node
// (on which they have an allocation) and user, which is not known of terminal ones.
func (s *Scheduler) Apps(page *core.Page) core.AppList {
	s.begin("Apps")
	list := s.indexed().Apps(s.views(), page)
	s.end()
	return list
}

// App reads one application; ok is false when none has the ID. Of several it is the live one, or the one that ended last.
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

// Asks reads a part of the asks, pending and allocated. They can be selected by application, queue, state, node and user.
func (s *Scheduler) Asks(page *core.Page) core.AskList {
	s.begin("Asks")
	list := s.indexed().Asks(s.views(), page)
	s.end()
	return list
}

// Ask reads one ask; ok is false when none has the ID.
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
