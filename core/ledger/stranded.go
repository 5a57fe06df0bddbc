package ledger

import (
	"cmp"
	"slices"
)

// Limits of the number of shapes of pending asks that are considered for stranded room: read, and then compared with nodes.
const (
	mostShapesRead = 20_000
	mostShapesHeld = 200
)

// Stranded returns, by type, the free room on schedulable nodes that no pending ask fits, in the types that pending asks of their
// partition need. Asks that no empty node would have room for do not count, since their problem is not where room is free. If no ask is
// pending, no room is stranded. The result is approximate if pending asks have too many shapes.
func (l *Ledger) Stranded() (room []int64, approximate bool) {
	room = make([]int64, len(l.Types))
	if l.Pending == 0 {
		return room, false
	}
	shapes, approximate := l.waitingShapes()
	shapes = slices.DeleteFunc(shapes, func(s *Shape) bool { return !l.fitsEmpty(s) })
	wanted := map[string]Amounts{} // by partition
	for _, s := range shapes {
		wanted[s.Partition] = wanted[s.Partition].add(s.Amounts)
	}
	for _, n := range l.nodes {
		if !n.Schedulable || slices.ContainsFunc(shapes, func(s *Shape) bool { return s.Fits(n) }) {
			continue
		}
		for i := range room {
			if wanted[n.Partition].At(i) > 0 {
				room[i] += n.Free(i)
			}
		}
	}
	return room, approximate
}

// TooLarge returns the number of pending asks that no schedulable node would have room for even if it were empty.
func (l *Ledger) TooLarge() int {
	n := 0
	for _, s := range l.shapes {
		if s.Pending > 0 && !l.fitsEmpty(s) {
			n += s.Pending
		}
	}
	return n
}

func (l *Ledger) fitsEmpty(s *Shape) bool {
	for _, n := range l.nodes {
		if s.FitsEmpty(n) {
			return true
		}
	}
	return false
}

// waitingShapes lists the shapes of pending asks, in ascending order of size, without those that only fit where a smaller one fits too.
func (l *Ledger) waitingShapes() (least []*Shape, approximate bool) {
	var all []*Shape
	for _, s := range l.shapes {
		if s.Pending > 0 {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b *Shape) int { return a.seq - b.seq })
	if len(all) > mostShapesRead {
		all, approximate = all[:mostShapesRead], true
	}
	slices.SortStableFunc(all, func(a, b *Shape) int { return cmp.Compare(l.Size(a), l.Size(b)) })
	for _, s := range all {
		if slices.ContainsFunc(least, func(small *Shape) bool { return covers(small, s) }) {
			continue
		}
		if len(least) == mostShapesHeld {
			approximate = true
			break
		}
		least = append(least, s)
	}
	return least, approximate
}

// Size returns the largest share of the cluster that a shape needs of a type.
func (l *Ledger) Size(s *Shape) float64 {
	size := 0.0
	for i, v := range s.Amounts {
		if total := l.Capacity.At(i); total > 0 {
			size = max(size, float64(v)/float64(total))
		}
	}
	return size
}

// covers reports whether a shape fits wherever another one does.
func covers(small, large *Shape) bool {
	if small.Partition != large.Partition || len(small.Constraints) > 0 || small.Node != "" {
		return false
	}
	for i, v := range small.Amounts {
		if v > large.Amounts.At(i) {
			return false
		}
	}
	return true
}
