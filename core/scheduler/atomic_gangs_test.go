package scheduler_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	_ "github.com/quern-project/quern/internal/seeded"
)

func coresOf(n int64) resource.Set {
	return resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000 * n})
}

// newGangCluster makes a scheduler with a node for each number of vcores, and applications in root.a, which may preempt, and root.b.
func newGangCluster(t failer, nodes []int64) *scheduler.Scheduler {
	s := scheduler.New(core.Options{})
	s.Advance(0)
	config := "partitions:\n- name: default\n  queues:\n  - {name: a, resources: {guaranteed: {vcore: 99}}, properties: {preemption.delay: 1s}}\n  - {name: b}\n"
	take(t, s, core.Input{Event: &core.SetConfig{Config: config}})
	for i, size := range nodes {
		take(t, s, core.Input{Event: &core.AddNode{ID: fmt.Sprint("n", i), Capacity: coresOf(size)}})
	}
	take(t, s, core.Input{Event: &core.AddApp{ID: "x", Queue: "root.a"}})
	take(t, s, core.Input{Event: &core.AddApp{ID: "y", Queue: "root.b"}})
	return s
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

func take(t failer, s *scheduler.Scheduler, in core.Input) {
	t.Helper()
	in.At = s.Now()
	if refused := s.Apply(&in); refused != core.Accepted {
		t.Fatalf("%s %s is refused: %s", in.Type(), in.ID(), refused)
	}
}

func addMembers(t failer, s *scheduler.Scheduler, sizes []int64) {
	for i, size := range sizes {
		take(t, s, core.Input{Event: &core.AddAsk{ID: fmt.Sprint("x", i), App: "x", Resources: coresOf(size), Ask: core.Ask{Gang: &core.Gang{ID: "g", Min: len(sizes)}}}})
	}
}

// packs reports whether members of some sizes fit into some rooms.
func packs(rooms, members []int64) bool {
	if len(members) == 0 {
		return true
	}
	for i := range rooms {
		if rooms[i] >= members[0] {
			rooms[i] -= members[0]
			found := packs(rooms, members[1:])
			rooms[i] += members[0]
			if found {
				return true
			}
		}
	}
	return false
}

func TestAGangIsPlacedWheneverSomeAssignmentExists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.SliceOfN(rapid.Int64Range(1, 12), 1, 5).Draw(t, "nodes")
		members := rapid.SliceOfN(rapid.Int64Range(1, 6), 1, 6).Draw(t, "members")
		s := newGangCluster(t, nodes)
		addMembers(t, s, members)
		made := s.Cycle(-1)
		if expected := packs(slices.Clone(nodes), members); made > 0 != expected || made > 0 && made != len(members) {
			t.Fatalf("nodes %v, members %v: %d placed, an assignment exists: %v", nodes, members, made, expected)
		}
	})
}

// A gang preempts the smallest number of allocations with which it fits. All have the same priority here, and each is necessary.
func TestAGangTakesTheFewestVictims(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.SliceOfN(rapid.Int64Range(1, 4), 1, 3).Draw(t, "nodes")
		members := rapid.SliceOfN(rapid.Int64Range(1, 4), 1, 3).Draw(t, "members")
		s := newGangCluster(t, nodes)
		rooms := slices.Clone(nodes)
		type allocation struct {
			id   string
			node int
			size int64
		}
		var there []allocation
		for range rapid.IntRange(0, 6).Draw(t, "allocations") {
			v := allocation{fmt.Sprint("y", len(there)), rapid.IntRange(0, len(nodes)-1).Draw(t, "node"), rapid.Int64Range(1, 2).Draw(t, "size")}
			if rooms[v.node] < v.size {
				continue
			}
			rooms[v.node] -= v.size
			there = append(there, v)
			take(t, s, core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: v.id, App: "y", Resources: coresOf(v.size)}, PlacedOn: fmt.Sprint("n", v.node)}})
		}
		fewest := -1 // no set is sufficient
		for set := range 1 << len(there) {
			left, count := slices.Clone(rooms), 0
			for i, v := range there {
				if set>>i&1 == 1 {
					left[v.node] += v.size
					count++
				}
			}
			if packs(left, members) && (fewest < 0 || count < fewest) {
				fewest = count
			}
		}
		addMembers(t, s, members)
		s.Cycle(-1)
		for at, ok := s.Deadline(); ok && at <= 1e9; at, ok = s.Deadline() {
			s.Advance(at)
			s.Cycle(-1)
		}
		victims := 0
		for _, d := range s.Take() {
			if d.Type == core.Preemption {
				victims++
			}
		}
		if victims != max(fewest, 0) {
			t.Fatalf("nodes %v, allocations %v, members %v: %d victims, expected %d", nodes, there, members, victims, fewest)
		}
	})
}

// A gang with very many members is accepted, tried and placed like others.
func TestALargeGangIsPlacedAsAWhole(t *testing.T) {
	s := newGangCluster(t, []int64{5_000, 4_999})
	members := make([]int64, 10_000)
	for i := range members {
		members[i] = 1
	}
	addMembers(t, s, members)
	if made := s.Cycle(1); made != 0 {
		t.Fatalf("%d members of 10,000 are placed where 9,999 fit", made)
	}
	take(t, s, core.Input{Event: &core.AddNode{ID: "one", Capacity: coresOf(1)}})
	if made := s.Cycle(1); made != len(members) {
		t.Fatalf("%d members are placed", made)
	}
}

// A gang whose members could be assigned in very many ways, none of which fits, is given up within the bound, regardless of how the
// search is split into cycles.
func TestASearchForAGangEndsInAnyBudget(t *testing.T) {
	for _, steps := range []int{1_000, 1 << 40} {
		s := scheduler.New(core.Options{SearchSteps: steps})
		s.Advance(0)
		take(t, s, core.Input{Event: &core.AddApp{ID: "x", Queue: "root.default"}})
		for i := range 6 {
			take(t, s, core.Input{Event: &core.AddNode{ID: fmt.Sprint("n", i), Capacity: coresOf(7)}})
		}
		// With 11 members of size 3, one node has room for only two members of size 2, although more than the third member needs is
		// free.
		addMembers(t, s, []int64{3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2})
		cycles := 0
		for at, ok := s.Deadline(); (ok && at <= s.Now() || cycles == 0) && cycles < 100_000; at, ok = s.Deadline() {
			if made := s.Cycle(-1); made > 0 {
				t.Fatalf("%d members are placed", made)
			}
			cycles++
		}
		if at, ok := s.Deadline(); ok && at <= s.Now() || steps == 1_000 && cycles < 2 {
			t.Errorf("%d steps a cycle: still searching after %d cycles", steps, cycles)
		}
	}
}

func TestSnapshot_ContradictoryGangRefused(t *testing.T) {
	s := newGangCluster(t, []int64{1, 1})
	for i := range 2 {
		in := core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: fmt.Sprint("y", i), App: "y", Resources: coresOf(1)}, PlacedOn: fmt.Sprint("n", i)}}
		take(t, s, in)
	}
	addMembers(t, s, []int64{1, 1})
	for _, at := range []time.Duration{0, time.Second} {
		s.Advance(at)
		s.Cycle(-1)
	}
	body := string(content(s.Snapshot()))
	for what, edit := range map[string][2]string{
		"expected a member of a gang":       {`"Gang":{"ID":"g","Min":2,"Timeout":0}`, `"Gang":{"ID":"g","Min":3,"Timeout":0}`},
		"expected gangs of different names": {`"Gangs":[{"ID":"g","Min":2`, `"Gangs":[{"ID":"g","Min":0`},
		`gang "h": expected members`:        {`"Since":0,"Seq":3}]`, `"Since":0,"Seq":3},{"ID":"h","Min":1,"Timeout":0,"Since":0,"Seq":4}]`},
		"since it lands with claim 2":       {`"LandsWith":1`, `"LandsWith":2`},
	} {
		if !strings.Contains(body, edit[0]) {
			t.Fatalf("the snapshot has no %s: %s", edit[0], body)
		}
		if _, err := scheduler.Restore(sealed([]byte(strings.ReplaceAll(body, edit[0], edit[1]))), core.Options{}); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("expected %q, found %v", what, err)
		}
	}
}

// Each of many gangs that do not fit is searched once in an instant, regardless of the number of steps of a cycle.
func TestManyGangsThatDoNotFitAreSearchedOnceEach(t *testing.T) {
	s := scheduler.New(core.Options{SearchSteps: 100})
	s.Advance(0)
	take(t, s, core.Input{Event: &core.AddApp{ID: "x", Queue: "root.default"}})
	take(t, s, core.Input{Event: &core.AddNode{ID: "n", Capacity: coresOf(3)}})
	const gangs = 2_500
	for i := range 2 * gangs {
		gang := &core.Gang{ID: fmt.Sprint("g", i/2), Min: 2}
		take(t, s, core.Input{Event: &core.AddAsk{ID: fmt.Sprint("x", i), App: "x", Resources: coresOf(2), Ask: core.Ask{Gang: gang}}})
	}
	for cycles := 1; ; cycles++ {
		if made := s.Cycle(-1); made > 0 {
			t.Fatalf("%d members are placed", made)
		}
		at, ok := s.Deadline()
		if !ok || at > s.Now() {
			break
		}
		if cycles > gangs {
			t.Fatalf("still searching after %d cycles", cycles)
		}
		s.Advance(at)
	}
}
