package summary

import (
	"fmt"
	"io"

	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/format"
)

// gangObject is what came of the gangs of one kind, as programs read it.
type gangObject struct {
	Formed      int         `json:"formed"`
	TimedOut    int         `json:"timed_out"`
	Withdrawn   int         `json:"withdrawn"`
	Waiting     int         `json:"waiting"`
	WaitSeconds waitsObject `json:"wait_seconds"`
	Service     waitsObject `json:"service_seconds"`
	endsObject
	Replaced *int `json:"placeholders_replaced,omitempty"`
	Ended    *int `json:"placeholders_ended,omitempty"`
}

// applicationsObject says how long applications waited and ran, as programs read it.
type applicationsObject struct {
	Started     int         `json:"started"`
	Waiting     int         `json:"waiting"`
	Withdrawn   int         `json:"withdrawn"`
	WaitSeconds waitsObject `json:"wait_seconds"`
	Service     waitsObject `json:"service_seconds"`
	endsObject
}

// applicationsObject is nil without applications that asked for something.
func (s *Summary) applicationsObject() *applicationsObject {
	j := &s.Applications
	if j.Started+j.Waiting+j.Withdrawn == 0 {
		return nil
	}
	return &applicationsObject{j.Started, j.Waiting, j.Withdrawn, waitsOf(&j.Waits), waitsOf(&j.Services), endsOf(&j.JobEnds)}
}

func gangObjects(list []ledger.GangSummary) map[string]gangObject {
	if len(list) == 0 {
		return nil
	}
	all := map[string]gangObject{}
	for i := range list {
		g := &list[i]
		o := gangObject{Formed: g.Formed, TimedOut: g.TimedOut, Withdrawn: g.Withdrawn, Waiting: g.Waiting, WaitSeconds: waitsOf(&g.Waits), Service: waitsOf(&g.Services), endsObject: endsOf(&g.JobEnds)}
		if g.Atomic {
			all["atomic"] = o
			continue
		}
		o.Replaced, o.Ended = &g.Replaced, &g.Ended
		all["placeholders"] = o
	}
	return all
}

// spans are the columns of how long gangs and applications waited and served.
var spans = []string{"wait p50", "max", "service p50", "max"}

func spanCells(waits, services *ledger.Waits) (cells []string) {
	for _, w := range []*ledger.Waits{waits, services} {
		if w.Total() == 0 {
			cells = append(cells, "–", "–")
			continue
		}
		cells = append(cells, format.Duration(w.Percentile(50)), format.Duration(w.Max()))
	}
	return cells
}

// gangs says what came of the gangs, and of the applications beside them, where there were any.
func (s *Summary) gangs(w io.Writer, style Style) {
	if len(s.Gangs) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := table(style)
	header, holding := append([]string{"gangs", "formed", "timed out", "withdrawn", "waiting"}, spans...), !s.Gangs[0].Atomic
	if holding {
		header = append(header, "placeholders replaced", "ended")
	}
	t.Add(header...)
	for i := range s.Gangs {
		g := &s.Gangs[i]
		row := []string{"atomic", format.Grouped(g.Formed), format.Grouped(g.TimedOut), format.Grouped(g.Withdrawn), format.Grouped(g.Waiting)}
		row = append(row, spanCells(&g.Waits, &g.Services)...)
		switch {
		case !g.Atomic:
			row[0] = "by placeholders"
			row = append(row, format.Grouped(g.Replaced), format.Grouped(g.Ended))
		case holding:
			row = append(row, "–", "–")
		}
		t.Add(row...)
	}
	t.Write(w, func(column int) bool { return column > 0 })
	s.applications(w, style)
}

// applications says how long the applications waited until their first task was allocated, and for how long they had some.
func (s *Summary) applications(w io.Writer, style Style) {
	j := &s.Applications
	fmt.Fprintln(w)
	t := table(style)
	t.Add(append([]string{"applications", "started", "withdrawn", "waiting"}, spans...)...)
	all := j.Started + j.Withdrawn + j.Waiting
	row := []string{format.Grouped(all), format.Grouped(j.Started), format.Grouped(j.Withdrawn), format.Grouped(j.Waiting)}
	t.Add(append(row, spanCells(&j.Waits, &j.Services)...)...)
	t.Write(w, allRight)
}
