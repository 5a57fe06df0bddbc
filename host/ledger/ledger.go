package ledger

import (
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Ledger is the books. The zero value is not usable: call New.
type Ledger struct {
	Now      time.Duration // of the last Advance
	Types    []string      // in the order in which they were met
	Queues   []*Queue      // by Index; parents before children
	Shapes   map[string]*Shape
	Capacity Amounts // of all nodes, drained ones too
	Used     Amounts // by allocations
	Pending  int     // asks that wait

	types    map[string]int
	queues   map[string]*Queue
	nodes    map[string]*Node
	apps     map[string]*app
	asks     map[string]*Ask
	oldest   *Ask // head and tail of those that wait, in order of submission
	newest   *Ask
	watchers []Watcher
	met      int // shapes so far
	started  bool
}

// New makes empty books.
func New(watchers ...Watcher) *Ledger {
	return &Ledger{
		Shapes:   map[string]*Shape{},
		types:    map[string]int{},
		queues:   map[string]*Queue{},
		nodes:    map[string]*Node{},
		apps:     map[string]*app{},
		asks:     map[string]*Ask{},
		watchers: watchers,
	}
}

// Watch adds a watcher. It is told of what happens from now on.
func (l *Ledger) Watch(w Watcher) { l.watchers = append(l.watchers, w) }

// Oldest is the ask that has waited longest; nil when none waits.
func (l *Ledger) Oldest() *Ask { return l.oldest }

// Allocations is how many there are.
func (l *Ledger) Allocations() int { return len(l.asks) - l.Pending }

// Nodes calls f for every node, in no order.
func (l *Ledger) Nodes(f func(*Node)) {
	for _, n := range l.nodes {
		f(n)
	}
}

// Advance moves time.
func (l *Ledger) Advance(to time.Duration) {
	if l.started && to == l.Now {
		return
	}
	for _, w := range l.watchers {
		w.Until(to)
	}
	l.Now, l.started = to, true
}

// Applied follows one input, with what Apply returned for it and the decisions that it caused.
func (l *Ledger) Applied(in *core.Input, refused core.Reason, decisions []core.Decision) {
	for _, w := range l.watchers {
		w.Came(in)
	}
	if refused == core.Accepted {
		l.follow(in)
	}
	l.Decided(decisions)
}

// Decided follows decisions.
func (l *Ledger) Decided(decisions []core.Decision) {
	for i := range decisions {
		d := &decisions[i]
		l.decision(d)
		for _, w := range l.watchers {
			w.Decided(d)
		}
	}
}

func (l *Ledger) decision(d *core.Decision) {
	switch d.Type {
	case core.AppAccepted:
		l.apps[d.ID] = &app{queue: l.queue(d.Queue)}
	case core.AppState:
		if d.To == core.StateCompleted || d.To == core.StateFailed || d.To == core.StateRejected {
			delete(l.apps, d.ID)
		}
	case core.Allocation:
		l.allocated(d)
	case core.Preemption, core.Observed:
		l.preempted(d)
	case core.Release:
		l.released(d)
	}
}

// queue returns the books of a queue, opening them, and those above it, at first sight.
func (l *Ledger) queue(path string) *Queue {
	if q := l.queues[path]; q != nil {
		return q
	}
	q := &Queue{Path: path}
	if dot := strings.LastIndexByte(path, '.'); dot > 0 {
		q.Parent = l.queue(path[:dot])
	}
	q.Index = len(l.Queues)
	l.Queues = append(l.Queues, q)
	l.queues[path] = q
	return q
}

// amounts turns a set into amounts by index.
func (l *Ledger) amounts(s resource.Set) Amounts {
	var v Amounts
	for _, q := range s {
		i, ok := l.types[q.Type]
		if !ok {
			i = len(l.Types)
			l.types[q.Type] = i
			l.Types = append(l.Types, q.Type)
		}
		for len(v) <= i {
			v = append(v, 0)
		}
		v[i] = q.Value
	}
	return v
}

// Finish tells the watchers that nothing more comes: the books hold until now.
func (l *Ledger) Finish() {
	for _, w := range l.watchers {
		w.Until(l.Now)
	}
}
