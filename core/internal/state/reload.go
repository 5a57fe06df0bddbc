package state

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/policy"
)

// lines returns the errors of a configuration, one text each.
func lines(err error) []string {
	var all config.Errors
	if !errors.As(err, &all) {
		return []string{err.Error()}
	}
	out := make([]string, 0, len(all))
	for _, e := range all {
		out = append(out, e.Error())
	}
	return out
}

// refusals returns errors for the queues in use whose kind a configuration would change.
func (s *State) refusals(c *config.Queue) []string {
	var out []string
	tree := s.Queues()
	if q := tree.Find(c.Path); q != queues.None && tree.Live(q) > 0 && tree.IsLeaf(q) != c.Leaf {
		from, to := "parent", "leaf"
		if tree.IsLeaf(q) {
			from, to = to, from
		}
		out = append(out, fmt.Sprintf("%s: queues: expected a %s, since %d of its applications are live, found a %s", tree.Shown(q), from, tree.Live(q), to))
	}
	for _, child := range c.Children {
		out = append(out, s.refusals(child)...)
	}
	return out
}

// install installs a configuration: it rebuilds the tree and carries over applications and sums.
func (s *State) install(c *config.Partition, first bool) {
	s.rename(c.Name, first)
	s.useDeviceTypes()
	s.admitLimits(c.Root)
	before := s.conf
	c = s.withMadeLevels(c)
	s.conf = c
	s.queues.SetPrefix(core.ShownPath(s.shown, ""))
	b := builder{s: s, tree: s.Queues(), rebuild: s.queues.Rebuild()}
	b.build(c.Root, queues.None)
	s.queues.SetTotal(s.finder.Total())
	b.forgetQueues()
	s.renewLimits()
	b.announce()
	s.enforce(c)
	s.renewTopologies(before)
	s.renewAging()
	s.recountQuotas()
	s.renewBudgets()
	s.awaitAllVictims(s.now)
	s.timeAccumulation(s.now)
	s.shrinkEpoch++
	s.Slipped(SlipCapacity)
	s.note(ConfigChanged)
}

// admitLimits registers the resource types that a configuration names.
func (s *State) admitLimits(q *config.Queue) {
	sets := limitedTypes(q)
	if t := q.Template; t != nil {
		sets = append(sets, t.Guaranteed, t.Max)
	}
	if s.Queues().Root() == queues.None {
		s.types.Admit(sets...)
	} else {
		s.admit(sets...)
	}
	for _, child := range q.Children {
		s.admitLimits(child)
	}
}

// builder builds the tree of a configuration, and carries over the contents of the current tree.
type builder struct {
	s       *State
	tree    queues.View
	rebuild *queues.Rebuild
	changed []core.Decision // changes of queues' states
}

// build adds a configured queue and all queues below it.
func (b *builder) build(c *config.Queue, parent queues.ID) {
	before := b.rebuild.Before(c.Path)
	if before != queues.None && b.tree.IsLeaf(before) != c.Leaf { // the queue is not in use
		before = queues.None
	}
	b.revive(before)
	below := b.below(before)
	q := b.put(before, c, parent, queues.Kind{})
	named := make(map[string]bool, len(c.Children))
	for _, child := range c.Children {
		named[child.Path] = true
		b.build(child, q)
	}
	for _, child := range below {
		switch {
		case named[b.tree.Path(child)]:
		case b.tree.IsDynamic(child):
			b.keep(child, q)
		case b.tree.Live(child) > 0:
			b.drain(child, q)
		}
	}
	b.finish(q)
	if o, over := b.tree.Over(q); over {
		o.Changed = true
		b.s.queues.SetOver(q, o)
	}
}

// below lists the children of a queue of the old tree.
func (b *builder) below(before queues.ID) []queues.ID {
	if before == queues.None {
		return nil
	}
	return slices.Collect(b.tree.Children(before))
}

// keep keeps a dynamic queue and all queues below it, with the settings of the current templates.
func (b *builder) keep(before, parent queues.ID) {
	b.revive(before)
	below := b.below(before)
	q := b.put(before, b.s.settingsOf(b.tree.Conf(before).Name, parent, b.dynamicOf(before)), parent, queues.Kind{Dynamic: true})
	for _, child := range below {
		b.keep(child, q)
	}
	b.finish(q)
}

// dynamicOf returns the dynamic properties of a leaf, or nil for a parent.
func (b *builder) dynamicOf(q queues.ID) *dynamicLeaf {
	if !b.tree.IsLeaf(q) {
		return nil
	}
	return b.s.leaves[q].dynamic
}

// revive records that a queue is no longer draining.
func (b *builder) revive(before queues.ID) {
	if before != queues.None && b.tree.IsDraining(before) {
		b.note(b.tree.Path(before), core.QueueDraining, core.QueueActive, core.ReasonQueueRestored)
	}
}

// drain keeps a queue that is in use but not in the configuration, with its last settings.
func (b *builder) drain(before, parent queues.ID) {
	if !b.tree.IsDraining(before) {
		b.note(b.tree.Path(before), core.QueueActive, core.QueueDraining, core.ReasonQueueRemoved)
	}
	below := b.below(before)
	q := b.put(before, b.tree.Conf(before), parent, queues.Kind{Dynamic: b.tree.IsDynamic(before), Draining: true})
	for _, child := range below {
		if b.tree.Live(child) > 0 {
			b.drain(child, q)
		}
	}
	b.finish(q)
}

// put adds a queue to the new tree, in place of a queue of the old one unless that is None. A leaf keeps its applications.
func (b *builder) put(before queues.ID, c *config.Queue, parent queues.ID, kind queues.Kind) queues.ID {
	q := b.rebuild.Put(before, c, parent, kind)
	if before == queues.None {
		delete(b.s.budgets, q)
	}
	switch {
	case !c.Leaf:
	case before == queues.None:
		b.s.fileLeaf(&leaf{OwnedLeaf: app.NewLeaf(b.s.types)}, q)
	case !kind.Dynamic:
		b.s.leaves[q].dynamic = nil
	}
	return q
}

// finish adds the sums of a queue, which has all its children, to its parent.
func (b *builder) finish(q queues.ID) {
	if b.tree.Parent(q) != queues.None {
		b.rebuild.Count(q)
	}
}

// forgetQueues ends the old tree, and makes the timers of removed leaves void.
func (b *builder) forgetQueues() {
	for _, q := range b.rebuild.End() {
		delete(b.s.budgets, q)
		if b.tree.IsLeaf(q) {
			b.s.unfileLeaf(q)
		}
	}
}

func (b *builder) note(path, from, to string, reason core.Reason) {
	b.changed = append(b.changed, core.Decision{Queue: path, From: from, To: to, Reason: reason})
}

// announce emits the changes of queues' states, by path.
func (b *builder) announce() {
	sort.Slice(b.changed, func(i, j int) bool { return b.changed[i].Queue < b.changed[j].Queue })
	for _, c := range b.changed {
		b.s.queueState(c.Queue, c.From, c.To, c.Reason)
	}
}

func (s *State) queueState(path, from, to string, reason core.Reason) {
	d := s.emit(core.QueueState)
	d.Queue, d.From, d.To, d.Reason, d.Partition = path, from, to, reason, s.shown
}

// enforce installs the policies that a configuration names.
func (s *State) enforce(c *config.Partition) {
	s.enforceQueues()
	s.setTopology()
	s.finder.SetScore(s.scoreOf(c))
	s.enforceFilters()
	s.indexLimitsForRanks()
}

// enforceQueues installs the policies that the settings of queues name.
func (s *State) enforceQueues() {
	s.policies.JudgeApps, s.limitIndex = false, nil
	for q := range s.Queues().All {
		if conf := s.Queues().Conf(q); conf.Leaf {
			s.enforceLeaf(s.leaves[q], conf)
		} else {
			s.order(policy.QueueOrder, conf.QueueSort)
		}
	}
}

// enforceFilters installs all existing node.filter policies, sorted by name, since no configuration names them.
func (s *State) enforceFilters() {
	var filters []*policy.Acting
	for _, name := range slices.Sorted(maps.Keys(s.modules.announced)) {
		m := s.modules.announced[name]
		if m.gone || m.Points[policy.NodeFilter] == nil {
			continue
		}
		k := actingKey{policy.NodeFilter, name}
		if s.policies.acting[k] == nil {
			a := &policy.Acting{Point: policy.NodeFilter}
			s.actFor(a, m, nil)
			s.policies.acting[k] = a
		}
		filters = append(filters, s.policies.acting[k])
	}
	s.finder.SetFilters(filters)
	s.policies.Filtered = len(filters) > 0
}

// retire removes a draining queue that is no longer in use, and its draining parents that are left empty.
func (s *State) retire(q queues.ID) {
	for tree := s.Queues(); tree.IsDraining(q) && tree.Live(q) == 0 && tree.NumChildren(q) == 0; {
		q = s.endQueue(q)
	}
}

// QueueOrder returns the policy that orders the children of a queue.
func (s *State) QueueOrder(q queues.ID) *policy.Acting {
	return s.policies.acting[actingKey{policy.QueueOrder, s.Queues().Conf(q).QueueSort}]
}

// PendingBySubmission returns all pending asks in order of submission.
func (s *State) PendingBySubmission() []app.Ask {
	list := make([]app.Ask, 0, s.Queues().Asks(s.Queues().Root()))
	for ask := range s.Pending {
		list = append(list, ask)
	}
	sortBySeq(list)
	return list
}

// Pending yields the pending asks, in an order without meaning. The time does not depend on the number of allocations.
func (s *State) Pending(yield func(app.Ask) bool) {
	for a := range s.orders.Apps {
		more := true
		a.Pending(func(ask app.Ask) bool {
			more = yield(ask)
			return more
		})
		if !more {
			return
		}
	}
}
