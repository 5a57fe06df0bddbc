package scheduler_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/scheduler"
)

// zoned answers predicates that depend on the allocations in a node's zone. The first letter of an ask is its kind. The name of a
// predicate contains the kind of its asks and a condition: apart (no other of the kind in the zone), near (some "b" in the zone), even
// (at most one more of the kind than in the zone with the fewest).
type zoned struct {
	placed map[string]string // node by ask
	zones  map[string]string // zone by node
	asked  int               // number of rows
}

func (z *zoned) tell(p core.Placed) {
	if p.Ended {
		delete(z.placed, p.Ask)
	} else {
		z.placed[p.Ask] = p.Node
	}
}

// count returns the number of asks of a kind by zone.
func (z *zoned) count(kind string) map[string]int {
	n := map[string]int{}
	for _, zone := range z.zones {
		n[zone] += 0
	}
	for ask, at := range z.placed {
		if ask[:1] == kind {
			n[z.zones[at]]++
		}
	}
	return n
}

func (z *zoned) allows(predicate, at string) bool {
	kind, wish, _ := strings.Cut(strings.TrimSuffix(predicate, policy.PlacementMark), "-")
	zone := z.zones[at]
	switch n := z.count(kind); wish {
	case "apart":
		return n[zone] == 0
	case "near":
		return z.count("b")[zone] > 0
	case "even":
		return n[zone] == slices.Min(slices.Collect(maps.Values(n)))
	}
	return true
}

// predicate is one predicate of zoned.
type predicate struct {
	*zoned
	name string
}

func (p predicate) Eval(b *policy.Batch) error {
	for _, row := range b.Rows {
		p.asked++
		switch {
		case p.allows(p.name, b.Items.Name(row)):
			b.Out[row] = 0
		case strings.Contains(p.name, "-apart"): // until an allocation ends
			b.Out[row] = -7
		default:
			b.Out[row] = 7
		}
	}
	return nil
}

func (z *zoned) options() core.Options {
	return core.Options{Placements: z.tell, Evaluator: func(a core.Announcement) policy.Evaluator { return predicate{z, a.Name} }}
}

var wishes = []string{"a-apart", "b-even", "c-near", "d-apart", "e-even", "b-even"}

// wishing returns an ask with a random predicate, or sometimes none.
func wishing(r *rand.Rand, number int) core.Input {
	wish := wishes[r.IntN(len(wishes))]
	in := core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("%s%d", wish[:1], number), App: "app", Resources: vcores(1 + r.Int64N(3))}}
	if r.IntN(4) > 0 {
		in.Ask().Predicate = wish + policy.PlacementMark
	}
	return in
}

// zonedRun is a scheduler whose asks have zoned predicates, with the state that follows from its decisions.
type zonedRun struct {
	*recording
	rand    *rand.Rand
	told    *zoned // evaluates the predicates; updated by Options.Placements
	decided *zoned // updated by decisions
	free    map[string]int64
	sizes   map[string]int64      // by ask
	waiting map[string]core.Input // by ask
	at      time.Duration
	alone   bool // asks may wait for others

	allocated, kept int
}

func newZonedRun(t *testing.T, seed uint64) *zonedRun {
	z := &zonedRun{rand: rand.New(rand.NewPCG(seed, 7)), free: map[string]int64{}, sizes: map[string]int64{}, waiting: map[string]core.Input{}}
	zones := map[string]string{}
	z.told, z.decided = &zoned{placed: map[string]string{}, zones: zones}, &zoned{placed: map[string]string{}, zones: zones}
	z.recording = record(t, z.told.options())
	order := []string{"", ", nodesortpolicy: {type: binpacking}"}[seed%2]
	setup := []core.Input{{Event: &core.SetConfig{Config: partition(", properties: {reservation.delay: 0s}, queues: [{name: q}]", order)}}}
	for i := range 4 + z.rand.IntN(20) {
		n := fmt.Sprintf("n%d", i)
		zones[n], z.free[n] = fmt.Sprint("z", z.rand.IntN(4)), 1000*(1+z.rand.Int64N(8))
		setup = append(setup, core.Input{Event: &core.AddNode{ID: n, Capacity: vcores(z.free[n] / 1000)}})
	}
	z.step(append(setup, core.Input{Event: &core.AddApp{ID: "app", Queue: "root.q"}}))
	return z
}

// round adds asks and ends allocations.
func (z *zonedRun) round(number int) {
	var list []core.Input
	for _, id := range slices.Sorted(maps.Keys(z.decided.placed)) {
		if z.rand.IntN(4) == 0 {
			list = append(list, core.Input{Event: &core.ReleaseAllocation{ID: id}})
			z.free[z.decided.placed[id]] += z.sizes[id]
			delete(z.decided.placed, id)
		}
	}
	for i := range z.rand.IntN(12) {
		in := wishing(z.rand, 100*number+i)
		z.waiting[in.ID()], z.sizes[in.ID()] = in, in.Ask().Resources[0].Value
		list = append(list, in)
	}
	z.step(list)
}

// step applies inputs and checks the decisions against the predicates.
func (z *zonedRun) step(list []core.Input) {
	z.at += time.Second
	entries := make([]journal.Entry, len(list))
	for i := range list {
		list[i].At = z.at
		entries[i] = journal.Entry{Input: list[i], Count: 1}
	}
	from := len(z.decisions)
	z.instant(z.at, entries, nil)
	for _, d := range z.decisions[from:] {
		switch d.Type {
		case core.Allocation:
			if p := z.waiting[d.ID].Ask().Predicate; p != "" && !z.decided.allows(p, d.Node) {
				z.t.Fatalf("%s is on %s, where %s does not let it, with %v", d.ID, d.Node, p, z.decided.placed)
			}
			delete(z.waiting, d.ID)
			z.decided.placed[d.ID] = d.Node
			z.free[d.Node] -= z.sizes[d.ID]
			z.allocated++
		case core.PolicyFault:
			z.t.Fatalf("%+v", d)
		}
	}
	for id, in := range z.waiting {
		if z.alone {
			break
		}
		z.mustWait(id, in.Ask().Predicate)
	}
}

// mustWait fails the test if a node would take an ask.
func (z *zonedRun) mustWait(id, predicate string) {
	for n, free := range z.free {
		if free < z.sizes[id] {
			continue
		}
		if predicate == "" || z.decided.allows(predicate, n) {
			z.t.Fatalf("%s waits, and %s would take it, with %v", id, n, z.decided.placed)
		}
		z.kept++
	}
}

// TestWithinACycleEachPlacementCountsForTheNext adds and ends random asks. Each allocation must be admitted given the ones before it,
// and after a cycle no ask may be pending that a node would take. A replay of the recorded answers must give the same decisions without
// an evaluator.
func TestWithinACycleEachPlacementCountsForTheNext(t *testing.T) {
	allocated, kept := 0, 0
	for seed := range uint64(200) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			z := newZonedRun(t, seed)
			for number := range 8 {
				z.round(number)
			}
			if !maps.Equal(z.decided.placed, z.told.placed) {
				t.Errorf("told of %v, decided %v", z.told.placed, z.decided.placed)
			}
			if err := z.journal.Flush(); err != nil {
				t.Fatal(err)
			}
			if again := lines(t, replay(t, scheduler.New(core.Options{}), z.text.String())); again != lines(t, z.decisions) {
				t.Errorf("the journal\n%s\ngave\n%s\nand its replay\n%s", z.text.String(), lines(t, z.decisions), again)
			}
			allocated, kept = allocated+z.allocated, kept+z.kept
		})
	}
	t.Logf("%d allocations; %d times a predicate kept a waiting ask off a node with room", allocated, kept)
	if allocated < 2_000 || kept < 2_000 {
		t.Error("too few to tell")
	}
}

func TestWhatEndsOnOneNodeLetsAnAskOntoAnother(t *testing.T) {
	z := &zoned{placed: map[string]string{}, zones: map[string]string{"n1": "z", "n2": "z"}}
	c := newCluster(t, z.options(), "")
	c.configure(", queues: [{name: q}]")
	c.node("n1", 1)
	c.app("app", "root.q")
	apart := func(id string, n int64) {
		c.say(core.Input{Event: &core.AddAsk{ID: id, App: "app", Resources: vcores(n), Ask: core.Ask{Predicate: "a-apart" + policy.PlacementMark}}})
		c.cycle()
	}
	apart("a1", 1)
	c.node("n2", 3)
	apart("a2", 3)
	if len(z.placed) != 1 || z.placed["a1"] != "n1" {
		t.Fatalf("found %v", z.placed)
	}
	c.say(core.Input{Event: &core.ReleaseAllocation{ID: "a1"}}) // n1 has no room for a2
	c.cycle()
	if z.placed["a2"] != "n2" {
		t.Errorf("found %v", z.placed)
	}
}

// gang is a round of asks that must be placed together, each in a different zone.
func (z *zonedRun) gang(size, least int) {
	var list []core.Input
	for i := range size {
		in := core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("g%d", i), App: "app", Resources: vcores(1 + z.rand.Int64N(2))}}
		in.Ask().Ask = core.Ask{Predicate: "g-apart" + policy.PlacementMark, Gang: &core.Gang{ID: "gang", Min: least}}
		z.waiting[in.ID()], z.sizes[in.ID()] = in, in.Ask().Resources[0].Value
		list = append(list, in)
	}
	z.step(list)
}

// TestPredicate_SpreadsMembersOfAGang has gangs whose members exclude each other from their zones. Members that a search places tentatively
// must not count afterwards.
func TestPredicate_SpreadsMembersOfAGang(t *testing.T) {
	placed, waited := 0, 0
	for seed := range uint64(100) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			z := newZonedRun(t, seed)
			z.alone = true
			zones := map[string]bool{}
			for n, free := range z.free {
				zones[z.decided.zones[n]] = zones[z.decided.zones[n]] || free >= 2000
			}
			size := 3 + z.rand.IntN(3)
			z.gang(size, size)
			roomy := 0
			for _, yes := range zones {
				if yes {
					roomy++
				}
			}
			switch n := len(z.decided.placed); {
			case n == size:
				placed++
			case n != 0:
				t.Errorf("%d of %d are placed", n, size)
			case roomy >= size:
				t.Errorf("%d zones have room for any of %d, and none is placed", roomy, size)
			default:
				waited++
			}
			if !maps.Equal(z.decided.placed, z.told.placed) {
				t.Errorf("told of %v, decided %v", z.told.placed, z.decided.placed)
			}
		})
	}
	t.Logf("%d gangs placed, %d waited", placed, waited)
	if placed < 20 || waited < 20 {
		t.Error("too few to tell")
	}
}
