package scheduler_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// TestLag_DecisionsDoNotDependOnIt compares a scheduler whose followers lag behind rows of inputs with one that is read after each input.
func TestLag_DecisionsDoNotDependOnIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &life{t: t}
		lagging, prompt := beginning(), beginning()
		both := func(do func(s *scheduler.Scheduler)) { do(prompt); do(lagging) }
		apply := func(in core.Input) {
			in.At = prompt.Now()
			both(func(s *scheduler.Scheduler) { s.Apply(&in) })
			prompt.Totals()
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			for range 1 + l.roll("inputs", 6) {
				apply(l.input())
			}
			for n := 100 * (l.roll("many", 20) / 19); n > 0; n-- { // more than a log should hold
				l.asks++
				apply(core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("x%d", l.asks), App: "app1", Resources: vcores(1)}})
			}
			switch l.roll("step", 5) {
			case 0:
				l.pass(time.Duration(1+l.roll("seconds", 40))*time.Second, both, prompt)
			case 1, 2:
				both(func(s *scheduler.Scheduler) { s.Cycle(-1) })
			}
			if expected, found := lines(t, prompt.Take()), lines(t, lagging.Take()); expected != found {
				t.Fatalf("expected\n%s\nfound\n%s", expected, found)
			}
		}
		if expected, found := prompt.Snapshot(), lagging.Snapshot(); !bytes.Equal(expected, found) {
			t.Fatalf("expected\n%s\nfound\n%s", expected, found)
		}
	})
}
