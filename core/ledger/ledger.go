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
	Capacity Amounts       // of all nodes of all partitions, drained ones too
	Used     Amounts       // by allocations
	Pending  int           // asks that wait
	Totals   Totals

	types      map[string]int
	queues     map[string]*Queue
	nodes      map[string]*Node
	apps       map[string]*app
	asks       askTable
	named      map[string]*Ask               // the same by ID; nil until an ask is first looked for by ID, since most runs never do
	renumbered bool                          // a state was taken over, whose asks have other submissions than the inputs gave them
	shapes     map[string]*Shape             // by key
	bySet      map[*resource.Quantity]*Shape // those without constraints and node, by the first of their latest set: asks share sets
	met        int                           // shapes so far
	gangs      *gangs                        // nil: none has formed or ended
	refused    outcomes                      // by decision and reason
	ended      outcomes                      // asks and allocations, by reason
	endings    *Endings                      // nil: they are not remembered
	spare      []*Ask
	oldest     *Ask // head and tail of those that wait, in order of submission
	newest     *Ask
	watchers   []Watcher
	started    bool
}

// New makes empty books.
func New(watchers ...Watcher) *Ledger {
	return &Ledger{
		types:    map[string]int{},
		queues:   map[string]*Queue{},
		nodes:    map[string]*Node{},
		apps:     map[string]*app{},
		shapes:   map[string]*Shape{},
		bySet:    map[*resource.Quantity]*Shape{},
		watchers: watchers,
	}
}

// Watch adds a watcher. It is told of what happens from now on.
func (l *Ledger) Watch(w Watcher) { l.watchers = append(l.watchers, w) }

// Remember has endings remembered from now on.
func (l *Ledger) Remember(e *Endings) { l.endings = e }

// Oldest is the ask that has waited longest; nil when none waits.
func (l *Ledger) Oldest() *Ask { return l.oldest }

// Allocations is how many there are.
func (l *Ledger) Allocations() int { return l.asks.alive - l.Pending }

// Waits are those of all asks that were allocated.
func (l *Ledger) Waits() Waits {
	var all Waits
	for _, q := range l.Queues {
		all.merge(&q.waits)
	}
	return all
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
	if _, ok := in.Event.(*core.AddAsk); ok {
		l.Totals.Asks++
	}
	if l.endings != nil {
		l.endings.Step(in, refused, nil)
	}
	if refused == core.Accepted {
		l.follow(in.Event)
	}
	l.Decided(decisions)
	if app, ok := in.Event.(*core.AddApp); ok && refused == core.Accepted {
		l.newGang(app)
	}
}

// Decided follows decisions.
func (l *Ledger) Decided(decisions []core.Decision) {
	if l.endings != nil {
		l.endings.Step(nil, core.Accepted, decisions)
	}
	for i := range decisions {
		d := &decisions[i]
		l.decision(d)
		for _, w := range l.watchers {
			w.Decided(d)
		}
	}
}

// Finish tells the watchers that nothing more comes: the books hold until now.
func (l *Ledger) Finish() {
	for _, w := range l.watchers {
		w.Until(l.Now)
	}
}

// askOf is the ask of a decision about one that is alive.
func (l *Ledger) askOf(d *core.Decision) *Ask {
	if l.renumbered {
		return l.ask(d.ID)
	}
	return l.asks.at(d.Submission)
}

// ask finds an ask that is alive by its ID; nil if there is none.
func (l *Ledger) ask(id string) *Ask {
	if l.named == nil {
		l.named = l.asks.byID()
	}
	return l.named[id]
}

// queue returns the books of a queue by its shown path, opening them, and those above it, at first sight.
func (l *Ledger) queue(path string) *Queue {
	if q := l.queues[path]; q != nil {
		return q
	}
	q := &Queue{Path: path, Leaf: true}
	if dot := strings.LastIndexByte(path, '.'); dot > strings.LastIndexByte(path, ']') { // partitions may have a dot in their name
		q.Parent = l.queue(path[:dot])
		q.Parent.Leaf = false
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
