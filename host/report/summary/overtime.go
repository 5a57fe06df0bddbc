package summary

import (
	"fmt"
	"io"
	"strconv"

	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
)

// lasted reports whether there is anything to say of the time of the run.
func (s *Summary) lasted() bool { return s.Usage != nil && s.Virtual > 0 }

func (s *Summary) makespan(w io.Writer) {
	if s.lasted() {
		fmt.Fprintf(w, "  makespan %s; pending asks: %s on average, %s at the peak\n",
			format.Duration(s.Usage.Makespan), thousandths(s.Usage.Pending.MeanMilli).text(), format.Grouped(s.Usage.Pending.Peak))
	}
}

// overTime lists averages and peaks of the queues.
func (s *Summary) overTime(w io.Writer, style Style) {
	if !s.lasted() || len(s.Queues) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := folded(style)
	header := []string{"over time"}
	for _, c := range s.Cluster {
		header = append(header, c.Name)
	}
	t.Add(append(header, "pending", "wait mean", "p90")...)
	for _, q := range s.shown() {
		u := s.Usage.Queue(q.Path)
		row := []string{treeName(q)}
		for _, c := range s.Cluster {
			row = append(row, meanAndPeak(u.Type(c.Name)))
		}
		row = append(row, pendingText(u.Pending))
		if q.Waits.Total() == 0 {
			row = append(row, "–", "–")
		} else {
			row = append(row, format.Duration(q.Waits.Mean()), format.Duration(q.Waits.Percentile(90)))
		}
		t.Add(row...)
	}
	t.Write(w, func(column int) bool { return column > 0 })
	fmt.Fprintf(w, "\n  %s\n", style.dim("By type, and pending asks: mean, and peak."))
}

func meanAndPeak(t ledger.TypeFigures) string {
	if t.Peak == 0 {
		return "–"
	}
	return resource.Rounded(t.Name, t.Mean) + ", " + resource.Rounded(t.Name, t.Peak)
}

func pendingText(c ledger.Counts) string {
	if c.Peak == 0 {
		return "–"
	}
	return thousandths(c.MeanMilli).text() + ", " + format.Grouped(c.Peak)
}

// priorities lists the waits by priority, where there is more than one.
func (s *Summary) priorities(w io.Writer, style Style) {
	if s.Usage == nil || len(s.Usage.Priorities) < 2 {
		return
	}
	fmt.Fprintln(w)
	t := folded(style)
	t.Add("priority", "allocated", "wait mean", "p50", "p90", "p99", "max")
	for i := range s.Usage.Priorities[:min(mostPriorities, len(s.Usage.Priorities))] {
		p := &s.Usage.Priorities[i]
		name := strconv.Itoa(int(p.Priority))
		if p.Others {
			name = "others"
		}
		row := []string{name, format.Grouped(p.Waits.Total()), format.Duration(p.Waits.Mean())}
		for _, percent := range []int{50, 90, 99, 100} {
			row = append(row, format.Duration(p.Waits.Percentile(percent)))
		}
		t.Add(row...)
	}
	t.Write(w, allRight)
	if left := len(s.Usage.Priorities) - mostPriorities; left > 0 {
		fmt.Fprintf(w, "\n  %s\n", style.dim(fmt.Sprintf("%d lower priorities are left out here; --json has them all.", left)))
	}
}

// mostPriorities bounds the priorities that a terminal shows: the highest.
const mostPriorities = 12
