package app

import (
	"math"
	"time"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/pending"
)

// bucket holds the pending asks of one class in one application: what its first ask cannot have, none of them can. An
// ask with a reservation has a bucket of its own, since only it may use the node it holds, and so has one that a node is
// kept for, which goes there or nowhere.
type bucket struct {
	class    *class.Class
	standing standing
	slot     int32 // in the application's index
	heap     []entry
	arrivals []*Ask // in order of submission, from head; those that are gone are skipped when they come first
	seqs     []uint64
	head     int
	failed   uint64
	changed  uint64
	asleep   bool // its class has a required node that is held for none of its asks until something about the node changes
}

// standing says what a pending ask has of a node already.
type standing uint8

const (
	plain     standing = iota
	reserving          // a reservation
	keeping            // a node that is kept for it, since it preempted there
)

func (a *Ask) standing() standing {
	switch {
	case a.Keeps != NoNode:
		return keeping
	case a.Reserves != NoNode:
		return reserving
	}
	return plain
}

// entry carries the first two keys beside the ask, so that most comparisons stay in the heap's memory.
type entry struct {
	priority int32
	key      int64
	ask      *Ask
}

const arity = 4

// before orders two entries: priority, then the policy's keys, then submission.
func (a *App) before(x, y *entry) bool {
	if x.priority != y.priority {
		return x.priority > y.priority
	}
	if x.key != y.key {
		return x.key < y.key
	}
	k := a.askKeys
	for j := 1; j < k; j++ {
		p, q := a.keys[int(x.ask.row)*k+j], a.keys[int(y.ask.row)*k+j]
		if p != q {
			return p < q
		}
	}
	return x.ask.Seq < y.ask.Seq
}

func (a *App) push(b *bucket, ask *Ask) {
	b.heap = append(b.heap, a.entryOf(ask))
	ask.bucket, ask.pos = b, len(b.heap)-1
	b.up(a, ask.pos)
	b.arrive(ask)
}

func (a *App) entryOf(ask *Ask) entry {
	return entry{ask.Priority, a.keys[int(ask.row)*a.askKeys], ask}
}

func (a *App) pull(b *bucket, ask *Ask) {
	i, last := ask.pos, len(b.heap)-1
	b.heap[i] = b.heap[last]
	b.heap[i].ask.pos = i
	b.heap[last] = entry{}
	b.heap = b.heap[:last]
	if i < last {
		b.fix(a, i)
	}
	ask.bucket = nil
}

// fix restores the heap after entry i changed.
func (b *bucket) fix(a *App, i int) {
	if !b.up(a, i) {
		b.down(a, i)
	}
}

func (b *bucket) up(a *App, i int) (moved bool) {
	e := b.heap[i]
	for i > 0 {
		p := (i - 1) / arity
		if !a.before(&e, &b.heap[p]) {
			break
		}
		b.place(i, b.heap[p])
		i, moved = p, true
	}
	b.place(i, e)
	return moved
}

func (b *bucket) down(a *App, i int) {
	e := b.heap[i]
	for {
		first := i*arity + 1
		if first >= len(b.heap) {
			break
		}
		best := first
		for c := first + 1; c < min(first+arity, len(b.heap)); c++ {
			if a.before(&b.heap[c], &b.heap[best]) {
				best = c
			}
		}
		if !a.before(&b.heap[best], &e) {
			break
		}
		b.place(i, b.heap[best])
		i = best
	}
	b.place(i, e)
}

func (b *bucket) place(i int, e entry) {
	b.heap[i] = e
	e.ask.pos = i
}

// arrive keeps the order of submission. An ask that comes back to it (its reservation ended) goes to its old place.
func (b *bucket) arrive(ask *Ask) {
	i := len(b.arrivals)
	for i > b.head && b.seqs[i-1] > ask.Seq {
		i--
	}
	b.arrivals = append(b.arrivals, nil)
	b.seqs = append(b.seqs, 0)
	copy(b.arrivals[i+1:], b.arrivals[i:])
	copy(b.seqs[i+1:], b.seqs[i:])
	b.arrivals[i], b.seqs[i] = ask, ask.Seq
}

// reservable is when the oldest ask came that may reserve a node; one that requires its node is always due.
func (b *bucket) reservable() (came time.Duration, may bool) {
	switch oldest := b.oldest(); {
	case b.standing != plain || b.asleep:
		return 0, false
	case b.class.Node != "":
		return pending.Always, true
	default:
		return oldest, true
	}
}

// oldest is when the oldest ask came. Asks are re-used, so one is gone when its number or its bucket is another's.
func (b *bucket) oldest() time.Duration {
	for b.head < len(b.arrivals) {
		if a := b.arrivals[b.head]; a.Seq == b.seqs[b.head] && a.bucket == b {
			return a.Created
		}
		b.arrivals[b.head] = nil
		b.head++
	}
	b.arrivals, b.seqs, b.head = b.arrivals[:0], b.seqs[:0], 0
	return math.MaxInt64
}

// trim forgets what oldest has passed, once it is most of the list.
func (b *bucket) trim() {
	if b.head > 32 && b.head*2 > len(b.arrivals) {
		n := copy(b.arrivals, b.arrivals[b.head:])
		copy(b.seqs, b.seqs[b.head:])
		clear(b.arrivals[n:])
		b.arrivals, b.seqs, b.head = b.arrivals[:n], b.seqs[:n], 0
	}
}

// due returns the first ask in order that is due, or nil.
func (b *bucket) due(a *App, isDue func(*Ask) bool) *Ask {
	if len(b.heap) > 0 && isDue(b.heap[0].ask) {
		return b.heap[0].ask
	}
	var best *entry
	for i := range b.heap {
		if e := &b.heap[i]; isDue(e.ask) && (best == nil || a.before(e, best)) {
			best = e
		}
	}
	if best == nil {
		return nil
	}
	return best.ask
}
