package features

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/cucumber/godog"
)

// junit writes a report that CI servers read. The library has one of its own; it knows neither files nor lines, and its
// times go below zero when scenarios are not played in the order in which they stand.
type junit struct {
	*godog.BaseFmt
	out io.Writer
}

func newJUnit(suite string, out io.Writer) godog.Formatter {
	return &junit{godog.NewBaseFmt(suite, out), out}
}

// The elements of the report. The attributes are those that Jenkins and GitLab read; file and line are where an annotation
// belongs: at the step that did not pass, else at the scenario.
type (
	junitRun struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []junitSuite `xml:"testsuite"`
	}
	junitCounts struct {
		Tests    int     `xml:"tests,attr"`
		Skipped  int     `xml:"skipped,attr"`
		Failures int     `xml:"failures,attr"`
		Errors   int     `xml:"errors,attr"`
		Time     seconds `xml:"time,attr"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		File string `xml:"file,attr"`
		junitCounts
		Cases []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Status  Status        `xml:"status,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr"`
		Line    int           `xml:"line,attr"`
		Time    seconds       `xml:"time,attr"`
		Failure *junitProblem `xml:"failure"`
		Error   *junitProblem `xml:"error"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    Status `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// seconds is a time, to the nanosecond.
type seconds time.Duration

// MarshalText writes the time as a decimal number.
func (s seconds) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, math.Round(time.Duration(s).Seconds()*1e9)/1e9, 'f', -1, 64), nil
}

// Summary writes the report.
func (j *junit) Summary() {
	run := outcomeOf(j.BaseFmt)
	r := junitRun{Name: "quern", junitCounts: junitCounts{Time: seconds(time.Since(run.started))}}
	for _, f := range run.files {
		suite := f.junit()
		r.Tests += suite.Tests
		r.Failures += suite.Failures
		r.Errors += suite.Errors
		r.Suites = append(r.Suites, suite)
	}
	text, err := xml.MarshalIndent(r, "", "  ")
	if err != nil {
		unreported(err)
		return
	}
	report(j.out, xml.Header+string(text)+"\n")
}

func (f *playedFile) junit() junitSuite {
	s := junitSuite{Name: f.feature, File: f.path, junitCounts: junitCounts{
		Tests: len(f.scenarios), Failures: f.count(StatusFailed), Errors: f.count(StatusUndefined, StatusAmbiguous, StatusPending),
		Time: seconds(f.took()),
	}}
	named := map[string]int{}
	for _, p := range f.scenarios {
		named[p.Name]++
	}
	nth := map[string]int{}
	for _, p := range f.scenarios {
		c := junitCase{Name: p.Name, Status: p.Status, Class: f.feature, File: f.path, Line: max(p.Line, p.Example), Time: seconds(p.took())}
		if named[p.Name] > 1 {
			nth[p.Name]++
			c.Name += fmt.Sprintf(" #%d", nth[p.Name])
		}
		f.explain(&c, p)
		s.Cases = append(s.Cases, c)
	}
	return s
}

// explain says of a scenario that did not pass which step it was, and why.
func (f *playedFile) explain(c *junitCase, p *Played) {
	if p.Status == StatusPassed {
		return
	}
	problem := &junitProblem{Type: p.Status, Message: p.Message}
	for i, s := range p.failed() {
		if i == 0 {
			c.Line = s.Line
			problem.Message = fmt.Sprintf("%s:%d: %s %s: %s", f.path, s.Line, s.Keyword, s.Text, s.reason(false))
		}
		problem.Text += fmt.Sprintf("%s:%d: %s %s\n%s", f.path, s.Line, s.Keyword, s.Text, indented(s.reason(true)))
	}
	if p.Status == StatusFailed {
		c.Failure = problem
	} else {
		c.Error = problem
	}
}
