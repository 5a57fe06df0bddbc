package state

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/heap"
)

// walltimes holds the promised ends of allocations that are asked to leave then.
type walltimes struct {
	heap   []promisedEnd // those to come, soonest first
	passed []promisedEnd // those that the next cycle acts on
	most   int           // the length at which obsolete ones are removed from the heap
}

// promisedEnd is when an allocation must leave. It is not removed when its allocation ends; State.promises checks it.
type promisedEnd struct {
	at     time.Duration
	ask    app.Slot
	number uint64 // of the allocation
}

func (p *promisedEnd) Before(other *promisedEnd) bool { return p.at < other.at }

// fewEnds is the length from which obsolete promised ends are removed.
const fewEnds = 64

// isFull reports whether the heap has doubled since obsolete promised ends were removed.
func (w *walltimes) isFull() bool { return len(w.heap) >= max(w.most, fewEnds) }

// compact removes the promised ends that no longer apply, so that the heap does not grow with the number of allocations ever made.
func (w *walltimes) compact(applies func(promisedEnd) bool) {
	w.heap = slices.DeleteFunc(w.heap, func(p promisedEnd) bool { return !applies(p) })
	slices.SortFunc(w.heap, func(a, b promisedEnd) int { return cmp.Compare(a.at, b.at) }) // a sorted list is a heap
	w.most = 2 * len(w.heap)
}

func (w *walltimes) push(p promisedEnd) { w.heap = heap.Push(w.heap, p) }

func (w *walltimes) pop() (first promisedEnd) {
	first, w.heap = heap.Pop(w.heap)
	return first
}
