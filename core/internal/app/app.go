package app

import (
	"time"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// App is an application: its pending asks in order, its allocations, its state.
type App struct {
	ID        string
	Seq       uint64 // order of submission over the partition, from 1
	Leaf      *Leaf
	User      string
	Groups    []string
	Tags      map[string]string
	Submitted time.Duration

	State   string // one of core's State constants
	Since   time.Duration
	Started bool // past Accepted: it holds a place under maxapplications or had one
	Kept    int  // nodes kept for its asks; an application that has one holds a place
	Ever    int  // allocations ever made, restored ones included

	Used        resource.Vec // by allocations
	Waiting     resource.Sum // by pending asks
	Asks        int          // pending
	Allocations int
	Placed      List // allocations, in order

	slot    int32 // in the leaf
	queued  bool  // in the leaf's list of applications to sort in
	hidden  bool  // the policy says: not eligible now
	failed  uint64
	changed uint64
	key     []int64 // the policy's keys, as integers

	order   *index.Index // of buckets, by their first ask
	table   *policy.Table
	askKeys int
	keys    []int64          // of asks: keys[row*askKeys+j]
	rows    index.Slots[Ask] // pending asks
	buckets []*bucket
	spare   []*bucket
	touched []*bucket
}

// NewApp makes an application of a leaf; the leaf's Admit takes it in.
func NewApp(id string, seq uint64, width int) *App {
	return &App{ID: id, Seq: seq, Used: make(resource.Vec, width), Waiting: resource.NewSum(width)}
}

// AddAsk takes a pending ask in. It is sorted in at the leaf's next Sync.
func (a *App) AddAsk(ask *Ask) {
	ask.App = a
	ask.row = a.rows.Take(ask)
	a.Asks++
	a.Waiting.Add(ask.Class.Demand)
	a.tableOfAsks().Touch(ask.row)
	a.failed = 0
	a.Leaf.queue(a)
}

func (a *App) tableOfAsks() *policy.Table {
	if a.table == nil {
		a.table = policy.NewTable(a.Leaf.AskOrder)
	}
	return a.table
}

// DropAsk lets a pending ask go: it is withdrawn, or was allocated.
func (a *App) DropAsk(ask *Ask) {
	a.Asks--
	a.Waiting.Sub(ask.Class.Demand)
	a.unsort(ask)
	a.table.Drop(ask.row)
	a.rows.Free(ask.row)
	a.Leaf.queue(a)
}

// Resort takes note that a pending ask's priority or class changed, or that it gained or lost a reservation.
func (a *App) Resort(ask *Ask) {
	a.unsort(ask)
	a.table.Touch(ask.row)
	a.failed = 0
	a.Leaf.queue(a)
}

// Touch says that something about the application changed that may let its asks be placed.
func (a *App) Touch(world uint64) {
	a.changed, a.failed = world, 0
	a.Leaf.queue(a)
}

func (a *App) unsort(ask *Ask) {
	if b := ask.bucket; b != nil {
		a.pull(b, ask)
		a.touch(b)
	}
}

func (a *App) touch(b *bucket) {
	for _, t := range a.touched {
		if t == b {
			return
		}
	}
	a.touched = append(a.touched, b)
}

// sync sorts changed asks in and brings the index of buckets up to date.
func (a *App) sync(world uint64) {
	if a.table == nil {
		return
	}
	a.table.Flush(a, func(row int32, keys []float64) {
		a.sortIn(a.rows.Items[row], keys, world)
	})
	for i, b := range a.touched {
		a.file(b)
		a.touched[i] = nil
	}
	a.touched = a.touched[:0]
}

// Fill describes an ask to the policy that orders asks.
func (a *App) Fill(row int32, columns []policy.Column, cols [][]float64) {
	ask := a.rows.Items[row]
	for i := range columns {
		c := &columns[i]
		v := c.Default
		switch c.Kind {
		case policy.Submitted:
			v = float64(ask.Seq)
		case policy.AskPriority:
			v = float64(ask.Priority)
		case policy.Asked:
			if t, ok := c.TypeIn(a.Leaf.Types); ok {
				v = float64(ask.Class.Demand[t])
			}
		}
		cols[i][row] = v
	}
}

// Name is the ID of the ask in a row.
func (a *App) Name(row int32) string { return a.rows.Items[row].ID }

func (a *App) sortIn(ask *Ask, keys []float64, world uint64) {
	if len(keys) != a.askKeys {
		a.resetKeys(len(keys))
	}
	for len(a.keys) < len(a.rows.Items)*a.askKeys {
		a.keys = append(a.keys, 0)
	}
	for j, v := range keys {
		a.keys[int(ask.row)*a.askKeys+j] = policy.SortKey(v)
	}
	b := ask.bucket
	if b == nil {
		b = a.bucketOf(ask.Class, ask.standing())
		a.push(b, ask)
	} else {
		b.heap[ask.pos] = a.entryOf(ask)
		b.fix(a, ask.pos)
	}
	b.changed, b.failed, b.asleep = world, 0, false
	a.touch(b)
}

// resetKeys empties the index when asks get another number of keys; every ask is about to be sorted in again.
func (a *App) resetKeys(n int) {
	a.askKeys, a.keys, a.order = n, nil, pending.NewIndex(n+2, len(a.Used))
	a.buckets, a.spare, a.touched = nil, nil, a.touched[:0]
	for _, ask := range a.rows.Items {
		if ask != nil {
			ask.bucket = nil
		}
	}
}

// bucketOf finds or makes the bucket of a class. Applications have few classes; a scan beats a map for them.
func (a *App) bucketOf(c *class.Class, s standing) *bucket {
	slot := -1
	for i, b := range a.buckets {
		if b == nil {
			slot = i
		} else if b.class == c && b.standing == s {
			return b
		}
	}
	if slot < 0 {
		slot = len(a.buckets)
		a.buckets = append(a.buckets, nil)
	}
	var b *bucket
	if n := len(a.spare); n > 0 {
		b = a.spare[n-1]
		a.spare = a.spare[:n-1]
	} else {
		b = &bucket{}
	}
	b.class, b.standing, b.slot, b.failed, b.changed, b.asleep = c, s, int32(slot), 0, 0, false
	a.buckets[slot] = b
	return b
}

// file brings a bucket's entry in the index up to date.
func (a *App) file(b *bucket) {
	if a.buckets[b.slot] != b {
		return
	}
	if len(b.heap) == 0 {
		if a.order.Has(b.slot) {
			a.order.Remove(b.slot)
		}
		a.buckets[b.slot] = nil
		b.oldest()
		a.spare = append(a.spare, b)
		return
	}
	head := b.heap[0].ask
	l := a.Leaf
	key := append(l.scratch[:0], -int64(head.Priority))
	key = append(key, a.keys[int(head.row)*a.askKeys:(int(head.row)+1)*a.askKeys]...)
	key = append(key, int64(head.Seq))
	l.scratch = key
	r := &l.row
	b.trim()
	came, may := b.reservable()
	r.Class(b.class.Bit, b.class.Demand, came, head.Priority)
	if !may {
		r.NoReserve()
	}
	if b.standing == keeping {
		r.Hide()
	}
	r.Failed(b.failed)
	r.SetChanged(b.changed)
	r.Put(a.order, b.slot, key)
}

// ChangedSince reports whether the application itself changed after a world, so that all of its asks may fare otherwise.
func (a *App) ChangedSince(world uint64) bool { return a.changed > world }

// HasPlace reports whether the application needs no new place under maxapplications to be allocated to.
func (a *App) HasPlace() bool { return a.Started || a.Kept > 0 }

// KeepNode counts one more node that is kept for an ask of the application, or one less.
func (a *App) KeepNode(more bool, world uint64) {
	a.Leaf.count(a, -1)
	if more {
		a.Kept++
	} else {
		a.Kept--
	}
	a.Leaf.count(a, 1)
	a.Touch(world)
}

// Eligible reports whether the application may be allocated to as far as its leaf's order and filter are concerned.
func (a *App) Eligible() bool { return !a.hidden && a.Leaf.passes(a) }

// PassesFilter is Eligible without the policy's word: the filter of stateaware alone.
func (a *App) PassesFilter() bool { return a.Leaf.passes(a) }

// Hidden reports whether the policy that orders applications says: not eligible now.
func (a *App) Hidden() bool { return a.hidden }

// HasPriority reports whether anything is pending, and Priority the highest priority among that.
func (a *App) HasPriority() bool { return a.Asks > 0 && a.order != nil && a.order.Len() > 0 }

// Priority is the highest priority among the pending asks; the leaf must be in sync.
func (a *App) Priority() int32 { return pending.HighestPriority(a.order) }

// Highest is Priority counted anew; it needs no sync. ok is false when nothing is pending.
func (a *App) Highest() (priority int32, ok bool) {
	a.Pending(func(ask *Ask) bool {
		if !ok || ask.Priority > priority {
			priority, ok = ask.Priority, true
		}
		return true
	})
	return priority, ok
}

// Pending calls yield with every pending ask, in no order.
func (a *App) Pending(yield func(*Ask) bool) {
	for _, ask := range a.rows.Items {
		if ask != nil && !yield(ask) {
			return
		}
	}
}

// Before orders two pending asks of the application.
func (a *App) Before(x, y *Ask) bool {
	if x.bucket == nil || y.bucket == nil { // not sorted in yet, so the policy's word is still out
		return x.Priority > y.Priority || x.Priority == y.Priority && x.Seq < y.Seq
	}
	return a.before(&x.bucket.heap[x.pos], &y.bucket.heap[y.pos])
}

// Next returns the next candidate among the application's asks, first of its class: the first that the search passes.
func (a *App) Next(s *pending.Search) *Ask {
	slot := a.order.First(s.Pass, nil)
	if slot == index.None {
		return nil
	}
	return a.buckets[slot].heap[0].ask
}

// Due returns the first ask, of the same class as a candidate, that is due.
func (a *App) Due(candidate *Ask, isDue func(*Ask) bool) *Ask { return candidate.bucket.due(a, isDue) }

// Rest has the asks of a candidate's class, which require a node that is held for none of them, offered no more until
// Wake: the others of the class would fare no better.
func (a *App) Rest(candidate *Ask) {
	candidate.bucket.asleep = true
	a.file(candidate.bucket)
}

// Wake ends a Rest, since something about the node changed, and reports whether there was one.
func (a *App) Wake(c *class.Class) bool {
	for _, b := range a.buckets {
		if b != nil && b.class == c && b.asleep && len(b.heap) > 0 {
			b.asleep, b.failed, a.failed = false, 0, 0
			a.touch(b)
			a.Leaf.queue(a)
			return true // asks that rest have no standing, so they share a bucket
		}
	}
	return false
}

// FailAsk notes that a candidate, and so its class in this application, failed in this world; 0 takes it back.
func (a *App) FailAsk(ask *Ask, world uint64) {
	b := ask.bucket
	b.failed = world
	a.file(b)
}

// Heads calls yield with the first pending ask of each class, in order.
func (a *App) Heads(yield func(*Ask) bool) {
	if a.order == nil {
		return
	}
	a.order.Each(func(slot int32) bool {
		heap := a.buckets[slot].heap
		return len(heap) == 0 || yield(heap[0].ask) // empty: its last ask left since the leaf was in sync
	})
}
