package summary

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
)

// JobTable has the figures of jobs for people, with a row for each queue or user.
type JobTable struct {
	Header []string // what the rows are of, then the figures
	Rows   [][]string
}

// JobTables returns the jobs by queue, and by user if there are several. Without jobs that have ended, it returns none. name names queues.
func (s *Summary) JobTables(queues []*ledger.QueueSummary, name func(*ledger.QueueSummary) string) []JobTable {
	if !s.lasted() || s.Jobs.Turnaround.Total()+s.Jobs.Interrupted == 0 {
		return nil
	}
	tables := []JobTable{{Header: s.jobsHeader("jobs")}}
	for _, q := range queues {
		tables[0].Rows = append(tables[0].Rows, s.jobsRow(name(q), &q.Jobs))
	}
	if len(s.Users) < 2 {
		return tables
	}
	byUser := JobTable{Header: s.jobsHeader("jobs by user")}
	for i := range s.Users {
		byUser.Rows = append(byUser.Rows, s.jobsRow(userName(&s.Users[i]), &s.Users[i].Jobs))
	}
	return append(tables, byUser)
}

// jobs lists the jobs by queue and by user.
func (s *Summary) jobs(w io.Writer, style Style) {
	tables := s.JobTables(s.shown(), treeName)
	for _, x := range tables {
		fmt.Fprintln(w)
		t := folded(style)
		t.Add(x.Header...)
		for _, row := range x.Rows[:min(len(x.Rows), mostRows)] {
			t.Add(row...)
		}
		t.Write(w, func(column int) bool { return column > 0 })
	}
	if len(tables) == 0 {
		return
	}
	fmt.Fprintf(w, "\n  %s\n", style.dim("A job is an ask or a gang; slowdown: turnaround / max(run, 10s). By type: used, times hours."))
	if left := len(s.Users) - mostRows; left > 0 {
		fmt.Fprintf(w, "  %s\n", style.dim(fmt.Sprintf("%s more users are left out here; --json and --report have them.", format.Grouped(left))))
	}
}

func (s *Summary) jobsHeader(name string) []string {
	header := []string{name, "started", "ended"}
	if s.Jobs.Interrupted > 0 {
		header = append(header, "interrupted")
	}
	header = append(header, "wait mean", "p95", "turnaround mean", "p95", "slowdown mean", "p95")
	for _, c := range s.Cluster {
		header = append(header, c.Name+" h")
	}
	return header
}

func userName(u *ledger.UserSummary) string {
	switch {
	case u.Others:
		return "others"
	case u.User == "":
		return "(none)"
	}
	return u.User
}

func (s *Summary) jobsRow(name string, f *ledger.JobFigures) []string {
	row := []string{name, format.Grouped(f.Wait.Total()), format.Grouped(f.Turnaround.Total())}
	if s.Jobs.Interrupted > 0 {
		row = append(row, format.Grouped(f.Interrupted))
	}
	for _, x := range []struct {
		of   *ledger.Sketch
		text func(int64) string
	}{{&f.Wait, spanText}, {&f.Turnaround, spanText}, {&f.Slowdown, slowdownText}} {
		if x.of.Total() == 0 {
			row = append(row, "–", "–")
			continue
		}
		row = append(row, x.text(x.of.Mean()), x.text(x.of.Percentile(95)))
	}
	for _, c := range s.Cluster {
		row = append(row, resource.Rounded(c.Name, s.hours(f, c.Name)))
	}
	return row
}

func (s *Summary) hours(f *ledger.JobFigures, typ string) int64 {
	for i, area := range f.Used {
		if s.Types[i] == typ {
			return area.Hours()
		}
	}
	return 0
}

func spanText(v int64) string { return format.Duration(time.Duration(v)) }

// slowdownText rounds a slowdown down to hundredths, and larger ones to less.
func slowdownText(v int64) string {
	switch {
	case v >= 100*thousand:
		return format.Grouped(int(v / thousand))
	case v >= 10*thousand:
		return thousandths(v / 100 * 100).text()
	}
	return thousandths(v / 10 * 10).text()
}

// exceeded counts the promised ends that passed.
func (s *Summary) exceeded(w io.Writer) {
	if s.Exceeded > 0 {
		fmt.Fprintf(w, "  %s asked to leave after their promised end\n", format.Grouped(s.Exceeded))
	}
}

// cycles counts the preemptions that went round.
func (s *Summary) cycles(w io.Writer) {
	if s.Cycles > 0 {
		fmt.Fprintf(w, "  %s by which a displaced application displaced in return within an hour\n", explain.Count(s.Cycles, "preemption"))
	}
}

// compareJobs adds the figures of jobs, if any have ended.
func compareJobs(add adder, runs []Named) {
	if !slices.ContainsFunc(runs, func(r Named) bool { return r.Summary != nil && r.Jobs.Turnaround.Total() > 0 }) {
		return
	}
	for _, x := range []struct {
		name string
		of   func(*ledger.JobFigures) *ledger.Sketch
		text func(int64) string
	}{
		{"job wait", func(f *ledger.JobFigures) *ledger.Sketch { return &f.Wait }, spanText},
		{"turnaround", func(f *ledger.JobFigures) *ledger.Sketch { return &f.Turnaround }, spanText},
		{"slowdown", func(f *ledger.JobFigures) *ledger.Sketch { return &f.Slowdown }, slowdownText},
	} {
		value := func(value func(*ledger.Sketch) int64) func(*Summary) string {
			return func(s *Summary) string {
				if x.of(&s.Jobs).Total() == 0 {
					return "–"
				}
				return x.text(value(x.of(&s.Jobs)))
			}
		}
		add(x.name+" mean", value((*ledger.Sketch).Mean))
		add("  p95", value(func(s *ledger.Sketch) int64 { return s.Percentile(95) }))
		add("  max", value((*ledger.Sketch).Max))
	}
}
