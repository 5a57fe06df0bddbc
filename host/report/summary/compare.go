package summary

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
)

// Named is a summary with the name of what it ran under.
type Named struct {
	Config   string // the configuration
	Policy   string // the policy in the place of those that the configuration names; empty: none
	*Summary        // nil: the run was interrupted before it began
}

// Name is what the run is called beside others.
func (n Named) Name() string {
	if n.Policy != "" {
		return n.Policy
	}
	return n.Config
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
		Policy string `json:"policy,omitempty"`
		// Verdict says how the run differs from the first, for people.
		Verdict string `json:"verdict,omitempty"`
		object
	}
	var o struct {
		Runs []named `json:"runs"`
	}
	for i, r := range runs {
		verdict := ""
		if i > 0 {
			verdict = Verdict(runs[0], r, r.Name())
		}
		r, _ = r.begun()
		o.Runs = append(o.Runs, named{r.Config, r.Policy, verdict, r.object()})
	}
	return encode(w, o)
}

// Compare writes runs side by side for people, the first of which has begun.
func Compare(w io.Writer, runs []Named, style Style) error {
	out := format.Buffer(w)
	compareInterrupted(out, runs, style)
	writePartial(out, runs, style)
	names := labels(out, runs, style)
	verdicts(out, runs, names)
	t := folded(style)
	header := append([]string{""}, names...)
	two := len(runs) == 2
	if two {
		header = append(header, "change")
	}
	t.Add(header...)
	for _, r := range CompareRows(runs) {
		cells := append([]string{r.Name}, r.Values...)
		if two {
			cells = append(cells, r.Change)
		}
		t.Add(cells...)
	}
	t.Write(out, func(column int) bool { return column > 0 })
	compareQueues(out, runs, names, style)
	return out.Flush()
}

func compareInterrupted(w io.Writer, runs []Named, style Style) {
	interrupted, unbegun := false, 0
	for _, r := range runs {
		r, begun := r.begun()
		interrupted = interrupted || r.Interrupted
		if !begun {
			unbegun++
		}
	}
	text := "Interrupted: these are the results until then."
	switch {
	case !interrupted:
		return
	case unbegun > 0 && len(runs) == 2:
		text = "Interrupted: these are the results until then; the second run had not begun."
	case unbegun > 0:
		text = fmt.Sprintf("Interrupted: this is what was done until then; %d of %d runs had not begun.", unbegun, len(runs))
	}
	fmt.Fprintf(w, "%s\n\n", style.bold(text))
}

// verdicts says of each run how it differs from the first.
func verdicts(w io.Writer, runs []Named, names []string) {
	said := false
	for i := 1; i < len(runs); i++ {
		if text := Verdict(runs[0], runs[i], names[i]); text != "" {
			fmt.Fprintln(w, format.Wrap(text, terminal))
			said = true
		}
	}
	if said {
		fmt.Fprintln(w)
	}
}

// labels are the headings of the columns: names, or letters with a list of what they stand for where names are too long.
func labels(w io.Writer, runs []Named, style Style) []string {
	const first, column, change = 26, 12, 10
	var names []string
	width := first
	for _, r := range runs {
		names = append(names, r.Name())
		width += max(column, 2+utf8.RuneCountInString(r.Name()))
	}
	if len(runs) == 2 {
		width += change
	}
	if width <= terminal {
		return names
	}
	letters := make([]string, len(names))
	for i, name := range names {
		letters[i] = letter(i)
		fmt.Fprintf(w, "  %s  %s\n", style.bold(letters[i]), format.Cell(name))
	}
	fmt.Fprintln(w)
	return letters
}

// letter is A, B, …, Z, AA, AB, …
func letter(i int) string {
	text := string(rune('A' + i%26))
	if i >= 26 {
		text = letter(i/26-1) + text
	}
	return text
}

// Row is a figure of each run, for people. Change is empty where there are not two runs, or where it says nothing.
type Row struct {
	Name   string
	Values []string
	Change string
}

// CompareRows lists the figures of runs side by side.
func CompareRows(runs []Named) []Row {
	var rows []Row
	add := func(name string, of func(*Summary) string) *Row {
		row := Row{Name: name}
		for _, r := range runs {
			value := "–"
			if r.Summary != nil {
				value = of(r.Summary)
			}
			row.Values = append(row.Values, value)
		}
		rows = append(rows, row)
		return &rows[len(rows)-1]
	}
	for _, m := range counts {
		if m.seldom && !slices.ContainsFunc(runs, func(r Named) bool { return r.Summary != nil && m.of(r.Summary) != 0 }) {
			continue
		}
		row := add(m.name, func(s *Summary) string { return format.Grouped(m.of(s)) })
		if len(runs) == 2 && runs[0].Summary != nil && runs[1].Summary != nil {
			row.Change = format.Change(m.of(runs[0].Summary), m.of(runs[1].Summary))
		}
	}
	add("allocations/s", func(s *Summary) string { return format.Grouped(int(s.AllocationsPerSecond())) })
	compareWaits(add)
	compareJobs(add, runs)
	if slices.ContainsFunc(runs, func(r Named) bool { return r.Summary != nil && len(r.Gangs) > 0 }) {
		compareGangs(add)
	}
	lasted := slices.ContainsFunc(runs, func(r Named) bool { return r.Summary != nil && r.lasted() })
	for _, name := range typesOf(runs) {
		add(name+" used", func(s *Summary) string { return resource.Rounded(name, s.clusterType(name).Used) })
		if lasted {
			add("  mean", measured(func(u *ledger.Figures) string { return percent(u.Type(name).Share) }))
			add("  peak", measured(func(u *ledger.Figures) string { return percent(u.Type(name).PeakShare) }))
		}
	}
	if lasted {
		add("pending, mean", measured(func(u *ledger.Figures) string { return thousandths(u.Pending.MeanMilli).text() }))
		add("pending, peak", measured(func(u *ledger.Figures) string { return format.Grouped(u.Pending.Peak) }))
		add("makespan", measured(func(u *ledger.Figures) string { return format.Duration(u.Makespan) }))
	}
	return rows
}

// measured is a figure over time; a dash where nothing was measured.
func measured(of func(*ledger.Figures) string) func(*Summary) string {
	return func(s *Summary) string {
		if s.Usage == nil {
			return "–"
		}
		return of(s.Usage)
	}
}

// adder adds a row.
type adder = func(name string, of func(*Summary) string) *Row

func compareWaits(add adder) {
	asks := (*Summary).Waits
	compareSpan(add, "wait mean", asks, (*ledger.Waits).Mean)
	for _, p := range []int{50, 90, 99} {
		compareSpan(add, "  p"+strconv.Itoa(p), asks, func(w *ledger.Waits) time.Duration { return w.Percentile(p) })
	}
	compareSpan(add, "  max", asks, (*ledger.Waits).Max)
}

// compareGangs adds how long gangs and applications waited, and served.
func compareGangs(add adder) {
	waits := func(s *Summary) *ledger.Waits { w, _ := s.OfGangs(); return w }
	compareSpan(add, "gang wait mean", waits, (*ledger.Waits).Mean)
	compareSpan(add, "  max", waits, (*ledger.Waits).Max)
	compareSpan(add, "gang service mean", func(s *Summary) *ledger.Waits { _, w := s.OfGangs(); return w }, (*ledger.Waits).Mean)
	applications := func(s *Summary) *ledger.Waits { return &s.Applications.Waits }
	compareSpan(add, "application wait mean", applications, (*ledger.Waits).Mean)
	compareSpan(add, "  max", applications, (*ledger.Waits).Max)
	compareSpan(add, "application service mean", func(s *Summary) *ledger.Waits { return &s.Applications.Services }, (*ledger.Waits).Mean)
}

// compareSpan adds a value of spans; a dash if there are none.
func compareSpan(add adder, name string, of func(*Summary) *ledger.Waits, value func(*ledger.Waits) time.Duration) {
	add(name, func(s *Summary) string {
		w := of(s)
		if w.Total() == 0 {
			return "–"
		}
		return format.Duration(value(w))
	})
}

// typesOf lists the resource types of all runs, bytewise.
func typesOf(runs []Named) []string {
	var all []string
	for _, r := range runs {
		if r.Summary == nil {
			continue
		}
		for _, c := range r.Cluster {
			all = append(all, c.Name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (s *Summary) clusterType(name string) ledger.TypeSummary {
	for _, c := range s.Cluster {
		if c.Name == name {
			return c
		}
	}
	return ledger.TypeSummary{Name: name}
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
	{"  by guarantee", true, func(s *Summary) int { return s.Kinds[explain.ByGuarantee] }},
	{"  within a queue", true, func(s *Summary) int { return s.Kinds[explain.ByIntraQueue] }},
	{"  for a required node", true, func(s *Summary) int { return s.Kinds[explain.ByNode] }},
	{"  by quota", true, func(s *Summary) int { return s.Kinds[explain.ByQuota] }},
	{"  of the surplus of gangs", true, func(s *Summary) int { return s.Kinds[explain.BySurplus] }},
	{"gangs formed", true, func(s *Summary) int { return s.gangCount(func(g *ledger.GangSummary) int { return g.Formed }) }},
	{"gangs timed out", true, func(s *Summary) int { return s.gangCount(func(g *ledger.GangSummary) int { return g.TimedOut }) }},
	{"preemption cycles", true, func(s *Summary) int { return s.Cycles }},
	{"promised ends passed", true, func(s *Summary) int { return s.Exceeded }},
	{"jobs interrupted", true, func(s *Summary) int { return s.Jobs.Interrupted }},
	{"only observed", true, func(s *Summary) int { return s.Observed }},
}

// gangCount adds up a count of all kinds of gangs.
func (s *Summary) gangCount(of func(*ledger.GangSummary) int) (n int) {
	for i := range s.Gangs {
		n += of(&s.Gangs[i])
	}
	return n
}
