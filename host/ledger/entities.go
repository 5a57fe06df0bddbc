package ledger

import (
	"time"

	"github.com/quern-project/quern/core/resource"
)

// Amounts are stored units by the index that the ledger gave to a type. A type beyond the end is 0.
type Amounts []int64

// At returns the amount of a type.
func (v Amounts) At(i int) int64 {
	if i < len(v) {
		return v[i]
	}
	return 0
}

// add adds sign times an amount, growing where needed, and returns the result.
func (v Amounts) add(other Amounts, sign int64) Amounts {
	for len(v) < len(other) {
		v = append(v, 0)
	}
	for i, x := range other {
		if sign > 0 {
			v[i] = resource.Add(v[i], x)
		} else {
			v[i] = resource.Sub(v[i], x)
		}
	}
	return v
}

// Queue is a queue that has had applications, or one above it.
type Queue struct {
	Path    string
	Index   int // from 0, in the order in which queues were met
	Parent  *Queue
	Used    Amounts // of the subtree
	Pending int     // asks of the subtree
}

// Node is a node as it is now.
type Node struct {
	ID          string
	Capacity    Amounts
	Occupied    Amounts
	Used        Amounts
	Attributes  map[string]string
	Schedulable bool
}

// Free is the room for a type, never below 0.
func (n *Node) Free(i int) int64 {
	return max(0, n.Capacity.At(i)-n.Occupied.At(i)-n.Used.At(i))
}

// Empty is the room for a type if no allocation were there, never below 0.
func (n *Node) Empty(i int) int64 {
	return max(0, n.Capacity.At(i)-n.Occupied.At(i))
}

// Shape is what asks want that are alike: amounts, constraints, required node.
type Shape struct {
	Amounts     Amounts
	Constraints map[string][]string
	Node        string
	Pending     int // asks that wait
	asks        int // asks and allocations that point here
	seq         int // counts the shapes that were met
	key         string
}

// Fits reports whether a node would take an ask of this shape.
func (s *Shape) Fits(n *Node) bool {
	if !n.Schedulable || s.Node != "" && s.Node != n.ID {
		return false
	}
	for i, want := range s.Amounts {
		if want > 0 && n.Free(i) < want {
			return false
		}
	}
	return s.allows(n)
}

// FitsEmpty reports whether a node would take an ask of this shape if no allocation were there.
func (s *Shape) FitsEmpty(n *Node) bool {
	if !n.Schedulable || s.Node != "" && s.Node != n.ID {
		return false
	}
	for i, want := range s.Amounts {
		if want > 0 && n.Empty(i) < want {
			return false
		}
	}
	return s.allows(n)
}

func (s *Shape) allows(n *Node) bool {
	for name, allowed := range s.Constraints {
		value, ok := n.Attributes[name]
		if !ok || !contains(allowed, value) {
			return false
		}
	}
	return true
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// Ask is an ask, or the allocation it has become.
type Ask struct {
	ID        string
	Queue     *Queue
	Shape     *Shape
	Node      *Node // nil while it waits
	Submitted time.Duration
	Priority  int32
	Restored  bool // it came as an allocation and never waited

	app        *app
	place      int // in app.pending, while it waits
	prev, next *Ask
}

// Next is the ask that was submitted after this one, among those that wait.
func (a *Ask) Next() *Ask { return a.next }

type app struct {
	queue   *Queue
	pending []*Ask
}

// add puts an ask among those that wait.
func (p *app) add(a *Ask) {
	a.place = len(p.pending)
	p.pending = append(p.pending, a)
}

// drop takes it out again, at a cost that does not depend on how many wait.
func (p *app) drop(a *Ask) {
	last := p.pending[len(p.pending)-1]
	p.pending[a.place] = last
	last.place = a.place
	p.pending = p.pending[:len(p.pending)-1]
}
