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
	Replaced    *int        `json:"placeholders_replaced,omitempty"`
	Ended       *int        `json:"placeholders_ended,omitempty"`
}

func gangObjects(list []ledger.GangSummary) map[string]gangObject {
	if len(list) == 0 {
		return nil
	}
	all := map[string]gangObject{}
	for i := range list {
		g := &list[i]
		o := gangObject{Formed: g.Formed, TimedOut: g.TimedOut, Withdrawn: g.Withdrawn, Waiting: g.Waiting, WaitSeconds: waitsOf(&g.Waits)}
		if g.Atomic {
			all["atomic"] = o
			continue
		}
		o.Replaced, o.Ended = &g.Replaced, &g.Ended
		all["placeholders"] = o
	}
	return all
}

// gangs says what came of the gangs, where there were any.
func (s *Summary) gangs(w io.Writer, style Style) {
	if len(s.Gangs) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := table(style)
	header, holding := []string{"gangs", "formed", "timed out", "withdrawn", "waiting", "wait p50", "max"}, !s.Gangs[0].Atomic
	if holding {
		header = append(header, "placeholders replaced", "ended")
	}
	t.Add(header...)
	for i := range s.Gangs {
		g := &s.Gangs[i]
		row := []string{"atomic", format.Grouped(g.Formed), format.Grouped(g.TimedOut), format.Grouped(g.Withdrawn), format.Grouped(g.Waiting), "–", "–"}
		if g.Waits.Total() > 0 {
			row[5], row[6] = format.Duration(g.Waits.Percentile(50)), format.Duration(g.Waits.Max())
		}
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
}
