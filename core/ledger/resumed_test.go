package ledger_test

import (
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

// Asks that were pending in the state that a journal begins with have waited since their submission.
func TestWaitsCountFromBeforeAState(t *testing.T) {
	before := play("partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n    - name: a\n")
	before.apply(
		node(4),
		core.Input{Event: &core.AddApp{ID: "x", Queue: "root.a"}},
		member("first", "x", 4, core.Ask{}),
	)
	before.until(10 * time.Second)
	before.apply(
		member("waits", "x", 2, core.Ask{}),
		member("m1", "x", 1, core.Ask{Gang: &core.Gang{ID: "g", Min: 2}}),
		member("m2", "x", 1, core.Ask{Gang: &core.Gang{ID: "g", Min: 2}}),
	)
	before.until(60 * time.Second)

	after := play("")
	after.Advance(60 * time.Second)
	after.books.Advance(60 * time.Second)
	after.apply(before.Present()...)
	after.apply(core.Input{Event: &core.SetState{StatePart: core.StatePart{Part: 1, Parts: 1, Snapshot: string(before.Snapshot())}}})
	after.books.Resumed(after.Read(core.OfApplications).Applications)
	after.until(70 * time.Second)
	after.apply(core.Input{Event: &core.ReleaseAllocation{ID: "first"}})
	after.until(80 * time.Second)

	waits := after.books.Waits()
	if most := waits.Max(); waits.Total() != 3 || most != 60*time.Second {
		t.Errorf("%d waits, the longest of %s; expected 3 of 1m0s", waits.Total(), most)
	}
	after.expectGangs(t, `atomic true: 1 of 1 formed, 0 timed out, 0 withdrawn, 0 wait; longest 1m0s; 0 replaced, 0 ended
x g in root.a since 10s: formed after 1m0s, min 2, 0 replaced, 0 ended`)
}
