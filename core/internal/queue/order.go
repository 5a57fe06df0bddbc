package queue

import (
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// Cluster is what a queue's place among its siblings is measured against.
type Cluster struct {
	Total resource.Vec
	Epoch uint64 // grows when Total changes
	World uint64
	// Within returns those of some classes that fit into room.
	Within func(bits uint64, room resource.Vec) uint64
	// Largest is at least the largest ask of each type.
	Largest resource.Vec
	// Scratch is as long as Total, and the tree's to write.
	Scratch resource.Vec
}

// Describe takes in what waits in a leaf, or that nothing does; a parent's follows from its children.
func (q *Queue) Describe(fill func(*pending.Row) bool) {
	q.waits = fill(&q.row)
}

// Sync brings the order of a parent's children up to date, asking the policy about those that changed. Children that
// are parents are in sync already.
func (q *Queue) Sync(c *Cluster) {
	if q.seen != c.Epoch {
		q.seen = c.Epoch
		q.table.TouchAll()
	}
	for _, child := range q.dirty {
		q.table.Touch(child.slot)
	}
	if !q.table.Stale() {
		return
	}
	q.cluster = c
	q.table.Flush(q, q.sortKeys)
	for i, child := range q.dirty {
		child.queued = false
		q.file(child, c)
		q.dirty[i] = nil
	}
	q.dirty = q.dirty[:0]
	q.waits = q.order.Len() > 0
	if q.waits {
		q.row.Of(q.order)
	}
}

// Changed calls yield with the children that were touched since the last Sync.
func (q *Queue) Changed(yield func(*Queue)) {
	for _, child := range q.dirty {
		yield(child)
	}
}

// Stale reports whether Sync has anything to do.
func (q *Queue) Stale(c *Cluster) bool {
	return len(q.dirty) > 0 || q.seen != c.Epoch || q.table.Stale()
}

func (q *Queue) sortKeys(slot int32, keys []float64) {
	if len(keys) != q.keyLen { // another module answers, and is asked about every child
		q.reset()
		q.keyLen = len(keys)
	}
	for j, v := range keys {
		q.keys[slot][j] = policy.SortKey(v)
	}
	if child := q.Children[slot]; !child.queued {
		q.file(child, q.cluster)
	}
}

// file brings a child's entry up to date.
func (q *Queue) file(child *Queue, c *Cluster) {
	if !child.waits {
		if q.order.Has(child.slot) {
			q.order.Remove(child.slot)
		}
		return
	}
	r := &child.row
	inside := r.Priority()
	seen := child.Priority(inside)
	key := append(q.key[:0], 0)
	if q.Conf.PrioritySort {
		key[0] = -int64(seen)
	}
	key = append(key, q.keys[child.slot][:q.keyLen]...)
	key = append(key, int64(child.slot))
	q.key = key

	shown := &q.shown
	shown.Copy(r)
	shown.SetPriority(seen)
	shown.Failed(child.failed)
	shown.Changed(child.OpenedAt)
	child.limit(shown, c)
	shown.Put(q.order, child.slot, key)
}

// limit hides what the queue's own limits keep from being placed, so that searches above pass it over.
func (q *Queue) limit(r *pending.Row, c *Cluster) {
	if q.Full() {
		r.HideNew()
	}
	if !q.Tight(c.Largest) {
		return
	}
	room := c.Scratch
	for t := range room {
		room[t] = q.Room(t)
	}
	if r.Exceeds(room) {
		r.Hide()
		return
	}
	r.Keep(c.Within(r.Bits(), room))
}

// Next returns the first child that the search passes, or nil.
func (q *Queue) Next(s *pending.Search) *Queue {
	slot := q.order.First(s.Pass, nil)
	if slot == index.None {
		return nil
	}
	return q.Children[slot]
}

// Fail notes that nothing in the queue could be placed in this world.
func (q *Queue) Fail(world uint64, c *Cluster) {
	q.failed = world
	if q.Parent != nil && q.Parent.order.Has(q.slot) {
		q.Parent.file(q, c)
	}
}

// Clear takes back what Fail noted, for the queue and those above: something in it changed.
func (q *Queue) Clear() {
	for ; q != nil; q = q.Parent {
		q.failed = 0
		q.Touch()
	}
}

// Highest is the queue's priority as its parent sees it; something must wait.
func (q *Queue) Highest() int32 { return q.Priority(q.row.Priority()) }

// Each calls yield with the children in which something waits, in order.
func (q *Queue) Each(yield func(*Queue) bool) {
	q.order.Each(func(slot int32) bool { return yield(q.Children[slot]) })
}

// Fill describes a child to the policy that orders children.
func (q *Queue) Fill(slot int32, columns []policy.Column, cols [][]float64) {
	child := q.Children[slot]
	for i := range columns {
		cols[i][slot] = child.column(&columns[i], q.cluster)
	}
}

// Name is the path of the child in a row.
func (q *Queue) Name(slot int32) string { return q.Children[slot].Path }

func (q *Queue) column(col *policy.Column, c *Cluster) float64 {
	switch col.Kind {
	case policy.FairShare:
		return float64(q.FairShare(c.Total))
	case policy.PendingShare:
		return float64(q.PendingShare(c.Total))
	case policy.Priority:
		if q.waits {
			return float64(q.Highest())
		}
	case policy.PendingAsks:
		return float64(q.Asks)
	case policy.Allocations:
		return float64(q.Allocations)
	case policy.Running:
		return float64(q.Running)
	case policy.Property:
		return policy.Number(q.Conf.Inherited[col.Arg], col.Default)
	case policy.PropertyCode:
		return col.Code(q.Conf.Inherited[col.Arg])
	case policy.Share, policy.Used, policy.Pending, policy.Guaranteed, policy.Max:
		if t, ok := col.TypeIn(q.types); ok {
			return q.amount(col, t, c)
		}
	}
	return col.Default
}

func (q *Queue) amount(col *policy.Column, t int, c *Cluster) float64 {
	switch {
	case col.Kind == policy.Share:
		return float64(resource.Share(q.Used[t], q.Denominator(t, c.Total)))
	case col.Kind == policy.Used:
		return float64(q.Used[t])
	case col.Kind == policy.Pending:
		return float64(q.Waiting.At(t))
	case col.Kind == policy.Guaranteed && q.Guaranteed[t] != NotGuaranteed:
		return float64(q.Guaranteed[t])
	case col.Kind == policy.Max && q.Max[t] != resource.Unlimited:
		return float64(q.Max[t])
	}
	return col.Default
}
