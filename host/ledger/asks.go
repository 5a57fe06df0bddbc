package ledger

import (
	"github.com/quern-project/quern/core"
)

// wait puts an ask at the end of those that wait.
func (l *Ledger) wait(a *Ask) {
	a.app.add(a)
	a.Shape.Pending++
	a.prev = l.newest
	if l.newest != nil {
		l.newest.next = a
	} else {
		l.oldest = a
	}
	l.newest = a
	l.count(a, 1)
}

// stopWaiting takes it out, wherever it stands.
func (l *Ledger) stopWaiting(a *Ask) {
	a.app.drop(a)
	a.Shape.Pending--
	if a.prev != nil {
		a.prev.next = a.next
	} else {
		l.oldest = a.next
	}
	if a.next != nil {
		a.next.prev = a.prev
	} else {
		l.newest = a.prev
	}
	a.prev, a.next = nil, nil
	l.count(a, -1)
}

func (l *Ledger) count(a *Ask, by int) {
	l.Pending += by
	for q := a.Queue; q != nil; q = q.Parent {
		q.Pending += by
	}
}

func (l *Ledger) withdraw(a *Ask) {
	l.stopWaiting(a)
	delete(l.asks, a.ID)
	for _, w := range l.watchers {
		w.Withdrawn(a)
	}
	l.forget(a.Shape)
}

func (l *Ledger) allocated(d *core.Decision) {
	a, n := l.asks[d.ID], l.nodes[d.Node]
	if a == nil || a.Node != nil || n == nil {
		return
	}
	l.stopWaiting(a)
	l.occupy(a, n)
}

// occupy books an ask's amounts on its node and in its queues.
func (l *Ledger) occupy(a *Ask, n *Node) {
	a.Node = n
	l.use(a, 1)
	for _, w := range l.watchers {
		w.Placed(a)
	}
}

func (l *Ledger) released(d *core.Decision) {
	a := l.asks[d.ID]
	if a == nil || a.Node == nil {
		return
	}
	l.use(a, -1)
	delete(l.asks, a.ID)
	for _, w := range l.watchers {
		w.Left(a, d.Reason)
	}
	l.forget(a.Shape)
}

func (l *Ledger) use(a *Ask, sign int64) {
	a.Node.Used = a.Node.Used.add(a.Shape.Amounts, sign)
	l.Used = l.Used.add(a.Shape.Amounts, sign)
	for q := a.Queue; q != nil; q = q.Parent {
		q.Used = q.Used.add(a.Shape.Amounts, sign)
	}
}
