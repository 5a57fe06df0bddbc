package summary

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/policy/registry"
)

// shadowObject is what came of a shadow, as programs read it.
type shadowObject struct {
	Name      string            `json:"name"`
	Of        string            `json:"of"`
	Point     string            `json:"point"`
	Rounds    int               `json:"rounds"`
	Otherwise int               `json:"otherwise"`
	Faults    int               `json:"faults"`
	First     []otherwiseObject `json:"first"`
}

type otherwiseObject struct {
	At     float64 `json:"at_seconds"`
	Acting string  `json:"acting"`
	Shadow string  `json:"shadow"`
}

func shadowObjects(list []registry.Shadow) []shadowObject {
	var out []shadowObject
	for _, s := range list {
		o := shadowObject{Name: s.Name, Of: s.Of, Point: string(s.Point), Rounds: s.Rounds, Otherwise: s.Differing, Faults: s.Faults, First: []otherwiseObject{}}
		for _, f := range s.First {
			o.First = append(o.First, otherwiseObject{f.At.Seconds(), f.Acting, f.Shadow})
		}
		out = append(out, o)
	}
	return out
}

// timeObject is what the calls of a policy took, as programs read it.
type timeObject struct {
	Calls   int     `json:"calls"`
	Items   int     `json:"items"`
	Seconds float64 `json:"seconds"`
}

func timeObjects(by map[string]PolicyTime) map[string]timeObject {
	out := map[string]timeObject{}
	for name, t := range by {
		out[name] = timeObject{t.Calls, t.Items, t.Took.Seconds()}
	}
	return out
}

// policies says in lines which modules failed or were not used, and what shadows would have done.
func (s *Summary) policies(w io.Writer) {
	for _, name := range slices.Sorted(maps.Keys(s.Faults)) {
		fmt.Fprintf(w, "  policy %s failed %s times\n", format.Cell(name), format.Grouped(s.Faults[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Repeated)) {
		fmt.Fprintf(w, "  policy %s: %s calls failed the first time and were repeated\n", name, format.Grouped(s.Repeated[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Spent)) {
		fmt.Fprintf(w, "  policy %s was asked about %s items in %s calls, which took %s", format.Cell(name),
			format.Grouped(s.Spent[name].Items), format.Grouped(s.Spent[name].Calls), format.Duration(s.Spent[name].Took))
		if s.Scheduling > 0 {
			fmt.Fprintf(w, ", %.0f %% of the time in the scheduler", 100*s.Spent[name].Took.Seconds()/s.Scheduling.Seconds())
		}
		fmt.Fprintln(w)
	}
	for _, text := range s.Unused {
		fmt.Fprintf(w, "  %s\n", text)
	}
	for _, x := range s.Shadows {
		percent := 0.0
		if x.Rounds > 0 {
			percent = 100 * float64(x.Differing) / float64(x.Rounds)
		}
		fmt.Fprintf(w, "  shadow %s of %s, %s: would have put another first in %s of %s rounds (%.1f %%)", format.Cell(x.Name), format.Cell(x.Of), x.Point,
			format.Grouped(x.Differing), format.Grouped(x.Rounds), percent)
		if len(x.First) > 0 {
			f := x.First[0]
			fmt.Fprintf(w, "; first at %s: %s where %s was first", format.Duration(f.At), format.Cell(f.Shadow), format.Cell(f.Acting))
		}
		if x.Faults > 0 {
			fmt.Fprintf(w, "; failed %s times: %s", format.Grouped(x.Faults), format.Line(x.Fault))
		}
		fmt.Fprintln(w)
	}
}
