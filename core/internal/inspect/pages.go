package inspect

import (
	"slices"
	"sort"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// Units of work for building an object of a list. Looking at an entry is 1 unit.
const (
	workOfQueue = 10
	workOfNode  = 6
	workOfApp   = 6
	workOfAsk   = 4
)

// pager builds a page of a list.
type pager[T any] struct {
	page *core.Page
	core.Listed[T]
}

// over reports whether the page is full, so that it ends before the next entry, and records that there are more.
func (p *pager[T]) over() bool {
	p.More = len(p.Items) >= p.page.Limit || p.Work >= p.page.Work
	return p.More
}

// pass records that the list continues after key k.
func (p *pager[T]) pass(k core.Key) {
	p.Work++
	p.Next = k
}

// add adds an object and the work of building it.
func (p *pager[T]) add(item T, work int) {
	p.Items = append(p.Items, item)
	p.Work += work
}

// ListQueues returns a page of the queues: by partition, with the first partition first and the others by name, and each in order of
// paths.
func ListQueues(views []*View, page *core.Page) core.Listed[core.QueueDump] {
	p := pager[core.QueueDump]{page: page}
	p.Next = page.After
	for _, s := range byShown(views) {
		after := ""
		switch c := strings.Compare(s.Shown(), page.After.Partition); {
		case c < 0:
			continue
		case c == 0:
			after = page.After.Name
		}
		if !s.listQueues(s.Queues().Root(), after, &p) {
			break
		}
	}
	return p.Listed
}

func byShown(views []*View) []*View {
	return slices.SortedFunc(slices.Values(views), func(a, b *View) int { return strings.Compare(a.Shown(), b.Shown()) })
}

// listQueues lists a queue and its descendants, except those up to the path after. It returns false if the page is full.
func (s *View) listQueues(q queues.ID, after string, p *pager[core.QueueDump]) bool {
	tree := s.Queues()
	if after == "" {
		if p.over() {
			return false
		}
		p.pass(core.Key{Partition: s.Shown(), Name: tree.Path(q)})
		if state := tree.State(q, core.QueueActive, core.QueueDraining); is(p.page.Where.State, state) {
			p.add(s.readQueue(q), workOfQueue+tree.Depth(q))
		}
	}
	children := slices.Collect(tree.Children(q))
	next := "" // the child on the way to the path after
	if rest, below := strings.CutPrefix(after, tree.Path(q)+"."); below {
		label, _, _ := strings.Cut(rest, ".")
		next = tree.Path(q) + "." + label
		first, _ := slices.BinarySearchFunc(children, next, func(c queues.ID, path string) int { return strings.Compare(tree.Path(c), path) })
		children = children[first:]
	}
	for _, child := range children {
		below := ""
		if tree.Path(child) == next {
			below = after
		}
		if !s.listQueues(child, below, p) {
			return false
		}
	}
	return true
}

// is reports whether a filter matches a value. An empty filter matches all.
func is(want, value string) bool { return want == "" || want == value }

// within reports whether a queue is the wanted one or a descendant of it. An empty filter matches all.
func within(want, queue string) bool {
	rest, found := strings.CutPrefix(queue, want)
	return want == "" || found && (rest == "" || rest[0] == '.')
}

// FindQueue returns the queue with a path.
func (s *View) FindQueue(path string) (d core.QueueDump, ok bool) {
	if q := s.Queues().Find(path); q != queues.None {
		return s.readQueue(q), true
	}
	return d, false
}

// ListNodes returns a page of the nodes, by ID.
func ListNodes(views []*View, page *core.Page) core.Listed[core.NodeDump] {
	p := pager[core.NodeDump]{page: page}
	p.Next = page.After
	rest := make([]readonly.List[int32], len(views))
	for i, s := range views {
		list := s.Nodes().Sorted()
		rest[i] = list.From(sort.Search(list.Len(), func(i int) bool { return s.Nodes().ID(list.At(i)) > page.After.Name }))
	}
	for {
		next := -1
		for i := range rest {
			if rest[i].Len() > 0 && (next < 0 || views[i].Nodes().ID(rest[i].At(0)) < views[next].Nodes().ID(rest[next].At(0))) {
				next = i
			}
		}
		if next < 0 {
			p.More = false
			return p.Listed
		}
		if p.over() {
			return p.Listed
		}
		n, s := rest[next].At(0), views[next]
		rest[next] = rest[next].From(1)
		p.pass(core.Key{Name: s.Nodes().ID(n)})
		if is(page.Where.Partition, s.Shown()) && is(page.Where.State, s.stateOf(n)) {
			d := s.dumpNode(n)
			p.add(d, workOfNode+len(d.Allocations)/4)
		}
	}
}

// stateOf returns the state of a node, as Where selects it.
func (s *View) stateOf(n int32) string {
	if s.Nodes().Schedulable(n) {
		return core.NodeSchedulable
	}
	return core.NodeDrained
}

// FindNode returns the node with an ID.
func (s *View) FindNode(id string) (d core.NodeDump, ok bool) {
	if n := s.Nodes().Find(id); n != app.NoNode {
		return s.dumpNode(n), true
	}
	return d, false
}
