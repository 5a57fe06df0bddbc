package config

import "strconv"

// priority reads the priority properties. On root they have no effect, and no warning.
func (d *decoder) priority(q *Queue, f *field) {
	if f.name == propPriorityPolicy {
		fence := d.choice(q.Path, f, "default", "fence") == "fence"
		q.PriorityFence = fence && !q.isRoot()
		return
	}
	if !q.isRoot() {
		q.PriorityOffset = d.offset(f.value.at, q.Path, f.value.text)
	}
}

// beyondPriorities is the offset from which an ask can exceed the priority classes of the system.
const beyondPriorities = 1_000_000_000

func (d *decoder) offset(at place, queue, text string) int32 {
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 32)
	switch {
	case err != nil:
		d.warn(at, queue, propPriorityOffset, quote(text)+" is not a 32-bit number; 0 is used")
		return 0
	case n > beyondPriorities, n < -beyondPriorities:
		d.warn(at, queue, propPriorityOffset, text+" is beyond 1000000000 and can outrank the priority classes of the system")
	}
	return int32(n)
}

// checkOffsets warns if the sum of the offsets of a queue and its ancestors exceeds the bound of a single one. Queues compete with their
// siblings at every level, so sums that end below root count, too. The offset of a fence replaces the priority from below, so a sum
// does not continue past a fence.
func (d *decoder) checkOffsets(s *scope, at place) {
	own := int64(s.queue.PriorityOffset)
	if own == 0 || own > beyondPriorities || own < -beyondPriorities {
		return
	}
	least, most := own, own
	for a, sum := s.above, own; a != nil && !a.queue.PriorityFence; a = a.above {
		sum += int64(a.queue.PriorityOffset)
		least, most = min(least, sum), max(most, sum)
	}
	sum := most
	if own < 0 {
		sum = least
	}
	if sum > beyondPriorities || sum < -beyondPriorities {
		d.warn(at, s.queue.Path, propPriorityOffset, strconv.FormatInt(own, 10)+" and the offsets of the queues above add up to "+
			strconv.FormatInt(sum, 10)+", which is beyond 1000000000 and can outrank the priority classes of the system")
	}
}
