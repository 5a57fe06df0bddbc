package features

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"sync"

	"github.com/cucumber/godog"
)

// junitFormat is what the library knows our JUnit report by; it has one of its own, called junit.
const junitFormat = "quern-junit"

// registerJUnit makes the report known to the library, whose list of formats is one for the whole program.
var registerJUnit = sync.OnceFunc(func() {
	godog.Format(junitFormat, "JUnit XML in which times add up", func(suite string, out io.Writer) godog.Formatter {
		inner := &bytes.Buffer{}
		return &junit{JUnitFmt: godog.NewJUnitFmt(suite, inner), inner: inner, out: out}
	})
})

// junit is the library's report with other times. The library takes a feature to last from its first scenario to its last
// as they are sorted by ID, which comes out below zero when they are played in another order; here it lasts as long as
// its scenarios together.
type junit struct {
	*godog.JUnitFmt
	inner *bytes.Buffer
	out   io.Writer
}

// Summary writes the report.
func (j *junit) Summary() {
	j.JUnitFmt.Summary()
	if _, err := j.out.Write(timed(j.inner.Bytes())); err != nil {
		fmt.Fprintln(os.Stderr, "the JUnit report could not be written:", err)
	}
}

// timedElement is the line on which a scenario or a feature begins. Its texts have no quotes in them: they are escaped.
var timedElement = regexp.MustCompile(`^ *<test(case|suite) .* time="(-?[0-9.]+)"`)

// timed corrects the times of a report: from its end, since the time of a feature stands before its scenarios.
func timed(report []byte) []byte {
	lines := bytes.SplitAfter(report, []byte("\n"))
	sum := 0.0
	for i := len(lines) - 1; i >= 0; i-- {
		at := timedElement.FindSubmatchIndex(lines[i])
		if at == nil {
			continue
		}
		seconds := sum
		if string(lines[i][at[2]:at[3]]) == "case" {
			found, _ := strconv.ParseFloat(string(lines[i][at[4]:at[5]]), 64)
			seconds = max(found, 0)
			sum += seconds
		} else {
			sum = 0
		}
		lines[i] = bytes.Join([][]byte{lines[i][:at[4]], decimal(seconds), lines[i][at[5]:]}, nil)
	}
	return bytes.Join(lines, nil)
}

// decimal writes a time to the nanosecond, as the library does.
func decimal(seconds float64) []byte {
	return strconv.AppendFloat(nil, math.Round(seconds*1e9)/1e9, 'f', -1, 64)
}
