package inspect

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/state/aged"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// Totals returns sums over all partitions, in the order of the configuration.
func Totals(views []*View) (t core.Totals) {
	for _, s := range views {
		for n := range s.Nodes().Sorted().All {
			t.Nodes++
			if !s.Nodes().Schedulable(n) {
				t.Drained++
			}
		}
		s.queueTotals(s.Queues().Root(), &t.Queues)
		s.addMost(&t.Most)
		t.Plans = append(t.Plans, core.PlanTotals{Partition: s.Name(), Planned: s.PlannedStarts()})
	}
	return t
}

func (s *View) queueTotals(q queues.ID, out *[]core.QueueTotals) {
	tree := s.Queues()
	t := core.QueueTotals{Queue: tree.Shown(q), Leaf: tree.IsLeaf(q), Depth: tree.Depth(q),
		Used: s.Types().Set(tree.AllUsed(q), 0), Guaranteed: withoutZeros(tree.Conf(q).Guaranteed), Max: tree.Conf(q).Max, Pending: s.Types().Set(tree.AllWaiting(q), 0),
		PendingAsks: tree.Asks(q), Allocations: tree.Allocations(q), Applications: tree.Live(q), Running: tree.Running(q)}
	if tree.Parent(q) == queues.None {
		t.Max = s.total()
	}
	if t.Ages = s.AgedOf(q) != aged.None; t.Ages {
		t.AgedShare = s.AgedShare(q)
	}
	*out = append(*out, t)
	for child := range tree.Children(q) {
		s.queueTotals(child, out)
	}
}

// addMost replaces what was preempted most often so far, if something of the partition was preempted more often.
func (s *View) addMost(most *core.MostPreempted) {
	if ask, times := s.MostPreempted(); times > most.Times {
		most.Ask, most.Times = ask.ID(), times
	}
	if a, times := s.Apps().MostPreempted(); times > most.AppTimes {
		most.App, most.AppTimes = s.Apps().ID(a), times
	}
}
