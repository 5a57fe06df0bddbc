package compare

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/report/html"
	"github.com/quern-project/quern/host/report/summary"
)

// Result is what a policy would have changed.
type Result struct {
	Policy    string           `json:"policy"`
	Points    []string         `json:"points"`
	Journal   string           `json:"journal"`
	Partial   *summary.Partial `json:"partial,omitempty"` // nil: the runs reached the end of the journal
	Before    *Run             `json:"before"`
	After     *Run             `json:"after"`
	Decisions Differences      `json:"decisions"`

	Version    string          `json:"-"` // of the program
	Playground html.Playground `json:"-"` // how a reader opens the journal there
}

// Differences counts the asks whose first allocation differs.
type Differences struct {
	Both       int       `json:"placed_in_both"`
	Moved      int       `json:"on_another_node"`
	Earlier    int       `json:"earlier"`
	Later      int       `json:"later"`
	OnlyBefore int       `json:"only_before"`
	OnlyAfter  int       `json:"only_after"`
	First      []Changed `json:"first"`
}

// Changed is an ask whose first allocation differs. A node is empty where there is no allocation.
type Changed struct {
	Ask        string  `json:"ask"`
	Before     string  `json:"before"`
	After      string  `json:"after"`
	AtBefore   float64 `json:"at_before_seconds"`
	AtAfter    float64 `json:"at_after_seconds"`
	before, at time.Duration
}

// maxListed bounds the list of changed decisions.
const maxListed = 20

// Compare holds two runs against each other.
func Compare(before, after *Run) Differences {
	var d Differences
	for _, id := range before.order {
		was := before.placed[id]
		is, placed := after.placed[id]
		if !placed {
			d.OnlyBefore++
			d.tell(id, was, is)
			continue
		}
		d.both(id, was, is)
	}
	for _, id := range after.order {
		if _, placed := before.placed[id]; !placed {
			d.OnlyAfter++
			d.tell(id, placement{}, after.placed[id])
		}
	}
	return d
}

func (d *Differences) both(id string, was, is placement) {
	d.Both++
	switch {
	case is.at < was.at:
		d.Earlier++
	case is.at > was.at:
		d.Later++
	}
	if was.node != is.node {
		d.Moved++
	}
	if was != is {
		d.tell(id, was, is)
	}
}

func (d *Differences) tell(id string, was, is placement) {
	if len(d.First) < maxListed {
		d.First = append(d.First, Changed{Ask: id, Before: was.node, After: is.node, AtBefore: was.at.Seconds(), AtAfter: is.at.Seconds(), before: was.at, at: is.at})
	}
}

// JSON writes the result as one object.
func (r *Result) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// row is a line of the table of figures.
type row struct {
	name          string
	before, after string
	change        string
}

// rows are the figures side by side.
func (r *Result) rows() []row {
	a, b := r.Before, r.After
	list := []row{
		count("allocated", a.Allocated, b.Allocated),
		count("pending at the end", a.Pending, b.Pending),
		count("preempted", a.Preempted, b.Preempted),
		wait("wait, median", a.Waits.P50, b.Waits.P50),
		wait("wait, 99th percentile", a.Waits.P99, b.Waits.P99),
		wait("wait, longest", a.Waits.Max, b.Waits.Max),
	}
	for _, name := range types(a, b) {
		list = append(list, part("used, "+name, a.Used[name], b.Used[name]))
	}
	for _, name := range types(a, b) {
		list = append(list, part("stranded, "+name, a.Stranded[name], b.Stranded[name]))
	}
	list = append(list, row{"fairness (1: even)", fmt.Sprintf("%.3f", a.Fairness), fmt.Sprintf("%.3f", b.Fairness), fmt.Sprintf("%+.3f", b.Fairness-a.Fairness)})
	if a.Faults+b.Faults > 0 {
		list = append(list, count("policy faults", a.Faults, b.Faults))
	}
	return list
}

func count(name string, a, b int) row {
	return row{name, format.Grouped(a), format.Grouped(b), format.Change(a, b)}
}

func wait(name string, a, b float64) row {
	d := func(v float64) time.Duration { return time.Duration(v * float64(time.Second)) }
	change := format.Duration(d(b - a))
	if b >= a {
		change = "+" + change
	}
	return row{name, format.Duration(d(a)), format.Duration(d(b)), change}
}

func part(name string, a, b float64) row {
	return row{name, fmt.Sprintf("%.1f %%", 100*a), fmt.Sprintf("%.1f %%", 100*b), fmt.Sprintf("%+.1f", 100*(b-a))}
}

// Text writes the result for people.
func (r *Result) Text(w io.Writer) error {
	p := &printer{w: w}
	if r.Partial != nil {
		p.line("  %s", r.Partial)
		p.line("")
	}
	p.line("  %s instead of the policies of the journal, for %s", r.Policy, format.List(r.Points))
	p.line("")
	p.line("  %-26s %14s %14s %12s", "", "before", "after", "change")
	for _, x := range r.rows() {
		p.line("  %-26s %14s %14s %12s", format.Cell(x.name), x.before, x.after, x.change)
	}
	d := r.Decisions
	p.line("")
	p.line("  Of %s asks placed in both runs, %s went to another node, %s earlier, %s later.", format.Grouped(d.Both), format.Grouped(d.Moved), format.Grouped(d.Earlier), format.Grouped(d.Later))
	p.line("  %s were placed only before, %s only after.", format.Grouped(d.OnlyBefore), format.Grouped(d.OnlyAfter))
	for i, c := range d.First {
		if i == 5 {
			break
		}
		p.line("    %s: %s", c.Ask, c.said())
	}
	return p.err
}

// said tells one changed decision.
func (c Changed) said() string {
	switch {
	case c.After == "":
		return fmt.Sprintf("%s at %s before, nowhere after", c.Before, format.Duration(c.before))
	case c.Before == "":
		return fmt.Sprintf("nowhere before, %s at %s after", c.After, format.Duration(c.at))
	case c.before == c.at:
		return fmt.Sprintf("%s before, %s after, at %s", c.Before, c.After, format.Duration(c.at))
	}
	return fmt.Sprintf("%s at %s before, %s at %s after", c.Before, format.Duration(c.before), c.After, format.Duration(c.at))
}

type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(layout string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, format.Line(fmt.Sprintf(layout, args...)))
	}
}
