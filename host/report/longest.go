package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/host/format"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
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
// that want the same wait for the same reason, so an answer serves all of them.
type longest struct {
	waits   []wait // longest first
	reasons map[reasonKey]reason
	spent   int
}

type reasonKey struct {
	queue *ledger.Queue
	shape *ledger.Shape
}

type reason struct {
	at      time.Duration
	text    string
	verdict string // on whom it could preempt
	codes   []core.Reason
}

// reasonOf is why an ask waits, as of a time.
func reasonOf(e core.AskExplanation, at time.Duration) reason {
	return reason{at: at, text: strings.TrimSpace(strings.TrimSuffix(e.Text, e.Verdict)), verdict: e.Verdict, codes: e.Reasons}
}

type wait struct {
	id, queue, node string
	priority        int32
	wants           string
	since, length   time.Duration
	end             string
	why             reason
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
			l.reasons[key] = reasonOf(e, books.Now)
		}
	}
}

// offer enters a wait if it is one of the longest.
func (l *longest) offer(books *ledger.Ledger, a *ledger.Ask, end string) {
	length := books.Now - a.Submitted
	if length <= 0 || len(l.waits) == mostLongest && length <= l.waits[mostLongest-1].length {
		return
	}
	w := wait{
		id: a.ID, queue: a.Queue.Path, priority: a.Priority, since: a.Submitted, length: length, end: end,
		wants: wants(a.Shape, books.Types),
	}
	if a.Node != nil {
		w.node = a.Node.ID
	}
	if known := l.reasons[reasonKey{a.Queue, a.Shape}]; known.at >= a.Submitted {
		w.why = known
	}
	l.insert(w)
}

func (l *longest) insert(w wait) {
	i, _ := slices.BinarySearchFunc(l.waits, w, func(x, y wait) int { return cmp.Or(-cmp.Compare(x.length, y.length), -1) })
	l.waits = slices.Insert(l.waits, i, w)
	l.waits = l.waits[:min(len(l.waits), mostLongest)]
}

// finish enters those that still wait, with the reasons of this moment.
func (l *longest) finish(books *ledger.Ledger, s Scheduler) {
	n := 0
	for a := books.Oldest(); a != nil && n < mostLongest; a = a.Next() {
		n++
		l.offer(books, a, stillPending)
	}
	for i := range l.waits {
		w := &l.waits[i]
		if w.end != stillPending {
			continue
		}
		if e, ok := s.ExplainAsk(w.id); ok && e.Pending {
			w.why = reasonOf(e, books.Now)
		}
	}
}

// wants writes what a shape asks for, for people.
func wants(s *ledger.Shape, types []string) string {
	var parts []string
	for i, v := range s.Amounts {
		if v > 0 {
			parts = append(parts, types[i]+" "+format.Amount(types[i], v))
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
