package schedule

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/state"
)

// racksWalk makes a walk with the nodes n1 and n2 of 4 vcore, each in a rack of its own, and two applications, of which `gang` is of the user u.
func racksWalk(t *testing.T, limits string) *Walk {
	t.Helper()
	shared := state.New(core.Options{})
	s := newWalk(shared.Partition(0))
	shared.Advance(0)
	s.do(t, core.Input{Event: &core.SetConfig{Config: "partitions: [{name: default, topology: [{level: rack, attribute: rack}], queues: [{name: root, limits: [" + limits + "], queues: [{name: a}]}]}]"}})
	s.rack(t, "n1", "r1", 4)
	s.rack(t, "n2", "r2", 4)
	s.do(t, core.Input{Event: &core.AddApp{ID: "gang", Queue: "root.a", User: "u"}})
	s.do(t, core.Input{Event: &core.AddApp{ID: "other", Queue: "root.a", User: "v"}})
	return s
}

func (s *Walk) rack(t *testing.T, node, rack string, cores int64) {
	t.Helper()
	s.do(t, core.Input{Event: &core.AddNode{ID: node, Capacity: amountOf(cores), Attributes: map[string]string{"rack": rack}}})
}

// gang submits the members of a gang that must be in one rack.
func (s *Walk) gang(t *testing.T, of core.Gang, members int, cores int64) {
	t.Helper()
	for i := range members {
		s.do(t, addMember(of, i, cores))
	}
}

func addMember(of core.Gang, i int, cores int64) core.Input {
	of.Min = max(of.Min, 2)
	return core.Input{Event: &core.AddAsk{ID: fmt.Sprint(of.ID, i), App: "gang", Resources: amountOf(cores), Ask: core.Ask{Gang: &of, Topology: core.Topology{Required: "rack"}}}}
}

// grow lets an allocation of another application come and go, which leaves more room than before, but no more than at first.
func (s *Walk) grow(t *testing.T) {
	t.Helper()
	s.do(t, core.Input{Event: &core.AddAsk{ID: "one", App: "other", Resources: amountOf(1)}})
	s.do(t, core.Input{Event: &core.ReleaseAllocation{ID: "one"}})
}

func (s *Walk) hiddenNow() (n int) {
	for _, h := range s.gangs.hidden {
		for _, g := range h.list {
			if g.valid() {
				n++
			}
		}
	}
	return n
}

func (s *Walk) pending(ids ...string) (n int) {
	for _, id := range ids {
		if s.state.Asks().Find(id).Pending() {
			n++
		}
	}
	return n
}

func TestHiddenGang_ShownWithEnoughRoom(t *testing.T) {
	s := racksWalk(t, "")
	s.gang(t, core.Gang{ID: "g"}, 2, 3)
	if s.grow(t); s.hiddenNow() != 1 {
		t.Fatalf("%d gangs are hidden, expected 1", s.hiddenNow())
	}
	if s.rack(t, "n3", "r3", 3); s.hiddenNow() != 1 {
		t.Error("it is shown, although no rack holds two members")
	}
	if s.rack(t, "n4", "r1", 3); s.hiddenNow() != 0 || s.pending("g0", "g1") != 0 {
		t.Error("it waits, although a rack holds two members")
	}
}

func TestHiddenGang_NotWithOtherMembers(t *testing.T) {
	s := racksWalk(t, "")
	s.gang(t, core.Gang{ID: "g"}, 3, 3)
	s.grow(t)
	if s.do(t, core.Input{Event: &core.RemoveAsk{ID: "g0"}}); s.hiddenNow() != 0 {
		t.Error("it counts as hidden with other members")
	}
	s.do(t, addMember(core.Gang{ID: "g"}, 3, 1))
	s.do(t, addMember(core.Gang{ID: "g"}, 4, 1))
	if s.pending("g1", "g3") != 0 {
		t.Error("members that fit wait")
	}
}

// A gang under a limit is listed there, and one beside reservations, modules or room that is held may take what others may not.
func TestHiddenGang_OnlyWithoutEffect(t *testing.T) {
	limited := racksWalk(t, "{users: [u], maxresources: {vcore: 100}}")
	limited.gang(t, core.Gang{ID: "g"}, 2, 3)
	if limited.grow(t); limited.hiddenNow() != 0 {
		t.Error("a gang under a limit is hidden")
	}
	module := racksWalk(t, "")
	module.do(t, core.Input{Event: &core.SetPolicy{PolicyModule: core.PolicyModule{Name: "m", SHA256: "1",
		Manifest: `{"name":"m","points":{"app.order":{"columns":["submitted"],"keys":1,"depends":"row"}}}`}}})
	module.gang(t, core.Gang{ID: "g"}, 2, 3)
	if module.grow(t); module.hiddenNow() != 0 {
		t.Error("a gang is hidden from modules")
	}
	reserved := racksWalk(t, "")
	reserved.gang(t, core.Gang{ID: "g"}, 2, 3)
	reserve(t, reserved)
	if reserved.grow(t); reserved.hiddenNow() != 0 {
		t.Error("a gang is hidden beside a reservation")
	}
	shown := racksWalk(t, "")
	shown.gang(t, core.Gang{ID: "g"}, 2, 3)
	if shown.grow(t); shown.hiddenNow() != 1 {
		t.Fatal("it is not hidden")
	}
	reserve(t, shown)
	if shown.grow(t); shown.hiddenNow() != 0 {
		t.Error("a gang stays hidden beside a reservation")
	}
}

// reserve has the node n1 reserved for an ask that requires it.
func reserve(t *testing.T, s *Walk) {
	t.Helper()
	for _, cores := range []int64{1, 4} {
		s.do(t, core.Input{Event: &core.AddAsk{ID: fmt.Sprint("on-n1-", cores), App: "other", Resources: amountOf(cores), Ask: core.Ask{Node: "n1"}}})
	}
	if s.state.Reservations().Len() != 1 {
		t.Fatal("no node is reserved")
	}
}

// Racks of 4 vcore hold no two members of 3 vcore. Two gangs must start together.
func TestHiddenSet_ShownWithRoomForAll(t *testing.T) {
	s := racksWalk(t, "")
	for _, id := range []string{"g", "h", "i"} {
		s.gang(t, core.Gang{ID: id, Set: "s", SetMin: 2}, 2, 3)
	}
	if s.hiddenNow() != 3 || len(s.gangs.reopening) != 0 {
		t.Fatalf("%d gangs are hidden, %d are tried at each change", s.hiddenNow(), len(s.gangs.reopening))
	}
	if s.rack(t, "n3", "r1", 6); s.hiddenNow() != 3 {
		t.Error("the set is tried, although one of its gangs fits only")
	}
	s.rack(t, "n4", "r2", 3)
	if s.pending("g0", "g1", "h0", "h1") != 0 || s.pending("i0", "i1") != 2 {
		t.Error("the first two gangs have not started")
	}
	if s.rack(t, "n5", "r3", 6); s.pending("i0", "i1") != 0 {
		t.Error("the third gang has not started by itself")
	}
}

// The gangs j and k of 2 vcore fit once they are there, if the set is tried before x: at the first member of g.
func TestHiddenSet_TriedAtFirstMemberOnceItChanges(t *testing.T) {
	s := racksWalk(t, "")
	for _, id := range []string{"g", "h"} {
		s.gang(t, core.Gang{ID: id, Set: "s", SetMin: 2}, 2, 3)
	}
	if s.hiddenNow() != 2 {
		t.Fatalf("%d gangs are hidden", s.hiddenNow())
	}
	inputs := []core.Input{{Event: &core.AddAsk{ID: "x", App: "gang", Resources: amountOf(3)}}}
	for i := range 4 {
		inputs = append(inputs, addMember(core.Gang{ID: []string{"j", "k"}[i/2], Set: "s", SetMin: 2}, i%2, 2))
	}
	for i := range inputs[:4] {
		if refused := s.state.Apply(&inputs[i]); refused != core.Accepted {
			t.Fatal(refused)
		}
	}
	s.do(t, inputs[4])
	if s.pending("j0", "j1", "k0", "k1") != 0 || s.pending("x") != 1 {
		t.Error("the set was not tried at its first member")
	}
}

func TestSet_NoRoomIsFoundWithoutSearch(t *testing.T) {
	s := racksWalk(t, "{users: [u], maxresources: {vcore: 100}}")
	for _, id := range []string{"g", "h"} {
		s.gang(t, core.Gang{ID: id, Set: "s", SetMin: 2}, 2, 3)
	}
	if s.hiddenNow() != 0 || len(s.gangs.reopening) != 2 {
		t.Errorf("%d gangs are hidden, %d are tried at each change", s.hiddenNow(), len(s.gangs.reopening))
	}
	s.rack(t, "n3", "r1", 3)
	if s.rack(t, "n4", "r2", 3); s.pending("g0", "g1", "h0", "h1") != 0 {
		t.Error("a set under a limit has not started")
	}
}

// A set of three gangs, of which two are there, is not tried until the third one has all of its members.
func TestHiddenSet_Incomplete(t *testing.T) {
	s := racksWalk(t, "")
	for _, id := range []string{"g", "h"} {
		s.gang(t, core.Gang{ID: id, Set: "s", SetMin: 3}, 2, 1)
	}
	if len(s.gangs.reopening) != 0 || !s.gangs.hiddenSets[s.state.Asks().Find("g0").App()] {
		t.Error("it is tried at each change")
	}
	s.gang(t, core.Gang{ID: "i", Set: "s", SetMin: 3}, 1, 1)
	if s.pending("g0", "g1", "h0", "h1", "i0") != 5 {
		t.Error("it has started without its third gang")
	}
	if s.do(t, addMember(core.Gang{ID: "i", Set: "s", SetMin: 3}, 1, 1)); s.pending("g0", "g1", "h0", "h1", "i0", "i1") != 0 {
		t.Error("it has not started")
	}
}
