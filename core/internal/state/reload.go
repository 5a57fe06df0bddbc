package state

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/api"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/policy"
)

// ConfigSource is the text that the configuration in force came from.
type ConfigSource struct {
	Text, Format, File string
}

// lines lists the errors of a configuration, one text each.
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

// refusals lists the queues whose kind a configuration would change while they are in use.
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

// install puts a configuration in force: the tree is built anew, and what runs in it is carried over.
func (s *State) install(c *config.Partition, first bool) {
	s.rename(c.Name, first)
	s.admitLimits(c.Root)
	old := s.ByPath
	s.Conf = c
	s.ByPath = map[string]*queue.Queue{}
	b := builder{s: s, old: old, leaves: s.Leaves}
	s.Leaves = nil
	s.Root = b.build(c.Root, nil)
	s.Root.Max = s.Nodes.Total()
	b.announce()
	s.enforce(c)
	s.World++
	s.note(ConfigChanged)
}

// admitLimits makes the types known that a configuration names.
func (s *State) admitLimits(q *config.Queue) {
	if s.Root == nil {
		s.Types.Admit(q.Guaranteed, q.Max)
	} else {
		s.admit(q.Guaranteed, q.Max)
	}
	for _, child := range q.Children {
		s.admitLimits(child)
	}
}

// builder makes the tree of a configuration beside the one in force.
type builder struct {
	s       *State
	old     map[string]*queue.Queue
	leaves  []*Leaf
	changed []api.Decision // of queues' states
}

func (b *builder) build(c *config.Queue, parent *queue.Queue) *queue.Queue {
	q := queue.New(c, parent, b.s.Types)
	if parent == nil {
		q.Shown = api.ShownPath(b.s.Shown, q.Path)
	}
	before := b.old[c.Path]
	if before != nil && before.Draining {
		b.note(c.Path, api.QueueDraining, api.QueueActive, api.ReasonQueueRestored)
	}
	var children []*queue.Queue
	named := make(map[string]bool, len(c.Children))
	for _, child := range c.Children {
		named[child.Path] = true
		children = append(children, b.build(child, q))
	}
	if before != nil {
		for _, child := range before.Children {
			if !named[child.Path] && child.Live > 0 {
				children = append(children, b.drain(child, q))
			}
		}
	}
	b.finish(q, before, children)
	return q
}

// drain keeps a queue that the configuration leaves out while it is in use, as it was last configured.
func (b *builder) drain(before, parent *queue.Queue) *queue.Queue {
	q := queue.New(before.Conf, parent, b.s.Types)
	q.Draining = true
	if !before.Draining {
		b.note(q.Path, api.QueueActive, api.QueueDraining, api.ReasonQueueRemoved)
	}
	var children []*queue.Queue
	for _, child := range before.Children {
		if child.Live > 0 {
			children = append(children, b.drain(child, q))
		}
	}
	b.finish(q, before, children)
	return q
}

// finish gives a queue its children or its applications, and its sums.
func (b *builder) finish(q, before *queue.Queue, children []*queue.Queue) {
	s := b.s
	s.ByPath[q.Path] = q
	if !q.Leaf() {
		for _, c := range children {
			count(q, c)
		}
		q.Adopt(children, s.order(policy.QueueOrder, q.Conf.QueueSort))
		return
	}
	l := &Leaf{}
	if before != nil && before.Leaf() {
		l = b.leaves[before.ID]
		count(q, before)
	} else {
		l.Leaf = app.NewLeaf(s.Types)
	}
	q.ID = len(s.Leaves)
	l.ID, l.Queue = q.ID, q
	s.Leaves = append(s.Leaves, l)
}

// count adds what is in one queue to another.
func count(q, from *queue.Queue) {
	q.Used.Add(from.Used)
	q.Waiting.AddSum(from.Waiting)
	q.Asks += from.Asks
	q.Allocations += from.Allocations
	q.Running += from.Running
	q.Live += from.Live
	q.InheritPromises(from)
}

func (b *builder) note(path, from, to string, reason api.Reason) {
	b.changed = append(b.changed, api.Decision{Queue: path, From: from, To: to, Reason: reason})
}

// announce says which queues changed their state, by path.
func (b *builder) announce() {
	sort.Slice(b.changed, func(i, j int) bool { return b.changed[i].Queue < b.changed[j].Queue })
	for _, c := range b.changed {
		b.s.queueState(c.Queue, c.From, c.To, c.Reason)
	}
}

func (s *State) queueState(path, from, to string, reason api.Reason) {
	d := s.emit(api.QueueState)
	d.Queue, d.From, d.To, d.Reason, d.Partition = path, from, to, reason, s.Shown
}

// enforce puts the policies that a configuration names in force.
func (s *State) enforce(c *config.Partition) {
	s.Policies.JudgeApps = false
	for _, l := range s.Leaves {
		if l == nil {
			continue
		}
		conf := l.Queue.Conf
		order, asks := s.order(policy.AppOrder, conf.AppSort), s.order(policy.AskOrder, conf.AskSort)
		l.PrioritySort = conf.PrioritySort
		if l.AskOrder != asks {
			l.SetAskOrder(asks)
		}
		l.SetOrder(order, conf.AppSort == config.StateAware)
		if policy.Builtin(policy.AppOrder, conf.AppSort, nil) == nil {
			s.Policies.JudgeApps = true
		}
	}
	for _, q := range s.ByPath {
		if !q.Leaf() {
			q.SetOrder(s.order(policy.QueueOrder, q.Conf.QueueSort))
		}
	}
	s.Nodes.SetScore(s.scoreOf(c))
	s.enforceFilters()
}

// enforceFilters puts every node.filter policy that exists in force, by name: no configuration names them.
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

// retire lets a draining queue go that is out of use, and its parents that drained for it.
func (s *State) retire(q *queue.Queue) {
	for q.Draining && q.Live == 0 && len(q.Children) == 0 {
		s.queueState(q.Path, api.QueueDraining, api.QueueStopped, api.ReasonQueueEmpty)
		delete(s.ByPath, q.Path)
		if q.Leaf() {
			s.Leaves[q.ID] = nil
		}
		parent := q.Parent
		parent.Disown(q)
		q.Parent = nil // changes that are noted of it reach no queue
		s.queueChanged(parent)
		q = parent
	}
}

// PendingBySubmission lists all pending asks.
func (s *State) PendingBySubmission() []*app.Ask {
	var list []*app.Ask
	for ask := range s.Asks.All {
		if ask.Pending() {
			list = append(list, ask)
		}
	}
	sortBySeq(list)
	return list
}
