package schedule

import (
	"fmt"
	"slices"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
)

// waiting makes a walk with applications u0, u1, … of one user. Each has one
// pending ask of a size, since another application uses up the user's limit.
func waiting(t *testing.T, used int64, sizes ...int64) *Walk {
	t.Helper()
	s := limitedWalk(t, fmt.Sprintf("{users: [u], maxresources: {vcore: %dm}}", used))
	s.do(t, core.Input{Event: &core.AddApp{ID: "first", Queue: "root.a", User: "u"}})
	for i := range used {
		s.do(t, core.Input{Event: &core.AddAsk{ID: fmt.Sprint("first", i), App: "first", Resources: amountOf(1)}})
	}
	for i, size := range sizes {
		id := fmt.Sprint("u", i)
		s.do(t, core.Input{Event: &core.AddApp{ID: id, Queue: "root.a", User: "u"}})
		s.do(t, core.Input{Event: &core.AddAsk{ID: id, App: id, Resources: amountOf(size)}})
	}
	return s
}

func (s *Walk) allocatedAsks(n int) (list []string) {
	for i := range n {
		if ask := s.state.Asks().Find(fmt.Sprint("u", i)); !ask.IsNone() && !ask.Pending() {
			list = append(list, ask.ID())
		}
	}
	return list
}

func (s *Walk) free(t *testing.T, id string) {
	t.Helper()
	s.do(t, core.Input{Event: &core.ReleaseAllocation{ID: id}})
}

func TestAReleaseLooksOnlyAtThoseThatTheLimitHasRoomFor(t *testing.T) {
	const apps = 500
	s := waiting(t, 4, slices.Repeat([]int64{1}, apps)...)
	slept := s.blocked.count
	for i := range 4 {
		s.free(t, fmt.Sprint("first", i))
	}
	if found := s.allocatedAsks(apps); !slices.Equal(found, []string{"u0", "u1", "u2", "u3"}) {
		t.Errorf("%v are allocated", found)
	}
	if looked := s.blocked.count - slept; looked > 4 {
		t.Errorf("%d fell asleep again", looked)
	}
}

func TestThoseThatFitPassThoseThatDoNot(t *testing.T) {
	s := waiting(t, 2, 2, 1, 2, 1)
	s.free(t, "first0")
	if found := s.allocatedAsks(4); !slices.Equal(found, []string{"u1"}) {
		t.Errorf("%v are allocated", found)
	}
}

// Gates follow changes of priorities, added and removed asks, and removed applications.
func TestWhatWaitsAtAGateFollowsChanges(t *testing.T) {
	s := waiting(t, 3, 1, 1, 1, 1, 1)
	s.do(t, core.Input{Event: &core.UpdateAsk{ID: "u3", Priority: new(int32(7))}})
	s.do(t, core.Input{Event: &core.RemoveApp{ID: "u0"}})
	s.do(t, core.Input{Event: &core.RemoveAsk{ID: "u1"}})
	s.do(t, core.Input{Event: &core.AddAsk{ID: "u1", App: "u1", Resources: amountOf(1)}})
	s.do(t, core.Input{Event: &core.AddAsk{ID: "larger", App: "u2", Resources: amountOf(2)}})
	s.free(t, "first0")
	s.free(t, "first1")
	if found := s.allocatedAsks(5); !slices.Equal(found, []string{"u1", "u3"}) {
		t.Errorf("%v are allocated", found)
	}
	s.do(t, core.Input{Event: &core.MoveApp{ID: "u4", Queue: "root.a"}})
	s.do(t, core.Input{Event: &core.SetConfig{Config: "partitions: [{name: default, queues: [{name: root, limits: [{users: [u], maxresources: {vcore: 100m}}], queues: [{name: a}]}]}]"}})
	if found := s.allocatedAsks(5); !slices.Equal(found, []string{"u1", "u2", "u3", "u4"}) {
		t.Errorf("with another limit %v are allocated", found)
	}
}

func TestAppsAtMaxApplications_LeaveNothingBehind(t *testing.T) {
	s := waiting(t, 1, slices.Repeat([]int64{1}, 200)...)
	for i := range 200 {
		s.do(t, core.Input{Event: &core.RemoveApp{ID: fmt.Sprint("u", i)}})
	}
	s.free(t, "first0")
	for i := range s.blocked.byLimit {
		if l := &s.blocked.byLimit[i]; len(l.queues)+len(l.list) > 0 {
			t.Errorf("%d gates and %d sleepers are kept", len(l.queues), len(l.list))
		}
	}
	s.state.Leaf(s.state.Queues().Find("root.a")).Apps(func(a app.App) bool {
		if a.ID() != "first" {
			t.Errorf("%s is kept", a.ID())
		}
		return true
	})
}
