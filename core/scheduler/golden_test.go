package scheduler_test

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/linediff"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/scheduler"
)

var update = flag.Bool("update", false, "rewrite the golden scripts")

// Prefixes of the lines of a golden script that the test writes, and of its questions. All of them are comments, so that the script is
// a journal with and without them.
const (
	decided  = "#> " // a decision
	question = "#? " // `ask ID`, `app ID`, `queue PATH` or `preempt ID`: explain it in the state after the input above
	answered = "#= " // a line of the explanation
)

// TestGoldenScriptsCauseTheirDecisions runs testdata/*.txt. Below each input are the decisions made until the next one, and below each
// question its answer.
func TestGoldenScriptsCauseTheirDecisions(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden scripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			expected, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found := annotated(t, written(string(expected)))
			if *update {
				if err := os.WriteFile(file, []byte(found), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if found != string(expected) {
				t.Errorf("- expected, + found:\n%s", linediff.Diff(string(expected), found))
			}
		})
	}
}

// written returns a script without the lines that the test adds.
func written(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, decided) && !strings.HasPrefix(line, answered) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// annotated adds its decisions to each input, including those until the next input, and its answer to each question.
func annotated(t *testing.T, text string) string {
	t.Helper()
	_, below := scripted(t, text, journal.Options{})
	var out strings.Builder
	n := 0
	for source := range strings.Lines(text) {
		n++
		if topic, ok := strings.CutPrefix(source, question); ok {
			before, _ := scripted(t, out.String(), journal.Options{Last: true})
			source += marked(answered, explained(t, before, strings.TrimSpace(topic)))
		}
		out.WriteString(source + marked(decided, lines(t, below[n])))
	}
	return out.String()
}

// scripted replays a script, and returns the decisions by the line of the preceding input.
func scripted(t *testing.T, text string, o journal.Options) (*scheduler.Scheduler, map[int][]core.Decision) {
	t.Helper()
	below := map[int][]core.Decision{}
	line := 0
	o.Inputs = func(e *journal.Entry, _ core.Reason) { line = e.Line }
	o.Decisions = func(d []core.Decision) { below[line] = append(below[line], d...) }
	s := scheduler.New(core.Options{Evaluator: scriptedPolicy})
	if _, err := journal.Replay(s, journal.NewDecoder(strings.NewReader(text), "script", nil), o); err != nil {
		t.Fatal(err)
	}
	return s, below
}

// scriptedPolicy evaluates the policies of the scripts. The name determines the behaviour: by-… answers with the columns that it
// declares, fails-twice… does so from its third call on, and not-a-number… answers NaN. Others are missing.
func scriptedPolicy(m core.Announcement) policy.Evaluator {
	switch {
	case strings.HasPrefix(m.Name, "by-"):
		return &judge{answer: byColumn}
	case strings.HasPrefix(m.Name, "not-a-number"):
		return &judge{answer: func(_ *policy.Batch, _ int32, keys []float64) { keys[0] = math.NaN() }}
	case strings.HasPrefix(m.Name, "fails-twice"):
		return &failing{judge: judge{answer: byColumn}, times: 2}
	}
	return nil
}

// failing fails a number of times before it answers.
type failing struct {
	judge
	times int
}

func (f *failing) Eval(b *policy.Batch) error {
	if f.times > 0 {
		f.times--
		return errors.New("out of fuel")
	}
	return f.judge.Eval(b)
}

// explained answers a question of a script.
func explained(t *testing.T, s *scheduler.Scheduler, topic string) string {
	t.Helper()
	kind, id, _ := strings.Cut(topic, " ")
	switch kind {
	case "ask":
		e, ok := s.ExplainAsk(id)
		return answerText(e.Text, ok)
	case "app":
		e, ok := s.ExplainApp(id)
		return answerText(e.Text, ok)
	case "queue":
		e, ok := s.ExplainQueue(id)
		return answerText(e.Text, ok)
	case "preempt":
		e, ok := s.ExplainPreemption(id)
		return answerText(fmt.Sprintf("%s: %s", e.Verdict, e.Text), ok)
	}
	t.Fatalf("%s%s: expected ask, app, queue or preempt, and a name", question, topic)
	return ""
}

func answerText(text string, ok bool) string {
	if !ok {
		return "not found"
	}
	return text
}

// marked adds a prefix to each line of a text.
func marked(mark, text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		out.WriteString(mark + strings.TrimRight(line, "\n") + "\n")
	}
	return out.String()
}
