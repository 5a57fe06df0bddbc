package oracle_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// transcript is a scenario as it was run, to be written as a journal. Cycles that a manual scenario asked for are
// comments there, since a journal has no way to say them.
type transcript struct {
	lines []line
}

// line is an input or, where there is a comment, that.
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

// decided notes what the first machine decided, for the reader.
func (j *transcript) decided(decisions []core.Decision) {
	for _, d := range decisions {
		j.lines = append(j.lines, line{comment: "#> " + show(d)})
	}
}

// text is the journal, for `quern replay`.
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
