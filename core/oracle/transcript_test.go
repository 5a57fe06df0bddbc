package oracle_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// transcript records the run of a scenario, to write it as a journal. Cycles of manual scenarios are comments, since a journal cannot
// contain them.
type transcript struct {
	lines []line
}

// line is an input or a comment.
type line struct {
	input   core.Input
	comment string
}

func (j *transcript) input(in *core.Input) { j.lines = append(j.lines, line{input: *in}) }

func (j *transcript) tick(at time.Duration) {
	j.input(&core.Input{At: at, Event: &core.Tick{}})
}

func (j *transcript) cycle(limit int) {
	j.lines = append(j.lines, line{comment: fmt.Sprintf("# cycle, at most %d", limit)})
}

// decided records the decisions of the first machine, for the reader.
func (j *transcript) decided(decisions []core.Decision) {
	for _, d := range decisions {
		j.lines = append(j.lines, line{comment: "#> " + show(d)})
	}
}

// text returns the journal, for `quern replay`.
func (j *transcript) text() string {
	var text strings.Builder
	encoder := journal.NewEncoder(&text, journal.Relative)
	for _, l := range j.lines {
		err := encoder.Flush()
		if l.comment != "" {
			fmt.Fprintln(&text, l.comment)
		} else {
			err = encoder.Entry(&journal.Entry{Input: l.input, Count: 1})
		}
		if err != nil {
			return err.Error()
		}
	}
	if err := encoder.Flush(); err != nil {
		return err.Error()
	}
	return text.String()
}
