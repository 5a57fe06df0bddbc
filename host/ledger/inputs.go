package ledger

import (
	"slices"
	"strconv"

	"github.com/quern-project/quern/core"
)

// follow does what an input that was not refused does by itself, without a decision saying so.
func (l *Ledger) follow(in *core.Input) {
	switch in.Type {
	case core.NodeAdd:
		l.addNode(in)
	case core.NodeUpdate, core.NodeDrain, core.NodeResume, core.NodeRemove:
		if n := l.nodes[in.ID]; n != nil {
			l.changeNode(n, in)
		}
	case core.AppRemove:
		l.dropAsks(in.ID)
	case core.AskAdd:
		l.addAsk(in)
	case core.AskUpdate:
		l.updateAsk(in)
	case core.AskRemove:
		if a := l.asks[in.ID]; a != nil && a.Node == nil {
			l.withdraw(a)
		}
	case core.AllocationRestore:
		l.restore(in)
	}
}

func (l *Ledger) addNode(in *core.Input) {
	n := &Node{
		ID: in.ID, Attributes: in.Attributes, Schedulable: !in.Unschedulable,
		Capacity: l.amounts(in.Capacity), Occupied: l.amounts(in.Occupied),
	}
	l.nodes[n.ID] = n
	l.Capacity = l.Capacity.add(n.Capacity, 1)
}

func (l *Ledger) changeNode(n *Node, in *core.Input) {
	switch in.Type {
	case core.NodeDrain:
		n.Schedulable = false
	case core.NodeResume:
		n.Schedulable = true
	case core.NodeRemove:
		l.Capacity = l.Capacity.add(n.Capacity, -1)
		delete(l.nodes, n.ID)
	case core.NodeUpdate:
		l.updateNode(n, in)
	}
}

func (l *Ledger) updateNode(n *Node, in *core.Input) {
	if in.Capacity != nil {
		l.Capacity = l.Capacity.add(n.Capacity, -1)
		n.Capacity = l.amounts(in.Capacity)
		l.Capacity = l.Capacity.add(n.Capacity, 1)
	}
	if in.Occupied != nil {
		n.Occupied = l.amounts(in.Occupied)
	}
	if in.Attributes != nil {
		n.Attributes = in.Attributes
	}
}

func (l *Ledger) addAsk(in *core.Input) {
	a := l.newAsk(in)
	if a == nil {
		return
	}
	l.wait(a)
	for _, w := range l.watchers {
		w.Submitted(a)
	}
}

// newAsk opens the books of an ask, or returns nil for one that belongs to nobody we know.
func (l *Ledger) newAsk(in *core.Input) *Ask {
	p := l.apps[in.App]
	if p == nil {
		return nil
	}
	a := &Ask{ID: in.ID, Queue: p.queue, Submitted: l.Now, Priority: in.Ask.Priority, app: p}
	a.Shape = l.shape(&Shape{Amounts: l.amounts(in.Resources), Constraints: in.Ask.Constraints, Node: in.Ask.Node})
	l.asks[a.ID] = a
	return a
}

func (l *Ledger) restore(in *core.Input) {
	a, n := l.newAsk(in), l.nodes[in.PlacedOn]
	if a == nil || n == nil {
		return
	}
	a.Restored = true
	l.occupy(a, n)
}

func (l *Ledger) updateAsk(in *core.Input) {
	a := l.asks[in.ID]
	if a == nil || a.Node != nil {
		return
	}
	if in.HasPriority {
		a.Priority = in.Ask.Priority
	}
	if in.Resources != nil {
		old := a.Shape
		a.Shape = l.shape(&Shape{Amounts: l.amounts(in.Resources), Constraints: old.Constraints, Node: old.Node})
		a.Shape.Pending++
		old.Pending--
		l.forget(old)
	}
}

// dropAsks lets an application's waiting asks go; its allocations are released by decisions.
func (l *Ledger) dropAsks(id string) {
	p := l.apps[id]
	if p == nil {
		return
	}
	for len(p.pending) > 0 {
		l.withdraw(p.pending[len(p.pending)-1])
	}
}

// shape returns the one Shape for asks that are alike.
func (l *Ledger) shape(s *Shape) *Shape {
	s.key = s.name()
	if known := l.Shapes[s.key]; known != nil {
		s = known
	} else {
		l.met++
		s.seq = l.met
	}
	s.asks++
	l.Shapes[s.key] = s
	return s
}

func (l *Ledger) forget(s *Shape) {
	if s.asks--; s.asks == 0 {
		delete(l.Shapes, s.key)
	}
}

// name tells shapes apart. Lengths stand before texts, so that no text can pass for another.
func (s *Shape) name() string {
	b := make([]byte, 0, 64)
	for i, x := range s.Amounts {
		if x != 0 {
			b = strconv.AppendInt(append(b, ' '), int64(i), 36)
			b = strconv.AppendInt(append(b, '='), x, 36)
		}
	}
	b = strconv.AppendQuote(b, s.Node)
	names := make([]string, 0, len(s.Constraints))
	for name := range s.Constraints {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		b = strconv.AppendQuote(append(b, ';'), name)
		for _, value := range s.Constraints[name] {
			b = strconv.AppendQuote(append(b, ','), value)
		}
	}
	return string(b)
}
