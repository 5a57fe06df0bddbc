package scheduler_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/policy"
)

// foreseeing answers predicates from the allocations on nodes, without those that are assumed to have gone: alone (no ask beginning
// with "p" on the node), apart (no "x" in its zone), near (some "a" in its zone). The zone of a node is its last letter.
type foreseeing struct {
	placed map[string]string // node by ask
	asked  int               // questions about departures
}

func (f *foreseeing) tell(p core.Placed) {
	if p.Ended {
		delete(f.placed, p.Ask)
	} else {
		f.placed[p.Ask] = p.Node
	}
}

func (f *foreseeing) allows(wish, node string, gone []string) bool {
	count := func(kind string, zone bool) (n int) {
		for ask, at := range f.placed {
			if ask[:1] == kind && !slices.Contains(gone, ask) && (at == node || zone && at[len(at)-1] == node[len(node)-1]) {
				n++
			}
		}
		return n
	}
	switch wish {
	case "alone":
		return count("p", false) == 0
	case "apart":
		return count("x", true) == 0
	}
	return count("a", true) > 0
}

func (f *foreseeing) options() core.Options {
	return core.Options{Placements: f.tell, Evaluator: func(a core.Announcement) policy.Evaluator { return foreseen{f, a.Name} }}
}

// foreseen is one predicate of foreseeing.
type foreseen struct {
	*foreseeing
	name string
}

func (p foreseen) Eval(b *policy.Batch) error {
	p.asked += min(len(b.Gone), 1)
	wish, _, _ := strings.Cut(p.name, "@")
	for _, row := range b.Rows {
		switch {
		case p.allows(wish, b.Items.Name(row), b.Gone):
			b.Out[row] = 0
		case wish == "near":
			b.Out[row] = 3.5 // whichever allocations go
		default:
			b.Out[row] = -3
		}
	}
	return nil
}

const prodFirst = `, queues: [{name: low}, {name: prod, resources: {guaranteed: {vcore: 50}}, properties: {preemption.delay: 1s}}]`

// departing returns a cluster in which root.prod may preempt allocations of root.low.
func departing(t *testing.T) (*recording, *foreseeing) {
	f := &foreseeing{placed: map[string]string{}}
	r := record(t, f.options())
	r.instant(0, entriesOf(0, core.Input{Event: &core.SetConfig{Config: partition(prodFirst, "")}},
		core.Input{Event: &core.AddApp{ID: "low", Queue: "root.low"}}, core.Input{Event: &core.AddApp{ID: "prod", Queue: "root.prod"}}), nil)
	return r, f
}

func entriesOf(at time.Duration, list ...core.Input) (entries []journal.Entry) {
	for _, in := range list {
		in.At = at
		entries = append(entries, journal.Entry{Input: in, Count: 1})
	}
	return entries
}

// to applies inputs and lets a second pass.
func (r *recording) to(list ...core.Input) {
	at := r.Now() + time.Second
	for next, ok := r.Deadline(); ok && next < at; next, ok = r.Deadline() {
		r.instant(next, nil, nil)
	}
	r.instant(at, entriesOf(at, list...), nil)
}

func nodeOf(id string, cores int64) core.Input {
	return core.Input{Event: &core.AddNode{ID: id, Capacity: vcores(cores)}}
}

func placedLow(id, node string, priority int32) core.Input {
	return core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: id, App: "low", Resources: vcores(1), Ask: core.Ask{Priority: priority}}, PlacedOn: node}}
}

func wants(id, wish string, cores int64) core.Input {
	return core.Input{Event: &core.AddAsk{ID: id, App: "prod", Resources: vcores(cores), Ask: core.Ask{Priority: 100, Predicate: wish + policy.DepartureMark}}}
}

func gone(id string) core.Input { return core.Input{Event: &core.ReleaseAllocation{ID: id}} }

func TestAnAskTakesWhatItsPredicateNeedsGone(t *testing.T) {
	r, _ := departing(t)
	r.to(nodeOf("n1", 10), placedLow("p1", "n1", 1), placedLow("q1", "n1", 0))
	r.to(wants("w", "alone", 1))
	r.to()
	r.to()
	r.expect("only what has the port", r.preempted(), "p1@n1 ")
	r.placed()
	r.to(gone("p1"))
	r.expect("and lands there", r.placed(), "w@n1")
}

func TestPreemption_OtherNodesOfAZoneOnlyIfUseful(t *testing.T) {
	r, _ := departing(t)
	r.to(nodeOf("n1a", 1), nodeOf("n2a", 1), placedLow("x1", "n1a", 1), placedLow("x2", "n2a", 0))
	r.to(wants("w", "apart", 1))
	r.to()
	r.to()
	r.expect("victims are on one node, and the other stays", r.preempted(), "")
}

func TestAnAskTakesNothingThatItsPredicateNeeds(t *testing.T) {
	r, _ := departing(t)
	r.to(nodeOf("n1", 2), placedLow("b1", "n1", 5), placedLow("a1", "n1", 0))
	r.to(wants("w", "near", 1))
	r.to()
	r.to()
	r.expect("the other, although it does more harm", r.preempted(), "b1@n1 ")
	r.to(wants("w2", "near", 1), gone("b1"))
	r.to()
	r.to()
	r.expect("and never the last one", r.preempted(), "b1@n1 ")
}

func TestAClaimLapsesWhosePredicateRefusesInTheEnd(t *testing.T) {
	r, _ := departing(t)
	r.to(nodeOf("n1", 2), placedLow("b1", "n1", 5), placedLow("a1", "n1", 0))
	r.to(wants("w", "near", 1))
	r.to()
	r.to()
	r.to(gone("a1"))
	r.to(gone("b1"))
	r.to(wants("other", "alone", 2))
	lapsed := slices.ContainsFunc(r.decisions, func(d core.Decision) bool { return d.Type == core.Lapsed && d.For == "w" })
	if found := r.placed(); !lapsed || found != "other@n1" {
		t.Errorf("lapsed: %v, placed: %s", lapsed, found)
	}
}

func TestAnAtomicGangTakesNothingThatAMemberNeeds(t *testing.T) {
	for _, wish := range []string{"near", "alone"} {
		r, _ := departing(t)
		r.to(nodeOf("n1", 2), placedLow("b1", "n1", 0), placedLow("a1", "n1", 0))
		member := func(id string) core.Input {
			in := wants(id, wish, 1)
			in.Ask().Gang = &core.Gang{ID: "g", Min: 2}
			return in
		}
		r.to(member("w1"), member("w2"))
		r.to()
		r.to()
		want := map[string]string{"near": "", "alone": "a1@n1 b1@n1 "}[wish]
		r.expect(wish, inOrder(r.preempted()), want)
	}
}

func inOrder(words string) string {
	list := strings.Fields(words)
	slices.Sort(list)
	return strings.Join(append(list, ""), " ")
}

func TestRecordedAnswers_DeparturesNeedNoModule(t *testing.T) {
	r, f := departing(t)
	r.to(nodeOf("n1a", 4), nodeOf("n2b", 4), placedLow("p1", "n1a", 1), placedLow("q1", "n1a", 2), placedLow("p2", "n2b", 3))
	r.to(wants("w", "alone", 3), wants("v", "apart", 1))
	r.to()
	r.to(gone("p1"))
	r.to()
	if err := r.journal.Flush(); err != nil || f.asked == 0 {
		t.Fatal(err, f.asked)
	}
	again := record(t, core.Options{})
	again.play(r.text.String(), nil)
	if want, got := fmt.Sprint(r.decisions), fmt.Sprint(again.decisions); want != got {
		t.Errorf("expected %s\nfound %s", want, got)
	}
}

// lowestTop returns the lowest possible highest priority of a set of victims on one node that makes room and that the predicate admits.
// ok is false if there is no such set. It tries all sets.
func (f *foreseeing) lowestTop(wish string, cores int64, free map[string]int64, priorities map[string]int32) (top int32, ok bool) {
	for node, room := range free {
		var here []string
		for id, at := range f.placed {
			if _, low := priorities[id]; low && at == node {
				here = append(here, id)
			}
		}
		for set := range 1 << len(here) {
			var victims []string
			highest := int32(math.MinInt32)
			for i, id := range here {
				if set>>i&1 == 1 {
					victims, highest = append(victims, id), max(highest, priorities[id])
				}
			}
			if room+int64(len(victims)) >= cores && f.allows(wish, node, victims) && (!ok || highest < top) {
				top, ok = highest, true
			}
		}
	}
	return top, ok
}

// TestVictimsAreFoundWhereverTheyCanBe compares with all sets of all nodes of small clusters. An ask finds victims if there are any,
// their highest priority is as low as possible, and the ask's predicate admits it without them.
func TestVictimsAreFoundWhereverTheyCanBe(t *testing.T) {
	found, none := 0, 0
	for seed := range uint64(400) {
		rnd := rand.New(rand.NewPCG(seed, 11))
		r, f := departing(t)
		free, priorities := map[string]int64{}, map[string]int32{}
		var list []core.Input
		for i := range 1 + rnd.IntN(4) {
			n := fmt.Sprintf("n%d%c", i, "ab"[rnd.IntN(2)])
			free[n] = 1 + rnd.Int64N(5)
			list = append(list, nodeOf(n, free[n]))
			for k := range rnd.IntN(int(free[n]) + 1) {
				id := fmt.Sprintf("%c%d-%d", "apxq"[rnd.IntN(4)], i, k)
				priorities[id] = rnd.Int32N(4)
				list = append(list, placedLow(id, n, priorities[id]))
				free[n]--
			}
		}
		r.to(list...)
		wish, cores := []string{"alone", "apart", "near"}[rnd.IntN(3)], 1+rnd.Int64N(4)
		best, ok := f.lowestTop(wish, cores, free, priorities)
		before := maps.Clone(f.placed)
		r.to(wants("w", wish, cores))
		r.to()
		r.to()
		if ok && best == math.MinInt32 {
			if f.placed["w"] == "" {
				t.Fatalf("seed %d: a node takes the ask, and it waits", seed)
			}
			continue
		}
		var victims []string
		node, top := "", int32(math.MinInt32)
		for _, v := range strings.Fields(r.preempted()) {
			id, at, _ := strings.Cut(v, "@")
			victims, node, top = append(victims, id), at, max(top, priorities[id])
		}
		switch {
		case ok != (len(victims) > 0):
			t.Fatalf("seed %d: %s with %d cores, free %v, placed %v: there are victims: %v; found %v", seed, wish, cores, free, before, ok, victims)
		case !ok:
			none++
		case top != best || free[node]+int64(len(victims)) < cores || !f.allows(wish, node, victims):
			t.Fatalf("seed %d: %s with %d cores, free %v, placed %v: victims %v, highest priority %d, expected %d", seed, wish, cores, free, before, victims, top, best)
		default:
			found++
		}
	}
	t.Logf("%d with victims, %d without", found, none)
	if found < 60 || none < 60 {
		t.Error("too few to tell")
	}
}
