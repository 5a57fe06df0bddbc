package summary

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/format"

	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
)

// Style says how text is written.
type Style struct {
	Color bool
}

func (s Style) bold(text string) string { return s.paint("1", text) }
func (s Style) dim(text string) string  { return s.paint("2", text) }

func (s Style) paint(code, text string) string {
	if !s.Color {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// mostRows bounds the table of queues on a terminal; JSON and the report have them all.
const mostRows = 40

// Text writes the summary for people.
func (s *Summary) Text(w io.Writer, style Style) error {
	b := format.Buffer(w)
	if s.Interrupted {
		fmt.Fprintf(b, "%s\n\n", style.bold("Interrupted: these are the results until then."))
	}
	writePartial(b, []Named{{Summary: s}}, style)
	s.head(b, style)
	s.cluster(b, style)
	s.queues(b, style)
	s.overTime(b, style)
	s.jobs(b, style)
	s.priorities(b, style)
	s.limits(b, style)
	s.gangs(b, style)
	s.quotas(b, style)
	return b.Flush()
}

func (s *Summary) head(w io.Writer, style Style) {
	t := table(style)
	t.Add("nodes", "applications", "asks", "allocated", "pending", "rejected", "preempted")
	t.Add(format.Grouped(s.Nodes), format.Grouped(s.Apps), format.Grouped(s.Asks), format.Grouped(s.Allocated), format.Grouped(s.Pending), format.Grouped(s.Rejected), format.Grouped(s.Preempted))
	t.Write(w, allRight)
	rate := "no time in the scheduler"
	if s.Scheduling > 0 {
		rate = format.Grouped(int(s.AllocationsPerSecond())) + " allocations/s in the scheduler"
	}
	fmt.Fprintf(w, "\n  %s replayed in %s, %s\n", format.Duration(s.Virtual), format.Duration(s.Wall), rate)
	s.makespan(w)
	s.outcomes(w)
	s.preemptions(w)
	s.exceeded(w)
	s.cycles(w)
	s.policies(w)
}

func (s *Summary) cluster(w io.Writer, style Style) {
	if len(s.Cluster) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := table(style)
	header := []string{"cluster", "", "", "used", "capacity"}
	if s.lasted() {
		header = append(header, "mean", "peak")
	}
	t.Add(header...)
	for _, c := range s.Cluster {
		share := resource.Share(c.Used, c.Capacity)
		row := []string{c.Name, bar(share), percent(share), resource.Rounded(c.Name, c.Used), resource.Rounded(c.Name, c.Capacity)}
		if s.lasted() {
			u := s.Usage.Type(c.Name)
			row = append(row, percent(u.Share), percent(u.PeakShare))
		}
		t.Add(row...)
	}
	t.Write(w, func(column int) bool { return column >= 2 })
}

func (s *Summary) queues(w io.Writer, style Style) {
	if len(s.Queues) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := table(style)
	header := []string{"queue"}
	for _, c := range s.Cluster {
		header = append(header, c.Name)
	}
	header = append(header, "wait p50", "p99", "max")
	if s.Preempted > 0 {
		header = append(header, "preempted")
	}
	t.Add(header...)
	shown := s.shown()
	for _, q := range shown {
		t.Add(s.row(q)...)
	}
	t.Write(w, func(column int) bool { return column > 0 })
	fmt.Fprintf(w, "\n  %s\n", style.dim("By type: used, as a share of the guarantee. Waits are of allocated asks."))
	if left := len(s.Queues) - len(shown); left > 0 {
		fmt.Fprintf(w, "  %s\n", style.dim(fmt.Sprintf("%s deeper queues are not listed; --json and --report list all queues.", format.Grouped(left))))
	}
}

// shown are the queues that the terminal has room for.
func (s *Summary) shown() []*ledger.QueueSummary { return s.upper(mostRows) }

// upper are at most so many queues of the upper levels, in the order of the tree.
func (s *Summary) upper(most int) []*ledger.QueueSummary {
	all := make([]*ledger.QueueSummary, len(s.Queues))
	for i := range s.Queues {
		all[i] = &s.Queues[i]
	}
	if len(all) <= most {
		return all
	}
	order := func(a, b *ledger.QueueSummary) int { return depth(a) - depth(b) }
	slices.SortStableFunc(all, order)
	keep := map[*ledger.QueueSummary]bool{}
	for _, q := range all[:most] {
		keep[q] = true
	}
	var rows []*ledger.QueueSummary
	for i := range s.Queues {
		if keep[&s.Queues[i]] {
			rows = append(rows, &s.Queues[i])
		}
	}
	return rows
}

func depth(q *ledger.QueueSummary) int {
	_, path := core.SplitPath(q.Path)
	return strings.Count(path, ".")
}

// treeName is the name of a queue, set in by its level.
func treeName(q *ledger.QueueSummary) string {
	name, levels := q.Path, depth(q)
	if levels > 0 {
		name = name[strings.LastIndexByte(name, '.')+1:]
	}
	return strings.Repeat("  ", levels) + name
}

func (s *Summary) row(q *ledger.QueueSummary) []string {
	cells := []string{treeName(q)}
	for _, c := range s.Cluster {
		cells = append(cells, share(q, c.Name))
	}
	cells = append(cells, wait(q, 50), wait(q, 99), wait(q, 100))
	if s.Preempted > 0 {
		cells = append(cells, format.Grouped(q.Preempted))
	}
	return cells
}

func share(q *ledger.QueueSummary, typ string) string {
	used, _ := q.Used.Value(typ)
	guaranteed, ok := q.Guaranteed.Value(typ)
	if !ok || guaranteed == 0 {
		return resource.Rounded(typ, used)
	}
	return resource.Rounded(typ, used) + " of " + resource.Rounded(typ, guaranteed)
}

func bar(share int64) string {
	const width = 20
	full := int(min(share, resource.ShareUnit) * width / resource.ShareUnit)
	return strings.Repeat("█", full) + strings.Repeat("░", width-full)
}

func percent(share int64) string {
	return fmt.Sprintf("%d %%", share/(resource.ShareUnit/100))
}
