package html

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
)

// mostLongest is how many waits the page lists.
const mostLongest = 10

// How a wait ended.
const (
	stillPending = "still pending"
	allocated    = "allocated"
	withdrawn    = "withdrawn"
)

// longest keeps the longest waits, and asks now and then why the oldest of those that wait do so. Asks of one queue
// that want the same wait for the same reason, so an answer serves all of them, and they are shown as one.
type longest struct {
	groups  map[groupKey]*wait
	waits   []*wait // longest first, once the run is over
	reasons map[reasonKey]reason
	spent   int
}

type groupKey struct {
	reasonKey
	end string
}

type reasonKey struct {
	queue *ledger.Queue
	shape *ledger.Shape
}

type reason struct {
	at      time.Duration
	text    string
	cause   string // half a sentence; may be empty
	verdict string // whether and what it could preempt
	codes   []core.Reason
}

// reasonOf is why an ask waits, as of a time.
func reasonOf(e explain.AskExplanation, s *ledger.Shape, at time.Duration) reason {
	return reason{at: at, cause: causeOf(e, s), text: strings.TrimSpace(strings.TrimSuffix(e.Text, e.Preemption)), verdict: e.Preemption, codes: e.Reasons}
}

// wait is the waits of asks that are alike, and the longest of them.
type wait struct {
	id, queue, node string
	priority        int32
	wants           string
	since, length   time.Duration
	end             string
	why             reason
	all             ledger.Waits
	shape           *ledger.Shape
}

// Bounds on what asking may cost: what is kept, and how many asks and allocations are looked at in all. An allocation may
// be a victim, and to find that out takes longer.
const (
	mostReasons   = 4096
	mostSpent     = 300_000_000
	perAllocation = 10
)

// ask asks why the oldest wait.
func (l *longest) ask(books *ledger.Ledger, s Scheduler) {
	if len(l.reasons) > mostReasons {
		clear(l.reasons)
	}
	n := 0
	for a := books.Oldest(); a != nil && n < mostLongest && l.spent < mostSpent; a = a.Next() {
		n++
		key := reasonKey{a.Queue, a.Shape}
		if known, ok := l.reasons[key]; ok && known.at == books.Now {
			continue
		}
		l.spent += books.Pending + perAllocation*books.Allocations()
		if e, ok := s.ExplainAsk(a.ID); ok && e.Pending {
			l.reasons[key] = reasonOf(e, a.Shape, books.Now)
		}
	}
}

// mostGroups bounds the groups that are kept. Of more, those with the longest waits stay.
const mostGroups = 2000

// offer enters a wait.
func (l *longest) offer(books *ledger.Ledger, a *ledger.Ask, end string) {
	length := books.Now - a.Submitted
	if length <= 0 && end != stillPending {
		return
	}
	key := groupKey{reasonKey{a.Queue, a.Shape}, end}
	w := l.groups[key]
	if w == nil {
		if len(l.groups) >= mostGroups {
			l.thin()
		}
		w = &wait{queue: a.Queue.Path, end: end, wants: wants(a.Shape, books.Types), shape: a.Shape}
		l.groups[key] = w
	}
	w.all.Add(length)
	if length <= w.length && w.id != "" {
		return
	}
	w.id, w.priority, w.since, w.length, w.node = a.ID, a.Priority, a.Submitted, length, ""
	if a.Node != nil {
		w.node = a.Node.ID
	}
	if known := l.reasons[key.reasonKey]; known.at >= a.Submitted && known.text != "" {
		w.why = known
	}
}

// thin leaves half of the groups, those with the longest waits.
func (l *longest) thin() {
	all := l.sorted()
	keep := map[*wait]bool{}
	for _, w := range all[:mostGroups/2] {
		keep[w] = true
	}
	for key, w := range l.groups {
		if !keep[w] {
			delete(l.groups, key)
		}
	}
}

// sorted lists the groups, those with the longest waits first.
func (l *longest) sorted() []*wait {
	return slices.SortedFunc(maps.Values(l.groups), func(a, b *wait) int {
		return cmp.Or(-cmp.Compare(a.length, b.length), cmp.Compare(a.since, b.since), strings.Compare(a.id, b.id), strings.Compare(a.end, b.end))
	})
}

// finish enters those that still wait, and asks for the reasons of this moment.
func (l *longest) finish(books *ledger.Ledger, s Scheduler) {
	for a := books.Oldest(); a != nil; a = a.Next() {
		l.offer(books, a, stillPending)
	}
	l.waits = l.sorted()
	l.waits = l.waits[:min(len(l.waits), mostLongest)]
	for _, w := range l.waits {
		if w.end != stillPending {
			continue
		}
		if e, ok := s.ExplainAsk(w.id); ok && e.Pending {
			w.why = reasonOf(e, w.shape, books.Now)
		}
	}
}

// long counts the asks that waited at least half as long as the longest.
func (w *wait) long() (n int) {
	for _, c := range w.all.Counts() {
		if c.Value >= w.length/2 {
			n += c.Times
		}
	}
	return n
}

// wants writes what a shape asks for, for people.
func wants(s *ledger.Shape, types []string) string {
	var parts []string
	for i, v := range s.Amounts {
		if v > 0 {
			parts = append(parts, types[i]+" "+resource.Rounded(types[i], v))
		}
	}
	slices.Sort(parts)
	names := make([]string, 0, len(s.Constraints))
	for name := range s.Constraints {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		parts = append(parts, name+" in "+strconv.Quote(strings.Join(s.Constraints[name], ", ")))
	}
	if s.Node != "" {
		parts = append(parts, "only on "+s.Node)
	}
	return strings.Join(parts, ", ")
}
