package queues

import "math"

// CommonAncestor returns the lowest common ancestor of two queues. A queue counts as its own ancestor.
func (v View) CommonAncestor(p, q ID) ID {
	for p != q {
		if v.row(p).depth >= v.row(q).depth {
			p = v.Parent(p)
		} else {
			q = v.Parent(q)
		}
	}
	return p
}

// Below returns the child of an ancestor that is on the path to a queue.
func (v View) Below(id, ancestor ID) ID {
	for {
		p := v.Parent(id)
		if p == ancestor {
			return id
		}
		id = p
	}
}

// Within reports whether a queue is top or below it.
func (v View) Within(id, top ID) bool {
	for id != None && id != top {
		id = v.Parent(id)
	}
	return id == top
}

// Priority returns a queue's priority as its parent sees it, given the highest priority inside.
func (v View) Priority(id ID, inside int32) int32 {
	r := v.row(id)
	if r.parent == None {
		return inside
	}
	if r.fenced {
		return r.offset
	}
	sum := int64(inside) + int64(r.offset)
	return int32(min(max(sum, math.MinInt32), math.MaxInt32))
}

// SeenBy converts a priority inside a queue to the priority just below an ancestor, or inside the queue itself if that is the
// ancestor. Each queue on the path adds its offset or, with a fence, replaces the priority by it.
func (v View) SeenBy(id, ancestor ID, priority int32) int32 {
	for ; id != ancestor; id = v.Parent(id) {
		priority = v.Priority(id, priority)
	}
	return priority
}
