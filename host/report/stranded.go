package report

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/host/ledger"
)

// How many shapes of waiting asks are told apart when looking for stranded room: read, and then held against nodes.
const (
	mostShapesRead = 20_000
	mostShapesHeld = 200
)

// strandedRoom is, by type, the free room on nodes that take none of the asks that wait, as far as somebody waits for
// that type at all. When nobody waits no room is stranded: it is idle.
func (c *Collector) strandedRoom() []int64 {
	room := make([]int64, len(c.stranded))
	if c.books.Pending == 0 {
		return room
	}
	shapes := c.waitingShapes()
	wanted := make([]bool, len(room))
	for _, s := range shapes {
		for i, v := range s.Amounts {
			wanted[i] = wanted[i] || v > 0
		}
	}
	c.books.Nodes(func(n *ledger.Node) {
		if !n.Schedulable || slices.ContainsFunc(shapes, func(s *ledger.Shape) bool { return s.Fits(n) }) {
			return
		}
		for i := range room {
			if wanted[i] {
				room[i] += n.Free(i)
			}
		}
	})
	return room
}

// waitingShapes lists the shapes of waiting asks, small ones first, without those that fit nowhere but where a
// smaller one fits too.
func (c *Collector) waitingShapes() []*ledger.Shape {
	var all []*ledger.Shape
	for _, s := range c.books.Shapes {
		if s.Pending == 0 {
			continue
		}
		if len(all) == mostShapesRead {
			c.approximate = true
			break
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *ledger.Shape) int { return cmp.Compare(c.size(a), c.size(b)) })
	var least []*ledger.Shape
	for _, s := range all {
		if slices.ContainsFunc(least, func(small *ledger.Shape) bool { return covers(small, s) }) {
			continue
		}
		if len(least) == mostShapesHeld {
			c.approximate = true
			break
		}
		least = append(least, s)
	}
	return least
}

// size is the largest part of the cluster that a shape wants of a type.
func (c *Collector) size(s *ledger.Shape) float64 {
	size := 0.0
	for i, v := range s.Amounts {
		if total := c.books.Capacity.At(i); total > 0 {
			size = max(size, float64(v)/float64(total))
		}
	}
	return size
}

// covers reports whether a shape fits wherever another does.
func covers(small, large *ledger.Shape) bool {
	if len(small.Constraints) > 0 || small.Node != "" {
		return false
	}
	for i, v := range small.Amounts {
		if v > large.Amounts.At(i) {
			return false
		}
	}
	return true
}
