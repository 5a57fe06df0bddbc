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

// add adds an amount, growing where needed, and returns the result.
func (v Amounts) add(other Amounts) Amounts {
	for len(v) < len(other) {
		v = append(v, 0)
	}
	for i, x := range other {
		v[i] = resource.Add(v[i], x)
	}
	return v
}

// sub takes away an amount that was added.
func (v Amounts) sub(other Amounts) {
	for i, x := range other {
		v[i] = resource.Sub(v[i], x)
	}
}

// Queue is a queue that has had applications, or one above it.
type Queue struct {
	Path    string // as shown, with its partition
	Index   int    // from 0, in the order in which queues were met
	Parent  *Queue
	Leaf    bool    // no queue below it was met
	Used    Amounts // of the subtree
	Pending int     // asks of the subtree
	Running int     // allocations of the subtree
	Victims int     // of the subtree, so far
	ByQuota int     // of these: those that a queue over its max released

	waits Waits       // of the asks of this very queue
	quota *quotaBooks // nil: it never gave anything back
}

// Node is a node as it is now.
type Node struct {
	ID          string
	Partition   string // empty: the first
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

// Ask is an ask, or the allocation it has become.
type Ask struct {
	ID        string
	Queue     *Queue
	Shape     *Shape
	Node      *Node // nil while it waits
	Submitted time.Duration
	Priority  int32
	Restored  bool // it came as an allocation and never waited

	submission   uint64 // see askTable
	app          *app
	gang         *atomicGang // nil: it is placed by itself
	prev, next   *Ask        // pending, all: in order of submission
	before, then *Ask        // of its application
}

// Next is the ask that was submitted after this one, among those that wait.
func (a *Ask) Next() *Ask { return a.next }

// app is an application that is not terminal.
type app struct {
	id        string
	queue     *Queue
	partition string // empty: the first
	gangs     *appGangs
	asks      *Ask // the latest of its asks and allocations; the others through then
}

func (p *app) add(a *Ask) {
	a.then = p.asks
	if p.asks != nil {
		p.asks.before = a
	}
	p.asks = a
}

func (p *app) drop(a *Ask) {
	if a.before != nil {
		a.before.then = a.then
	} else {
		p.asks = a.then
	}
	if a.then != nil {
		a.then.before = a.before
	}
	a.before, a.then = nil, nil
}
