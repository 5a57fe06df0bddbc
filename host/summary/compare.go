package summary

import (
	"bufio"
	"fmt"
	"io"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/format"
)

// Named is a summary with the name of the configuration that it ran under.
type Named struct {
	Config   string
	*Summary // nil: the run was interrupted before it began
}

// begun gives a run that did not begin the summary of nothing.
func (n Named) begun() (Named, bool) {
	if n.Summary != nil {
		return n, true
	}
	n.Summary = &Summary{Interrupted: true}
	return n, false
}

// CompareJSON writes one object with the summaries in a list.
func CompareJSON(w io.Writer, runs ...Named) error {
	type named struct {
		Config string `json:"config"`
		object
	}
	var o struct {
		Runs []named `json:"runs"`
	}
	for _, r := range runs {
		r, _ = r.begun()
		o.Runs = append(o.Runs, named{r.Config, r.object()})
	}
	return encode(w, o)
}

// Compare writes two runs side by side for people.
func Compare(w io.Writer, a, b Named, style Style) error {
	out := bufio.NewWriter(w)
	b, begun := b.begun()
	switch {
	case !begun:
		fmt.Fprintf(out, "%s\n\n", style.bold("Interrupted: this is what was done until then; the second run had not begun."))
	case a.Interrupted || b.Interrupted:
		fmt.Fprintf(out, "%s\n\n", style.bold("Interrupted: this is what was done until then."))
	}
	t := table(style)
	t.Add("", a.Config, b.Config, "change")
	for _, m := range counts {
		x, y := m.of(a.Summary), m.of(b.Summary)
		switch {
		case m.seldom && x == 0 && y == 0:
		case begun:
			t.Add(m.name, format.Grouped(x), format.Grouped(y), format.Change(x, y))
		default:
			t.Add(m.name, format.Grouped(x), "–", "")
		}
	}
	if begun {
		t.Add("allocations/s", format.Grouped(int(a.AllocationsPerSecond())), format.Grouped(int(b.AllocationsPerSecond())), "")
	} else {
		t.Add("allocations/s", format.Grouped(int(a.AllocationsPerSecond())), "–", "")
	}
	compareCluster(t, a.Summary, b.Summary, begun)
	t.Write(out, func(column int) bool { return column > 0 })
	compareQueues(out, a, b, style)
	return out.Flush()
}

var counts = []struct {
	name   string
	seldom bool // shown only where there is any
	of     func(*Summary) int
}{
	{"asks", false, func(s *Summary) int { return s.Asks }},
	{"allocated", false, func(s *Summary) int { return s.Allocated }},
	{"pending", false, func(s *Summary) int { return s.Pending }},
	{"rejected", false, func(s *Summary) int { return s.Rejected }},
	{"preempted", false, func(s *Summary) int { return s.Preempted }},
	{"  by guarantee", true, func(s *Summary) int { return s.Kinds[core.ByGuarantee] }},
	{"  within a queue", true, func(s *Summary) int { return s.Kinds[core.ByIntraQueue] }},
	{"  for a required node", true, func(s *Summary) int { return s.Kinds[core.ByNode] }},
	{"  by quota", true, func(s *Summary) int { return s.Kinds[core.ByQuota] }},
	{"gangs formed", true, func(s *Summary) int { return s.gangCount(func(g *ledger.GangSummary) int { return g.Formed }) }},
	{"gangs timed out", true, func(s *Summary) int { return s.gangCount(func(g *ledger.GangSummary) int { return g.TimedOut }) }},
	{"only observed", true, func(s *Summary) int { return s.Observed }},
}

// gangCount adds up a count of all kinds of gangs.
func (s *Summary) gangCount(of func(*ledger.GangSummary) int) (n int) {
	for i := range s.Gangs {
		n += of(&s.Gangs[i])
	}
	return n
}

func compareCluster(t *format.Table, a, b *Summary, begun bool) {
	other := map[string]ledger.TypeSummary{}
	for _, c := range b.Cluster {
		other[c.Name] = c
	}
	for _, c := range a.Cluster {
		second := "–"
		if begun {
			second = format.Amount(c.Name, other[c.Name].Used)
		}
		t.Add(c.Name+" used", format.Amount(c.Name, c.Used), second, "")
	}
}

// compareQueues lists the queues of both, with the waits that people ask about first.
func compareQueues(w io.Writer, a, b Named, style Style) {
	other := map[string]*ledger.QueueSummary{}
	for i := range b.Queues {
		other[b.Queues[i].Path] = &b.Queues[i]
	}
	t := table(style)
	taken := takenFrom(a, b)
	header := []string{"queue", "p50 " + a.Config, "p50 " + b.Config, "p99 " + a.Config, "p99 " + b.Config, "max " + a.Config, "max " + b.Config}
	for _, v := range taken {
		header = append(header, v.name+" "+a.Config, v.name+" "+b.Config)
	}
	t.Add(header...)
	rows := a.shown()
	for _, q := range rows {
		t.Add(pair(q.Path, q, other[q.Path], taken)...)
		delete(other, q.Path)
	}
	shown := len(rows)
	for i := range b.Queues {
		if q := &b.Queues[i]; other[q.Path] != nil && shown < mostRows && !has(a.Queues, q.Path) {
			t.Add(pair(q.Path, nil, q, taken)...)
			shown++
		}
	}
	fmt.Fprintln(w)
	t.Write(w, func(column int) bool { return column > 0 })
	fmt.Fprintf(w, "\n  %s\n", style.dim("Waits until allocation by queue, first configuration beside second."))
}

func has(queues []ledger.QueueSummary, path string) bool {
	for i := range queues {
		if queues[i].Path == path {
			return true
		}
	}
	return false
}

// pair is a row of both runs, with the victims if there are any at all.
func pair(path string, a, b *ledger.QueueSummary, taken []victimCount) []string {
	cells := []string{path}
	for _, p := range []int{50, 99, 100} {
		cells = append(cells, wait(a, p), wait(b, p))
	}
	for _, v := range taken {
		cells = append(cells, v.text(a), v.text(b))
	}
	return cells
}

// victimCount is a count of victims by queue.
type victimCount struct {
	name string
	of   func(*ledger.QueueSummary) int
}

// takenFrom are the counts of victims that are not zero in both runs.
func takenFrom(a, b Named) []victimCount {
	var all []victimCount
	if a.Preempted > 0 || b.Preempted > 0 {
		all = append(all, victimCount{"preempted", func(q *ledger.QueueSummary) int { return q.Preempted }})
	}
	if a.Kinds[core.ByQuota] > 0 || b.Kinds[core.ByQuota] > 0 {
		all = append(all, victimCount{"by quota", func(q *ledger.QueueSummary) int { return q.ByQuota }})
	}
	return all
}

func (v *victimCount) text(q *ledger.QueueSummary) string {
	if q == nil {
		return "–"
	}
	return format.Grouped(v.of(q))
}

func wait(q *ledger.QueueSummary, p int) string {
	if q == nil || q.Waits.Total() == 0 {
		return "–"
	}
	return format.Duration(q.Waits.Percentile(p))
}
