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
	File   string  `json:"file"`
	Policy string  `json:"policy"`
	SHA256 string  `json:"sha256"`
	Passed bool    `json:"passed"`
	Checks []Check `json:"checks"`
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
	group, counts := "", map[Result]int{}
	for _, c := range r.Checks {
		if c.Group != group {
			fmt.Fprintln(b, c.Group)
			group = c.Group
		}
		counts[c.Result]++
		c.text(b)
	}
	fmt.Fprintf(b, "\n%s: %d ok, %d failed, %d skipped\n", format.Cell(r.Policy), counts[passed], counts[failed], counts[skipped])
	return b.Flush()
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
