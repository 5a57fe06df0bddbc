package schedule

import (
	"slices"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/state"
)

// TestWalk_LogsThatOthersAreEligible frees the place of a started application,
// and expects followers of the log to read that another one may start.
func TestWalk_LogsThatOthersAreEligible(t *testing.T) {
	s := newWalk(state.New(core.Options{}).Partition(0))
	s.do(t, core.Input{Event: &core.SetConfig{Config: "partitions:\n- name: default\n  queues:\n  - name: a\n    properties: {application.sort.policy: stateaware}\n"}})
	for _, id := range []string{"first", "second"} {
		s.do(t, core.Input{Event: &core.AddApp{ID: id, Queue: "root.a"}})
		s.do(t, core.Input{Event: &core.AddAsk{ID: "of " + id, App: id, Resources: amountOf(1)}})
	}
	var follower state.Cursor
	s.state.SkipLog(&follower)
	s.state.Apply(&core.Input{Event: &core.RemoveApp{ID: "first"}})
	s.Sync()
	eligible := func(c state.Change) bool {
		return c.Kind() == state.EligibleChanged && s.state.Queues().Shown(c.Queue()) == "root.a"
	}
	if !slices.ContainsFunc(slices.Collect(s.state.Follow(&follower).All), eligible) {
		t.Error("the log does not say that another application of root.a may start")
	}
}
