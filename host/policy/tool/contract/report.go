package contract

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/policy/process/sandbox"
	"github.com/quern-project/quern/host/policy/tool"
	checks "github.com/quern-project/quern/wasm/module/conformance"
)

// Report is what the checks came to. The names in JSON are part of the interface.
type Report struct {
	File   string  `json:"file"`
	Policy string  `json:"policy"`
	SHA256 string  `json:"sha256"`
	Passed bool    `json:"passed"`
	Checks []Check `json:"checks"`

	Sandbox sandbox.Report `json:"sandbox,omitempty"` // of a process: what it is kept from
	Log     []string       `json:"log,omitempty"`     // the last lines that the policy wrote

	told func(*Check) // nil: not used
}

// Check is the result of one check.
type Check = checks.Check

func newReport(s *tool.Subject) *Report {
	r := &Report{File: s.File, Policy: s.Name, SHA256: s.SHA256, Passed: true}
	if s.Process {
		r.Sandbox = s.Sandbox.Report()
	}
	return r
}

func (r *Report) add(c Check) {
	r.Checks = append(r.Checks, c)
	r.Passed = r.Passed && c.Result != checks.Failed
	if r.told != nil {
		r.told(&c)
	}
}

// AddScenarios adds what a policy's own scenarios came to: the calls that failed in them, and the first such failure.
func (r *Report) AddScenarios(passedAll bool, faults int, first error) {
	c := Check{Group: "scenarios", Name: "its scenarios pass, and no call fails in them", Result: checks.Passed}
	switch {
	case faults > 0:
		c.Result, c.Expected, c.Found = checks.Failed, "no failed call", fmt.Sprintf("%d: %v", faults, first)
	case !passedAll:
		c.Result, c.Expected, c.Found = checks.Failed, "every scenario to pass", "at least one failure, see above"
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

// NewPrinter writes to w, which has to report its own errors.
func NewPrinter(w io.Writer) *Printer { return &Printer{w: w} }

// Check writes a check, below the name of its group.
func (p *Printer) Check(c *Check) {
	if c.Group != p.group {
		fmt.Fprintln(p.w, c.Group)
		p.group = c.Group
	}
	writeCheck(p.w, c)
}

// End writes what follows the checks: the last lines that the policy wrote, and the counts.
func (r *Report) End(w io.Writer) {
	counts := map[checks.Result]int{}
	for _, c := range r.Checks {
		counts[c.Result]++
	}
	tool.WriteSandbox(w, r.Sandbox)
	tool.WriteLog(w, r.Log)
	fmt.Fprintf(w, "\n%s: %d ok, %d failed, %d skipped\n", format.Cell(r.Policy), counts[checks.Passed], counts[checks.Failed], counts[checks.Skipped])
}

func writeCheck(w io.Writer, c *Check) {
	word := map[checks.Result]string{checks.Passed: "ok", checks.Failed: "FAILED", checks.Skipped: "skipped"}[c.Result]
	if c.Result == checks.Skipped {
		fmt.Fprintf(w, "  %-7s %s: %s\n", word, c.Name, format.Line(c.Note))
		return
	}
	fmt.Fprintf(w, "  %-7s %s\n", word, c.Name)
	if c.Result == checks.Failed {
		fmt.Fprintf(w, "          expected %s\n          found %s\n", format.Line(c.Expected), format.Line(c.Found))
	}
	if c.Note != "" {
		fmt.Fprintf(w, "          %s\n", format.Line(c.Note))
	}
}
