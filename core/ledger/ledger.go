package ledger

import (
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Ledger records a run. Make one with New.
type Ledger struct {
	Now      time.Duration // of the last Advance
	Types    []string      // by index, in the order in which they occurred
	Queues   []*Queue      // by Index; parents come before children
	Capacity Amounts       // of all nodes of all partitions, including drained ones
	Used     Amounts       // by allocations
	Pending  int           // number of pending asks
	Totals   Totals

	types       map[string]int
	queues      map[string]*Queue
	nodes       map[string]*Node
	apps        map[string]*app
	asks        askTable
	named       map[string]*Ask               // the same asks by ID; nil until the first search by ID, since most runs have none
	renumbered  bool                          // a snapshot was loaded, so decisions carry other positions of its asks than the inputs gave them
	shapes      map[string]*Shape             // by key
	bySet       map[*resource.Quantity]*Shape // those without constraints and node, by the first element of their latest set, since asks share sets
	met         int                           // number of shapes so far
	jobs        map[jobKey]*JobFigures
	userNumbers map[string]int     // from 1
	finished    ApplicationSummary // of applications that have ended, and counts of the others; Waiting is not kept
	gangs       *gangs             // nil before the first outcome
	refused     outcomes           // by decision and reason
	ended       outcomes           // asks and allocations, by reason
	endings     *Endings           // nil if endings are not remembered
	runs        *RunTimes          // nil if run times are not remembered
	cycles      Cycles
	spare       []*Ask
	oldest      *Ask // first and last pending ask, in order of submission
	newest      *Ask
	watchers    []Watcher
	changed     time.Duration // of the last input or decision
	started     bool
}

// New makes an empty ledger.
func New(watchers ...Watcher) *Ledger {
	return &Ledger{
		types:       map[string]int{},
		queues:      map[string]*Queue{},
		nodes:       map[string]*Node{},
		apps:        map[string]*app{},
		shapes:      map[string]*Shape{},
		jobs:        map[jobKey]*JobFigures{},
		userNumbers: map[string]int{},
		bySet:       map[*resource.Quantity]*Shape{},
		watchers:    watchers,
	}
}

// Watch adds a watcher, which is called from now on.
func (l *Ledger) Watch(w Watcher) { l.watchers = append(l.watchers, w) }

// Remember makes the ledger record endings from now on.
func (l *Ledger) Remember(e *Endings) { l.endings = e }

// RememberRuns makes the ledger record run times from now on.
func (l *Ledger) RememberRuns(r *RunTimes) { l.runs = r }

// Oldest returns the ask that has waited longest, or nil if none is pending.
func (l *Ledger) Oldest() *Ask { return l.oldest }

// Allocations returns the number of allocations.
func (l *Ledger) Allocations() int { return l.asks.alive - l.Pending }

// Waits returns the waits of all asks that were allocated.
func (l *Ledger) Waits() Waits {
	var all Waits
	for _, q := range l.Queues {
		all.merge(&q.waits)
	}
	return all
}

// Advance sets the time.
func (l *Ledger) Advance(to time.Duration) {
	if l.started && to == l.Now {
		return
	}
	for _, w := range l.watchers {
		w.Until(to)
	}
	l.Now, l.started = to, true
}

// Applied records an input with the result of Apply and the decisions that it caused.
func (l *Ledger) Applied(in *core.Input, refused core.Reason, decisions []core.Decision) {
	l.changed = l.Now
	if _, ok := in.Event.(*core.AddAsk); ok {
		l.Totals.Asks++
	}
	if l.endings != nil {
		l.endings.Step(in, refused, nil)
	}
	if l.runs != nil {
		l.runs.Step(in, refused, nil)
	}
	if refused == core.Accepted {
		l.follow(in.Event)
	}
	l.Decided(decisions)
	if app, ok := in.Event.(*core.AddApp); ok && refused == core.Accepted {
		l.newApp(app)
	}
}

// Decided records decisions.
func (l *Ledger) Decided(decisions []core.Decision) {
	if l.endings != nil {
		l.endings.Step(nil, core.Accepted, decisions)
	}
	if l.runs != nil {
		l.runs.Step(nil, core.Accepted, decisions)
	}
	for i := range decisions {
		l.changed = l.Now
		d := &decisions[i]
		l.decision(d)
		for _, w := range l.watchers {
			w.Decided(d)
		}
	}
}

// Finish ends the run: it calls Until of the watchers for the last time.
func (l *Ledger) Finish() {
	for _, w := range l.watchers {
		w.Until(l.Now)
	}
}

// askOf returns the live ask that a decision is about.
func (l *Ledger) askOf(d *core.Decision) *Ask {
	if l.renumbered {
		return l.ask(d.ID)
	}
	return l.asks.at(d.Submission)
}

// ask returns the live ask with an ID, or nil.
func (l *Ledger) ask(id string) *Ask {
	if l.named == nil {
		l.named = l.asks.byID()
	}
	return l.named[id]
}

// queue returns the record of a queue by its shown path. It makes it and those of its ancestors if necessary.
func (l *Ledger) queue(path string) *Queue {
	if q := l.queues[path]; q != nil {
		return q
	}
	q := &Queue{Path: path, Leaf: true}
	if dot := strings.LastIndexByte(path, '.'); dot > strings.LastIndexByte(path, ']') { // names of partitions may contain dots
		q.Parent = l.queue(path[:dot])
		q.Parent.Leaf = false
	}
	q.Index = len(l.Queues)
	l.Queues = append(l.Queues, q)
	l.queues[path] = q
	return q
}

// amounts converts a set.
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
