package scheduler_test

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
)

// Asks that predicates always refuse are not evaluated again when other asks are placed and end.
func TestPredicate_BlockedClassesNotAskedAgain(t *testing.T) {
	for code, most := range map[float64]int{-1: 10 * 50 * 20, -1.5: 0, 1.5: 20 * 50 * 20} {
		asked := 0
		c := newCluster(t, core.Options{Evaluator: func(core.Announcement) policy.Evaluator { return refuser{&asked, code} }}, "")
		c.configure(", queues: [{name: q}]")
		for i := range 50 {
			c.node(fmt.Sprint("n", i), 100)
		}
		c.app("stuck", "root.q")
		for i := range 20 {
			c.askWith(fmt.Sprint("s", i), "stuck", 1, core.Ask{Predicate: fmt.Sprint("none", i, policy.DepartureMark)})
		}
		c.app("others", "root.q")
		c.ask("first", "others", 1)
		c.cycle()
		before := asked
		for i := range 10 {
			id := fmt.Sprint("k", i)
			c.ask(id, "others", 1)
			c.cycle()
			c.say(core.Input{Event: &core.ReleaseAllocation{ID: id}})
			c.cycle()
		}
		if more := asked - before; more != most {
			t.Errorf("code %v: %d questions about nodes, expected %d", code, more, most)
		}
	}
}

// Asks of many classes that predicates refuse everywhere are not evaluated again when others are placed. If there are more classes than
// orders in memory, most of them keep their orders.
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

// askedAbout adds pending asks of many classes and then places others, and returns the number of questions before and after.
func askedAbout(t *testing.T, nodes, classes, placed int) (before, after int) {
	asked := 0
	c := newCluster(t, core.Options{Evaluator: func(a core.Announcement) policy.Evaluator { return refuser{&asked, -1} }}, "")
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

// refuser refuses all nodes with a code, and counts the questions.
type refuser struct {
	asked *int
	code  float64
}

// Eval implements policy.Evaluator.
func (r refuser) Eval(b *policy.Batch) error {
	*r.asked += len(b.Rows)
	for _, row := range b.Rows {
		b.Out[int(row)*b.Keys] = r.code
	}
	return nil
}
