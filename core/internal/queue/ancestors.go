package queue

// CommonAncestor is the lowest common ancestor of two queues of one tree: a queue is its own ancestor here.
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

// Below is the queue on the way from an ancestor to this one that is a child of the ancestor.
func (q *Queue) Below(ancestor *Queue) *Queue {
	for q.Parent != ancestor {
		q = q.Parent
	}
	return q
}

// SeenBy is a priority inside the queue as seen just below one of its ancestors, or by the queue itself: every queue on
// the way there adds its offset or puts its fence in place of it.
func (q *Queue) SeenBy(ancestor *Queue, priority int32) int32 {
	for ; q != ancestor; q = q.Parent {
		priority = q.Priority(priority)
	}
	return priority
}

// Within reports whether a queue is another or below it.
func (q *Queue) Within(top *Queue) bool {
	for q != nil && q != top {
		q = q.Parent
	}
	return q == top
}
