package preempt

import (
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/schedule"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/resource"
)

// A leaf that may be due ends together with the queue above it. The log lists the leaf first, when that queue has no parent any more.
func TestLeavesDue_QueueEndsWithItsParent(t *testing.T) {
	st := state.New(core.Options{}).Partition(0)
	search := resumable.New(resumable.Observed{Changes: st.LogEnd, Failures: func() uint64 { return 0 }}, false)
	walk := schedule.New(st, search)
	s := New(st, walk, search)
	catchUp := func() {
		walk.Follow()
		s.Follow()
		st.TrimLog()
	}
	config := "partitions: [{name: default, placementrules: [{name: provided, create: true}], queues: [{name: root, queues: [{name: p, parent: true}]}]}]"
	for _, e := range []core.Event{
		&core.SetConfig{Config: config},
		&core.AddApp{ID: "app", Queue: "root.p.q.r"},
		&core.AddAsk{ID: "ask", App: "app", Resources: resource.NewSet(resource.Quantity{Type: "vcore", Value: 1}), Ask: core.Ask{Node: "n"}},
	} {
		in := core.Input{At: st.Now(), Event: e}
		if refused := st.Apply(&in); refused != core.Accepted {
			t.Fatalf("%s was refused: %s", in.Type(), refused)
		}
		catchUp()
	}
	tree := st.Queues()
	above := tree.Find("root.p")
	if due := s.leavesDue[tree.Root()]; due != 1 || s.leavesDue[above] != 1 {
		t.Fatalf("expected that a leaf below root.p may be due, found %d", due)
	}
	st.Apply(&core.Input{At: st.Now(), Event: &core.RemoveApp{ID: "app"}})
	catchUp()
	st.Advance(st.Now() + time.Minute)
	catchUp()
	if tree.Find("root.p.q") != 0 {
		t.Fatal("the empty queues have not ended")
	}
	if root, p := s.leavesDue[tree.Root()], s.leavesDue[above]; root != 0 || p != 0 {
		t.Errorf("after the leaf has ended, %d leaves below root and %d below root.p may be due", root, p)
	}
}
