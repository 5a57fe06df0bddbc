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
	"github.com/quern-project/quern/core/internal/queue"
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
	if q := s.ByPath[c.Path]; q != nil && q.Live > 0 && q.Leaf() != c.Leaf {
		from, to := "parent", "leaf"
		if q.Leaf() {
			from, to = to, from
		}
		out = append(out, fmt.Sprintf("%s: queues: expected a %s, since %d of its applications are live, found a %s", q.Shown, from, q.Live, to))
	}
	for _, child := range c.Children {
		out = append(out, s.refusals(child)...)
	}
	return out
}

// install installs a configuration: it rebuilds the tree and carries over applications and sums.
func (s *State) install(c *config.Partition, first bool) {
	s.rename(c.Name, first)
	b := builder{s: s, old: s.ByPath, leaves: s.Leaves}
	s.admitLimits(c.Root)
	s.Conf = c
	s.ByPath = map[string]*queue.Queue{}
	s.Leaves, s.freeLeaves = nil, nil
	s.Root = b.build(c.Root, nil)
	s.Root.Max = s.Nodes.Total()
	s.renewLimits()
	b.announce()
	b.forgetTimers()
	s.enforce(c)
	s.recountQuotas()
	s.awaitAllVictims(s.Now)
	s.World++
	s.note(ConfigChanged)
}

// admitLimits registers the resource types that a configuration names.
func (s *State) admitLimits(q *config.Queue) {
	sets := limitedTypes(q)
	if t := q.Template; t != nil {
		sets = append(sets, t.Guaranteed, t.Max)
	}
	if s.Root == nil {
		s.Types.Admit(sets...)
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
	old     map[string]*queue.Queue
	leaves  []*Leaf
	changed []core.Decision // changes of queues' states
}

func (b *builder) build(c *config.Queue, parent *queue.Queue) *queue.Queue {
	q := queue.New(c, parent, b.s.Types)
	if parent == nil {
		q.Shown = core.ShownPath(b.s.Shown, q.Path)
	}
	before := b.old[c.Path]
	if before != nil && before.Leaf() != c.Leaf { // the queue is not in use
		before = nil
	}
	b.revive(before)
	var children []*queue.Queue
	named := make(map[string]bool, len(c.Children))
	for _, child := range c.Children {
		named[child.Path] = true
		children = append(children, b.build(child, q))
	}
	if before != nil {
		for _, child := range before.Children() {
			switch {
			case named[child.Path]:
			case child.Dynamic:
				children = append(children, b.keep(child, q))
			case child.Live > 0:
				children = append(children, b.drain(child, q))
			}
		}
	}
	b.finish(q, before, children)
	if q.Over != nil {
		q.Over.Changed = true
	}
	return q
}

// keep keeps a dynamic queue and all queues below it, with the settings of the current templates.
func (b *builder) keep(before, parent *queue.Queue) *queue.Queue {
	q := queue.New(b.s.settingsOf(before.Conf.Name, parent, b.dynamicOf(before)), parent, b.s.Types)
	q.Dynamic = true
	b.revive(before)
	var children []*queue.Queue
	for _, child := range before.Children() {
		children = append(children, b.keep(child, q))
	}
	b.finish(q, before, children)
	return q
}

// dynamicOf returns the dynamic properties of a leaf, or nil for a parent.
func (b *builder) dynamicOf(q *queue.Queue) *dynamicLeaf {
	if !q.Leaf() {
		return nil
	}
	return b.leaves[q.ID].dynamic
}

// revive records that a queue is no longer draining.
func (b *builder) revive(before *queue.Queue) {
	if before != nil && before.Draining {
		b.note(before.Path, core.QueueDraining, core.QueueActive, core.ReasonQueueRestored)
	}
}

// drain keeps a queue that is in use but not in the configuration, with its last settings.
func (b *builder) drain(before, parent *queue.Queue) *queue.Queue {
	q := queue.New(before.Conf, parent, b.s.Types)
	q.Draining, q.Dynamic = true, before.Dynamic
	if !before.Draining {
		b.note(q.Path, core.QueueActive, core.QueueDraining, core.ReasonQueueRemoved)
	}
	var children []*queue.Queue
	for _, child := range before.Children() {
		if child.Live > 0 {
			children = append(children, b.drain(child, q))
		}
	}
	b.finish(q, before, children)
	return q
}

// finish sets the children or the applications of a queue, and its sums.
func (b *builder) finish(q, before *queue.Queue, children []*queue.Queue) {
	s := b.s
	s.ByPath[q.Path] = q
	if before != nil {
		q.Over = before.Over
	}
	if !q.Leaf() {
		for _, c := range children {
			count(q, c)
		}
		q.Adopt(children, s.order(policy.QueueOrder, q.Conf.QueueSort))
		return
	}
	l := &Leaf{}
	if before != nil {
		l = b.leaves[before.ID]
		count(q, before)
	} else {
		l.Leaf = app.NewLeaf(s.Types)
	}
	if !q.Dynamic {
		l.dynamic = nil
	}
	s.fileLeaf(l, q)
}

// forgetTimers makes the timers of removed leaves void.
func (b *builder) forgetTimers() {
	for _, l := range b.leaves {
		if l != nil && (l.ID >= len(b.s.Leaves) || b.s.Leaves[l.ID] != l) {
			l.forgetTimers()
		}
	}
}

// count adds the sums of a queue to another.
func count(q, from *queue.Queue) {
	q.Used.Add(from.Used)
	q.Waiting.AddSum(from.Waiting)
	q.Asks += from.Asks
	q.Allocations += from.Allocations
	q.Running += from.Running
	q.Live += from.Live
	q.AddFutureUsage(from)
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
	d.Queue, d.From, d.To, d.Reason, d.Partition = path, from, to, reason, s.Shown
}

// enforce installs the policies that a configuration names.
func (s *State) enforce(c *config.Partition) {
	s.Policies.JudgeApps, s.limitIndex = false, nil
	for _, l := range s.Leaves {
		if l == nil {
			continue
		}
		s.enforceLeaf(l, l.Queue.Conf)
	}
	for _, q := range s.ByPath {
		if !q.Leaf() {
			q.SetOrder(s.order(policy.QueueOrder, q.Conf.QueueSort))
		}
	}
	s.Nodes.SetScore(s.scoreOf(c))
	s.enforceFilters()
	s.indexLimitsForRanks()
}

// enforceFilters installs all existing node.filter policies, sorted by name, since no configuration names them.
func (s *State) enforceFilters() {
	var filters []*policy.Acting
	for _, name := range slices.Sorted(maps.Keys(s.Modules.announced)) {
		m := s.Modules.announced[name]
		if m.gone || m.Points[policy.NodeFilter] == nil {
			continue
		}
		k := actingKey{policy.NodeFilter, name}
		if s.Policies.acting[k] == nil {
			a := &policy.Acting{Point: policy.NodeFilter}
			s.actFor(a, m, nil)
			s.Policies.acting[k] = a
		}
		filters = append(filters, s.Policies.acting[k])
	}
	s.Nodes.SetFilters(filters)
	s.Policies.Filtered = len(filters) > 0
}

// retire removes a draining queue that is no longer in use, and its draining parents that are left empty.
func (s *State) retire(q *queue.Queue) {
	for q.Draining && q.Live == 0 && q.NumChildren() == 0 {
		q = s.endQueue(q)
	}
}

// PendingBySubmission returns all pending asks in order of submission.
func (s *State) PendingBySubmission() []app.Ask {
	var list []app.Ask
	for ask := range s.Asks.All {
		if ask.Pending() {
			list = append(list, ask)
		}
	}
	sortBySeq(list)
	return list
}
