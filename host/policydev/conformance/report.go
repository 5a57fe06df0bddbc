package conformance

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/policydev"
)

// Report is what the checks came to. The names in JSON are part of the interface.
type Report struct {
	File   string   `json:"file"`
	Policy string   `json:"policy"`
	SHA256 string   `json:"sha256"`
	Passed bool     `json:"passed"`
	Checks []Check  `json:"checks"`
	Log    []string `json:"log,omitempty"` // the last lines that the policy wrote

	told func(*Check) // nil: nobody is
}

// Check is one check.
type Check struct {
	Group    string `json:"group"`
	Name     string `json:"check"`
	Result   Result `json:"result"`
	Expected string `json:"expected,omitempty"`
	Found    string `json:"found,omitempty"`
	Note     string `json:"note,omitempty"`
}

// Result is ok, failed or skipped.
type Result string

const (
	passed  Result = "ok"
	failed  Result = "failed"
	skipped Result = "skipped"
)

func newReport(s *policydev.Subject) *Report {
	return &Report{File: s.File, Policy: s.Name, SHA256: s.SHA256, Passed: true}
}

func (r *Report) add(c Check) {
	r.Checks = append(r.Checks, c)
	r.Passed = r.Passed && c.Result != failed
	if r.told != nil {
		r.told(&c)
	}
}

// AddScenarios adds what a policy's own scenarios came to: the calls that failed in them, and the first such failure.
func (r *Report) AddScenarios(passedAll bool, faults int, first error) {
	c := Check{Group: "scenarios", Name: "its scenarios pass, and no call fails in them", Result: passed}
	switch {
	case faults > 0:
		c.Result, c.Expected, c.Found = failed, "no failed call", fmt.Sprintf("%d: %v", faults, first)
	case !passedAll:
		c.Result, c.Expected, c.Found = failed, "every scenario to pass", "one that does not, see above"
	}
	r.add(c)
}

// JSON writes the report as one object.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Text writes the report for people.
func (r *Report) Text(w io.Writer) error {
	b := bufio.NewWriter(w)
	p := Printer{w: b}
	for i := range r.Checks {
		p.Check(&r.Checks[i])
	}
	r.End(b)
	return b.Flush()
}

// Printer writes checks for people, one after the other.
type Printer struct {
	w     io.Writer
	group string
}

// NewPrinter writes to w. What cannot be written is the writer's to tell.
func NewPrinter(w io.Writer) *Printer { return &Printer{w: w} }

// Check writes a check, below the name of its group.
func (p *Printer) Check(c *Check) {
	if c.Group != p.group {
		fmt.Fprintln(p.w, c.Group)
		p.group = c.Group
	}
	c.text(p.w)
}

// End writes what follows the checks: the last lines that the policy wrote, and the counts.
func (r *Report) End(w io.Writer) {
	counts := map[Result]int{}
	for _, c := range r.Checks {
		counts[c.Result]++
	}
	policydev.WriteLog(w, r.Log)
	fmt.Fprintf(w, "\n%s: %d ok, %d failed, %d skipped\n", format.Cell(r.Policy), counts[passed], counts[failed], counts[skipped])
}

func (c *Check) text(w io.Writer) {
	word := map[Result]string{passed: "ok", failed: "FAILED", skipped: "skipped"}[c.Result]
	if c.Result == skipped {
		fmt.Fprintf(w, "  %-7s %s: %s\n", word, c.Name, format.Line(c.Note))
		return
	}
	fmt.Fprintf(w, "  %-7s %s\n", word, c.Name)
	if c.Result == failed {
		fmt.Fprintf(w, "          expected %s\n          found %s\n", format.Line(c.Expected), format.Line(c.Found))
	}
	if c.Note != "" {
		fmt.Fprintf(w, "          %s\n", format.Line(c.Note))
	}
}
