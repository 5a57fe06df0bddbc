package summary

import (
	"fmt"
	"io"
	"slices"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/format"
)

// compareQueues lists the queues of all runs, with the waits that people ask about first, and with victims where there are any.
func compareQueues(w io.Writer, runs []Named, names []string, style Style) {
	queues := ComparedQueues(runs, mostRows)
	tables := []struct {
		name string
		of   func(*ledger.QueueSummary) string
		any  func(*Summary) bool
	}{
		{"wait p50, p99, max", func(q *ledger.QueueSummary) string {
			if q.Waits.Total() == 0 {
				return "–"
			}
			return wait(q, 50) + ", " + wait(q, 99) + ", " + wait(q, 100)
		}, func(*Summary) bool { return true }},
		{"preempted", func(q *ledger.QueueSummary) string { return format.Grouped(q.Preempted) }, func(s *Summary) bool { return s.Preempted > 0 }},
		{"by quota", func(q *ledger.QueueSummary) string { return format.Grouped(q.ByQuota) }, func(s *Summary) bool { return s.Kinds[explain.ByQuota] > 0 }},
	}
	for _, x := range tables {
		if !slices.ContainsFunc(runs, func(r Named) bool { return r.Summary != nil && x.any(r.Summary) }) {
			continue
		}
		fmt.Fprintln(w)
		t := folded(style)
		t.Add(append([]string{x.name}, names...)...)
		for _, path := range queues {
			cells := []string{path}
			for _, r := range runs {
				cell := "–"
				if q := r.queue(path); q != nil {
					cell = x.of(q)
				}
				cells = append(cells, cell)
			}
			t.Add(cells...)
		}
		t.Write(w, func(column int) bool { return column > 0 })
	}
	fmt.Fprintf(w, "\n  %s\n", style.dim("Waits until allocation by queue: the median, the 99th percentile and the longest."))
}

// ComparedQueues lists the paths of at most so many queues: the upper levels of the first run in the order of the tree, then those
// that others add.
func ComparedQueues(runs []Named, most int) []string {
	var all []string
	seen := map[string]bool{}
	for i, r := range runs {
		if r.Summary == nil {
			continue
		}
		for _, q := range r.upper(most) {
			if seen[q.Path] || i > 0 && (len(all) >= most || runs[0].queue(q.Path) != nil) {
				continue
			}
			seen[q.Path] = true
			all = append(all, q.Path)
		}
	}
	return all
}

// queue finds a queue by its shown path; nil: the run has none.
func (n Named) queue(path string) *ledger.QueueSummary {
	if n.Summary == nil {
		return nil
	}
	for i := range n.Queues {
		if n.Queues[i].Path == path {
			return &n.Queues[i]
		}
	}
	return nil
}

func wait(q *ledger.QueueSummary, p int) string {
	if q == nil || q.Waits.Total() == 0 {
		return "–"
	}
	return format.Duration(q.Waits.Percentile(p))
}
