package ledger

import (
	"time"

	"github.com/quern-project/quern/core/resource"
)

// Amounts holds amounts in stored units by the ledger's index of the type. Types beyond the end have 0.
type Amounts []int64

// At returns the amount of a type.
func (v Amounts) At(i int) int64 {
	if i < len(v) {
		return v[i]
	}
	return 0
}

// add adds amounts, and returns the result, which may be longer.
func (v Amounts) add(other Amounts) Amounts {
	for len(v) < len(other) {
		v = append(v, 0)
	}
	for i, x := range other {
		v[i] = resource.Add(v[i], x)
	}
	return v
}

// sub subtracts amounts that were added before.
func (v Amounts) sub(other Amounts) {
	for i, x := range other {
		v[i] = resource.Sub(v[i], x)
	}
}

// Queue holds the figures of a queue. Only queues that had applications, and their ancestors, have figures.
type Queue struct {
	Path    string // in shown form, with its partition
	Index   int    // from 0, in the order in which queues occurred
	Parent  *Queue
	Leaf    bool    // no queue below it has occurred
	Used    Amounts // of the subtree
	Pending int     // asks of the subtree
	Running int     // allocations of the subtree
	Victims int     // of the subtree, so far
	ByQuota int     // of Victims, those that a queue above its max released

	waits Waits       // of the asks of this queue only
	quota *quotaBooks // nil if it never released anything for its max
}

// Node is the present state of a node.
type Node struct {
	ID          string
	Partition   string // empty for the first
	Capacity    Amounts
	Occupied    Amounts
	Used        Amounts
	Attributes  map[string]string
	Schedulable bool
}

// Free returns the room for a type, at least 0.
func (n *Node) Free(i int) int64 {
	return max(0, n.Capacity.At(i)-n.Occupied.At(i)-n.Used.At(i))
}

// Empty returns the room for a type without any allocations, at least 0.
func (n *Node) Empty(i int) int64 {
	return max(0, n.Capacity.At(i)-n.Occupied.At(i))
}

// Ask is an ask, or the allocation that it has become.
type Ask struct {
	ID        string
	Queue     *Queue
	Shape     *Shape
	Node      *Node // nil if it is pending
	Submitted time.Duration
	Priority  int32
	Restored  bool // it was restored as an allocation and never waited

	Placeholder bool // it holds room for a task of its gang

	course                     // if it is a job by itself
	counted      time.Duration // of an allocation: until when its use is recorded
	submission   uint64        // see askTable
	app          *app
	gang         *atomicGang // nil if it is placed individually
	prev, next   *Ask        // list of all pending asks, in order of submission
	before, then *Ask        // list of the asks and allocations of its application
}

// Next returns the next pending ask in order of submission, or nil.
func (a *Ask) Next() *Ask { return a.next }

// app is an application that is not terminal.
type app struct {
	id        string
	queue     *Queue
	partition string // empty for the first
	gangs     *appGangs
	user      int // number of the user
	userName  string
	jobs      *JobFigures // of the user in the queue; nil until the first use
	service
	asks *Ask // its last ask or allocation; the others follow through then
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
