package queue

// CommonAncestor returns the lowest common ancestor of two queues of a tree. A queue counts as its own ancestor.
func CommonAncestor(p, q *Queue) *Queue {
	for p != q {
		if p.Depth >= q.Depth {
			p = p.Parent
		} else {
			q = q.Parent
		}
	}
	return p
}

// Below returns the child of an ancestor that is on the path to this queue.
func (q *Queue) Below(ancestor *Queue) *Queue {
	for q.Parent != ancestor {
		q = q.Parent
	}
	return q
}

// SeenBy converts a priority inside the queue to the priority just below an ancestor, or inside the queue itself if that is the
// ancestor. Each queue on the path adds its offset or, with a fence, replaces the priority by it.
func (q *Queue) SeenBy(ancestor *Queue, priority int32) int32 {
	for ; q != ancestor; q = q.Parent {
		priority = q.Priority(priority)
	}
	return priority
}

// Within reports whether a queue is top or below it.
func (q *Queue) Within(top *Queue) bool {
	for q != nil && q != top {
		q = q.Parent
	}
	return q == top
}
