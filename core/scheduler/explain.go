package scheduler

import (
	"fmt"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/inspect"
	"github.com/quern-project/quern/core/nearest"
	"github.com/quern-project/quern/core/resource"
)

// Dump returns the whole state.
func (s *Scheduler) Dump() core.Dump { return s.Read(core.Everything) }

// Read returns the selected parts of the state. The lists of other parts stay empty.
func (s *Scheduler) Read(parts core.Parts) core.Dump {
	s.begin("Read")
	d := inspect.Read(s.views(), parts)
	s.end()
	return d
}

// Totals returns sums over nodes and queues.
func (s *Scheduler) Totals() core.Totals {
	s.begin("Totals")
	t := inspect.Totals(s.views())
	s.end()
	return t
}

// Gangs returns the atomic gangs that have members, in the order of their first members.
func (s *Scheduler) Gangs() []core.GangDump {
	s.begin("Gangs")
	gangs := inspect.Gangs(s.views())
	s.end()
	return gangs
}

// LimitUsage lists the usage of users and groups in the queues that limit them: by partition in the order of the configuration, then by
// queue, users before groups, then by name.
func (s *Scheduler) LimitUsage() []core.LimitUsage {
	s.begin("LimitUsage")
	var list []core.LimitUsage
	for _, p := range s.partitions {
		list = append(list, p.view.LimitUsage()...)
	}
	s.end()
	return list
}

// Limited reports whether any queue has user or group limits. If not, AppLimits is always empty.
func (s *Scheduler) Limited() bool {
	s.begin("Limited")
	limited := false
	for _, p := range s.partitions {
		limited = limited || p.view.Limited()
	}
	s.end()
	return limited
}

// AppLimits lists the limits of a live application's user and group, with their usage, from its leaf to root. Unlike in LimitUsage,
// usage contains only the types that the limit bounds, and includes the claims of asks.
func (s *Scheduler) AppLimits(id string) []core.LimitUsage {
	s.begin("AppLimits")
	list := s.partitionOf(s.shared.PartitionOfApp(id)).view.AppLimits(id)
	s.end()
	return list
}

// ExplainAsk explains why an ask waits, or where it runs. ok is false if no ask or recent victim has the ID.
func (s *Scheduler) ExplainAsk(id string) (e explain.AskExplanation, ok bool) {
	s.begin("ExplainAsk")
	e, ok = s.partitionOf(s.shared.PartitionOfAsk(id)).view.ExplainAsk(id)
	s.end()
	return e, ok
}

// ExplainApp explains why an application waits. ok is false if no live application has the ID.
func (s *Scheduler) ExplainApp(id string) (e explain.AppExplanation, ok bool) {
	s.begin("ExplainApp")
	e, ok = s.partitionOf(s.shared.PartitionOfApp(id)).view.ExplainApp(id)
	s.end()
	return e, ok
}

// ExplainQueue describes a queue and explains why its first pending ask waits. ok is false if no queue has the path. Outside the first
// partition, the path has the partition as a prefix: [gpu]root.a.
func (s *Scheduler) ExplainQueue(path string) (e explain.QueueExplanation, ok bool) {
	s.begin("ExplainQueue")
	partition, path := core.SplitPath(path)
	if st := s.shared.PartitionNamed(partition); st != nil {
		e, ok = s.partitionOf(st).view.ExplainQueue(path)
	}
	s.end()
	return e, ok
}

// WaitReason returns the first reason why the first pending ask of a leaf waits, like ExplainQueue, at a fraction of the cost.
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

// ExplainPreemption explains which allocations a pending ask would preempt and why these, or which law prevents it. ok is false if no
// pending ask has the ID. The state is unchanged, and no policy is asked.
func (s *Scheduler) ExplainPreemption(id string) (e explain.PreemptionExplanation, ok bool) {
	s.begin("ExplainPreemption")
	e, ok = s.partitionOf(s.shared.PartitionOfAsk(id)).view.ExplainPreemption(id)
	s.end()
	return e, ok
}

// ExplainWindow explains when a window opens, for whom, and who is on its nodes. ok is false if no window has the ID.
func (s *Scheduler) ExplainWindow(id string) (e explain.WindowExplanation, ok bool) {
	s.begin("ExplainWindow")
	for i := 0; i < len(s.partitions) && !ok; i++ {
		e, ok = s.partitions[i].view.ExplainWindow(id)
	}
	s.end()
	return e, ok
}

// Consolidate says which moves of allocations would make room for a waiting ask or, if it waits with an atomic gang, for the gang. ok is false
// if no ask has the ID. The state is unchanged, and no policy is asked.
func (s *Scheduler) Consolidate(id string) (e explain.Consolidation, ok bool) {
	s.begin("Consolidate")
	e, ok = s.partitionOf(s.shared.PartitionOfAsk(id)).view.Consolidate(id)
	s.end()
	return e, ok
}

// GangMember returns the ID of the first pending member of an atomic gang or, if all are allocated, of any member. It is empty if the
// application has no such gang.
func (s *Scheduler) GangMember(app, gang string) string {
	s.begin("GangMember")
	id := s.partitionOf(s.shared.PartitionOfApp(app)).view.GangMember(app, gang)
	s.end()
	return id
}

// ExplainPlacement explains in which queue the application of an app.add would be placed, and the result of each placement rule. The
// state is unchanged.
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

// Access explains whether a user may submit to a queue and administer it, and which access list permits it. ok is false if no queue has
// the path, which has the form of ExplainQueue's. The scheduler itself checks access only when an application is submitted.
func (s *Scheduler) Access(queue, user string, groups []string) (e explain.AccessExplanation, ok bool) {
	s.begin("Access")
	partition, queue := core.SplitPath(queue)
	if st := s.shared.PartitionNamed(partition); st != nil {
		e, ok = s.partitionOf(st).view.ExplainAccess(queue, user, groups)
	}
	s.end()
	return e, ok
}

// ExplainMax explains which allocations a queue would release by quota preemption if limit replaced its whole max. ok is false if no
// queue has the path. The state is unchanged.
func (s *Scheduler) ExplainMax(path string, limit resource.Set) (e explain.MaxExplanation, ok bool) {
	s.begin("ExplainMax")
	partition, path := core.SplitPath(path)
	if st := s.shared.PartitionNamed(partition); st != nil {
		e, ok = s.partitionOf(st).view.ExplainMax(path, limit)
	}
	s.end()
	return e, ok
}

// ConfigSource returns the text of the configuration in force. It is empty before the first configuration; there is then one leaf
// queue, root.default.
func (s *Scheduler) ConfigSource() core.ConfigSource { return s.shared.Source() }

// DeviceTypes lists the names of the device types in force, bytewise. Their amounts are in thousandths.
func (s *Scheduler) DeviceTypes() []string { return s.shared.DeviceTypes() }

// Predicates lists the host predicates that asks have named since the predicates were last removed, by name.
func (s *Scheduler) Predicates() []string { return s.shared.Predicates() }

// Names lists, each sorted, the resource types named by nodes, asks and configurations, and the host predicates that asks name or that
// were evaluated since they were last removed. A scheduler never forgets a resource type, so a host with untrusted inputs must limit
// them.
func (s *Scheduler) Names() (types, predicates []string) { return s.shared.Names() }

// PolicyUses lists the announced policies, by name.
func (s *Scheduler) PolicyUses() []core.PolicyUse { return s.shared.PolicyUses() }

// HasType reports whether a node, an ask or a configuration has named a resource type.
func (s *Scheduler) HasType(name string) bool { return s.shared.HasType(name) }

// SuggestNames suggests known names of a kind for an unknown name, the most similar first. There are few or none. All names are compared,
// except that if there are very many asks, only some are.
func (s *Scheduler) SuggestNames(kind core.ObjectKind, name string) []string {
	s.begin("SuggestNames")
	search := nearest.For(name)
	for _, p := range s.partitions {
		switch kind {
		case core.AskKind:
			p.view.LikeAsk(search)
		case core.AppKind:
			p.view.LikeApp(search)
		case core.QueueKind:
			p.view.LikeQueue(search)
		case core.NodeKind:
			p.view.LikeNode(search)
		case core.WindowKind:
			p.view.LikeWindow(search)
		}
	}
	s.end()
	return search.Found()
}
