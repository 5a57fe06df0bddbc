package scheduler

import (
	"fmt"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/inspect"
	"github.com/quern-project/quern/core/nearest"
	"github.com/quern-project/quern/core/resource"
)

// Dump reads the whole state.
func (s *Scheduler) Dump() core.Dump { return s.Read(core.Everything) }

// Read reads some parts of the state; the lists of the others stay empty.
func (s *Scheduler) Read(parts core.Parts) core.Dump {
	s.begin("Read")
	d := inspect.Read(s.views(), parts)
	s.end()
	return d
}

// Totals reads sums over nodes and queues.
func (s *Scheduler) Totals() core.Totals {
	s.begin("Totals")
	t := inspect.Totals(s.views())
	s.end()
	return t
}

// LimitUsage lists what users and groups use in the queues that limit them: by partition in the order of the configuration, by
// queue, users before groups, by name.
func (s *Scheduler) LimitUsage() []core.LimitUsage {
	s.begin("LimitUsage")
	var list []core.LimitUsage
	for _, p := range s.partitions {
		list = append(list, p.view.LimitUsage()...)
	}
	s.end()
	return list
}

// Limited reports whether any queue limits users or groups. Where none does, AppLimits need not be asked.
func (s *Scheduler) Limited() bool {
	s.begin("Limited")
	limited := false
	for _, p := range s.partitions {
		limited = limited || p.view.Limited()
	}
	s.end()
	return limited
}

// AppLimits lists what counts against the limits that hold for a live application, its user's and its group's, from its leaf to root:
// as LimitUsage, but in the types that a limit bounds alone, with the room that is kept for asks.
func (s *Scheduler) AppLimits(id string) []core.LimitUsage {
	s.begin("AppLimits")
	list := s.partitionOf(s.shared.PartitionOfApp(id)).view.AppLimits(id)
	s.end()
	return list
}

// ExplainAsk says why an ask waits, or where it is; ok is false when no ask has the ID.
func (s *Scheduler) ExplainAsk(id string) (e explain.AskExplanation, ok bool) {
	s.begin("ExplainAsk")
	e, ok = s.partitionOf(s.shared.PartitionOfAsk(id)).view.ExplainAsk(id)
	s.end()
	return e, ok
}

// ExplainApp says why an application waits; ok is false when no live application has the ID.
func (s *Scheduler) ExplainApp(id string) (e explain.AppExplanation, ok bool) {
	s.begin("ExplainApp")
	e, ok = s.partitionOf(s.shared.PartitionOfApp(id)).view.ExplainApp(id)
	s.end()
	return e, ok
}

// ExplainQueue says how a queue stands; ok is false when no queue has the path. Outside the first partition its name stands
// before the path, as in [gpu]root.a.
func (s *Scheduler) ExplainQueue(path string) (e explain.QueueExplanation, ok bool) {
	s.begin("ExplainQueue")
	partition, path := core.SplitPath(path)
	if st := s.shared.PartitionNamed(partition); st != nil {
		e, ok = s.partitionOf(st).view.ExplainQueue(path)
	}
	s.end()
	return e, ok
}

// WaitReason is the first reason for which the next ask of a leaf waits, as ExplainQueue has it, at a fraction of its cost.
func (s *Scheduler) WaitReason(path string) core.Reason {
	s.begin("WaitReason")
	reason := explain.WaitNothingPending
	partition, path := core.SplitPath(path)
	if st := s.shared.PartitionNamed(partition); st != nil {
		reason = s.partitionOf(st).view.WaitReason(path)
	}
	s.end()
	return reason
}

// ExplainPreemption says which allocations a pending ask would preempt, and why these, or which law bars it; ok is false
// when no pending ask has the ID. Nothing changes, and no policy is asked.
func (s *Scheduler) ExplainPreemption(id string) (e explain.PreemptionExplanation, ok bool) {
	s.begin("ExplainPreemption")
	e, ok = s.partitionOf(s.shared.PartitionOfAsk(id)).view.ExplainPreemption(id)
	s.end()
	return e, ok
}

// ExplainPlacement says where an application would go, given the app.add that would bring it, and what each placement rule
// comes to. Nothing changes.
func (s *Scheduler) ExplainPlacement(in *core.AddApp) explain.PlacementExplanation {
	s.begin("ExplainPlacement")
	st := s.shared.PartitionNamed(in.Partition)
	if st == nil {
		s.end()
		return explain.PlacementExplanation{Reason: core.ReasonUnknownPartition, Text: fmt.Sprintf("Refused: there is no partition %q.", in.Partition)}
	}
	e := s.partitionOf(st).view.ExplainPlacement(in)
	s.end()
	return e
}

// Access says whether a user may submit to a queue and administer it, and by which list; ok is false when no queue has the
// path, which is as in ExplainQueue. The core itself asks only when an application is submitted.
func (s *Scheduler) Access(queue, user string, groups []string) (e explain.AccessExplanation, ok bool) {
	s.begin("Access")
	partition, queue := core.SplitPath(queue)
	if st := s.shared.PartitionNamed(partition); st != nil {
		e, ok = s.partitionOf(st).view.ExplainAccess(queue, user, groups)
	}
	s.end()
	return e, ok
}

// ExplainMax says what a queue would release by preemption by quota if it had another max, which replaces its own as a whole; ok
// is false when no queue has the path. Nothing changes.
func (s *Scheduler) ExplainMax(path string, limit resource.Set) (e explain.MaxExplanation, ok bool) {
	s.begin("ExplainMax")
	partition, path := core.SplitPath(path)
	if st := s.shared.PartitionNamed(partition); st != nil {
		e, ok = s.partitionOf(st).view.ExplainMax(path, limit)
	}
	s.end()
	return e, ok
}

// ConfigSource is the text that the configuration in force came from; empty: there has been none, and one leaf queue, root.default.
func (s *Scheduler) ConfigSource() core.ConfigSource { return s.shared.Source }

// Predicates lists the host predicates that asks have wanted since they were last removed, by name.
func (s *Scheduler) Predicates() []string { return s.shared.Predicates() }

// Names lists, each sorted, the resource types that nodes, asks and configurations have named, and the host predicates that asks name or
// that were evaluated since they were last removed. A scheduler never forgets a resource type: a host that reads inputs of strangers has
// to bound them.
func (s *Scheduler) Names() (types, predicates []string) { return s.shared.Names() }

// PolicyUses lists the policies that exist, by name.
func (s *Scheduler) PolicyUses() []core.PolicyUse { return s.shared.PolicyUses() }

// HasType reports whether a node, an ask or a configuration has named a resource type.
func (s *Scheduler) HasType(name string) bool { return s.shared.HasType(name) }

// Meant lists the names of a kind that are the most like one that is not known, the nearest first; few or none. It looks at
// all names, but of a part of the asks where there are very many.
func (s *Scheduler) Meant(kind core.Thing, name string) []string {
	s.begin("Meant")
	search := nearest.For(name)
	for _, p := range s.partitions {
		switch kind {
		case core.AskThing:
			p.view.LikeAsk(search)
		case core.AppThing:
			p.view.LikeApp(search)
		case core.QueueThing:
			p.view.LikeQueue(search)
		case core.NodeThing:
			p.view.LikeNode(search)
		}
	}
	s.end()
	return search.Found()
}
