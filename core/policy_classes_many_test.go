package core_test

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
)

// Asks of many classes that predicates refuse everywhere are not asked about again while others are placed. Of more classes than orders are kept of, most
// keep theirs.
func TestManyClassesThatWaitAreNotAskedAboutAgain(t *testing.T) {
	const placed = 10
	for _, x := range []struct{ nodes, classes, most int }{{50, 1000, 0}, {2, 4200, 2080}} {
		before, after := askedAbout(t, x.nodes, x.classes, placed)
		t.Logf("%d nodes, %d classes: %d questions, then %d for %d placements", x.nodes, x.classes, before, after, placed)
		if after > x.most {
			t.Errorf("expected at most %d questions about nodes, found %d", x.most, after)
		}
	}
}

// askedAbout has asks of many classes wait and others be placed, and returns how many questions come of either.
func askedAbout(t *testing.T, nodes, classes, placed int) (before, after int) {
	asked := 0
	c := newCluster(t, core.Options{Evaluator: func(a core.Announcement) policy.Evaluator { return refuser{&asked} }}, "")
	c.configure(", queues: [{name: q}]")
	for i := range nodes {
		c.node(fmt.Sprint("n", i), 10_000)
	}
	c.app("stuck", "root.q")
	for i := range classes {
		c.askWith(fmt.Sprint("s", i), "stuck", 1, core.Ask{Predicate: fmt.Sprint("none", i, policy.PlacementMark)})
	}
	c.app("others", "root.q")
	for i := range 2 {
		c.ask(fmt.Sprint("first", i), "others", 1)
		c.cycle()
	}
	before = asked
	for i := range placed {
		c.ask(fmt.Sprint("k", i), "others", 1)
		c.cycle()
	}
	return before, asked - before
}

// refuser refuses all nodes, whatever is placed, and counts.
type refuser struct{ asked *int }

// Eval implements policy.Evaluator.
func (r refuser) Eval(b *policy.Batch) error {
	*r.asked += len(b.Rows)
	for _, row := range b.Rows {
		b.Out[int(row)*b.Keys] = -1 // until something ends
	}
	return nil
}
