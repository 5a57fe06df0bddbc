package summary

import (
	"fmt"
	"io"

	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
)

// mostLimits bounds the users and groups that a terminal shows: those that came nearest to their limits.
const mostLimits = 8

// limitObject is how near a user or a group came to a limit, as programs read it. One of User and Group is there.
type limitObject struct {
	Queue           string        `json:"queue"`
	User            *string       `json:"user,omitempty"`
	Group           *string       `json:"group,omitempty"`
	Share           float64       `json:"share"`
	At              float64       `json:"at_seconds"`
	Used            amountsObject `json:"used"`
	Max             amountsObject `json:"max"`
	Applications    int           `json:"applications"`
	MaxApplications uint64        `json:"max_applications,omitempty"`
	UsedAtEnd       amountsObject `json:"used_at_end,omitempty"`
}

func limitObjects(list []ledger.LimitPeak) []limitObject {
	var all []limitObject
	for _, p := range list {
		o := limitObject{
			Queue: p.Queue, Share: float64(p.Share) / resource.ShareUnit, At: p.At.Seconds(), Used: amountsObject(p.Used), Max: amountsObject(p.Max),
			Applications: p.Applications, MaxApplications: p.MaxApplications, UsedAtEnd: amountsObject(p.Final),
		}
		name := p.Name
		if o.User = &name; p.Group {
			o.User, o.Group = nil, &name
		}
		all = append(all, o)
	}
	return all
}

// limits lists the users and groups that came nearest to their limits.
func (s *Summary) limits(w io.Writer, style Style) {
	if len(s.Limits) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := table(style)
	t.Add("limit of", "in", "", "", "most used", "at the end")
	shown := s.Limits[:min(len(s.Limits), mostLimits)]
	for i := range shown {
		p := &shown[i]
		most, final := nearest(p)
		t.Add(limitOf(p), p.Queue, bar(p.Share), percent(p.Share), most, final)
	}
	t.Write(w, func(column int) bool { return column == 3 || column == 5 })
	reached := 0
	for i := range s.Limits {
		if s.Limits[i].Share >= resource.ShareUnit {
			reached++
		}
	}
	verb := "were"
	if reached == 1 {
		verb = "was"
	}
	text := fmt.Sprintf("%s of %s limits in use %s reached.", format.Grouped(reached), format.Grouped(len(s.Limits)), verb)
	if len(s.Limits) > len(shown) {
		text += " --json and --report list all of them."
	}
	fmt.Fprintf(w, "\n  %s\n", style.dim(text))
}

func limitOf(p *ledger.LimitPeak) string {
	kind := "user "
	if p.Group {
		kind = "group "
	}
	if p.Name == "" {
		return kind + "without a name"
	}
	return kind + p.Name
}

// nearest says what of a limit was used most, and what of that in the end.
func nearest(p *ledger.LimitPeak) (most, final string) {
	for i, q := range p.Max {
		if used := p.Used[i].Value; resource.Share(used, q.Value) == p.Share {
			final = "–"
			if p.Final != nil {
				final = resource.Rounded(q.Type, p.Final[i].Value)
			}
			return fmt.Sprintf("%s %s of %s", q.Type, resource.Rounded(q.Type, used), resource.Rounded(q.Type, q.Value)), final
		}
	}
	return fmt.Sprintf("%d of %d applications", p.Applications, p.MaxApplications), "–"
}
