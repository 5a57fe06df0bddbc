package ledger

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// tape is a run as a list of inputs and decisions, for a ledger with a meter.
type tape struct {
	books *Ledger
	meter *Meter
}

func newTape() *tape {
	books := New()
	return &tape{books, Measure(books, Detail{Curves: true, Stranded: true})}
}

func (t *tape) apply(at time.Duration, in core.Input, refused core.Reason, made ...core.Decision) {
	t.books.Advance(at)
	t.books.Applied(&in, refused, made)
}

func (t *tape) decide(at time.Duration, made ...core.Decision) {
	t.books.Advance(at)
	t.books.Decided(made)
}

func vcores(n int64) resource.Set { return resource.NewSet(amount(resource.VCore, n*1000)) }

func (t *tape) app(id, queue string) {
	t.apply(0, core.Input{Event: &core.AddApp{ID: id, Queue: queue}}, core.Accepted, core.Decision{Type: core.AppAccepted, ID: id, Queue: queue})
}

func (t *tape) ask(id, app string, n int64) {
	t.apply(0, core.Input{Event: &core.AddAsk{ID: id, App: app, Resources: vcores(n)}}, core.Accepted)
}

// submissions are the positions of the asks of begin.
var submissions = map[string]uint64{"x": 1, "y": 2, "z": 3}

func placed(id string) core.Decision {
	return core.Decision{Type: core.Allocation, ID: id, Submission: submissions[id], Node: "n1"}
}

func released(id string) core.Decision {
	return core.Decision{Type: core.Release, ID: id, Submission: submissions[id], Reason: core.ReasonFinished}
}

// begin has a node of 4 cores, two asks in root.a for it, and an ask in root.b that never fits.
func begin() *tape {
	t := newTape()
	t.apply(0, core.Input{Event: &core.AddNode{ID: "n1", Capacity: vcores(4)}}, core.Accepted, core.Decision{Type: core.NodeAccepted, ID: "n1"})
	t.app("a", "root.a")
	t.app("b", "root.b")
	t.ask("x", "a", 2)
	t.ask("y", "a", 4)
	t.ask("z", "b", 10)
	return t
}

// run gives x 2 cores for 10 s, while y waits for 4; then y has all for 10 s.
func (t *tape) run() *Figures {
	t.decide(0, placed("x"))
	t.decide(10*time.Second, released("x"), placed("y"))
	t.decide(20*time.Second, released("y"))
	return t.meter.Figures(20 * time.Second)
}

func TestMeter_RunOfTwoAllocations(t *testing.T) {
	r := begin()
	f, totals, waits := r.run(), r.books.Totals, r.books.Waits()
	if f.Decisions != 7 || totals.Allocated != 2 || f.Pending.Now != 1 || totals.Preempted != 0 || totals.PolicyFaults() != 0 || f.Makespan != 20*time.Second {
		t.Errorf("found %+v", f)
	}
	if found := []time.Duration{waits.Mean(), waits.Percentile(50), waits.Percentile(95), waits.Max()}; !slices.Equal(found, []time.Duration{5 * time.Second, 0, 10 * time.Second, 10 * time.Second}) {
		t.Errorf("expected waits of 0 and 10 s, found %v", found)
	}
	if want := 0.75 * 0.75 / (2 * 0.75 * 0.75); math.Abs(f.Fairness-want) > 1e-12 { // root.a had 1 of 2, then 1 of 1; root.b had none
		t.Errorf("expected a fairness of %v, found %v", want, f.Fairness)
	}
	cores := f.Type(resource.VCore)
	if cores.Used != (2*10+4*10)/(4*20.0) || cores.Stranded != (2*10)/(4*20.0) {
		t.Errorf("found %+v", cores)
	}
}

func TestMeter_CurvesOfTwoAllocations(t *testing.T) {
	r := begin()
	r.run()
	c := r.meter.Curves(20*time.Second, 0)
	if c.Width != 500*time.Millisecond || c.Points != 40 || len(c.Queues) != 0 {
		t.Fatalf("found %+v", c)
	}
	halves := func(first, second float64) []float64 {
		return append(slices.Repeat([]float64{first}, 20), slices.Repeat([]float64{second}, 20)...)
	}
	for name, c := range map[string]struct{ found, want []float64 }{
		"pending":  {c.Pending, halves(2, 1)},
		"used":     {c.Used[resource.VCore], halves(2000, 4000)},
		"capacity": {c.Capacity[resource.VCore], halves(4000, 4000)},
		"stranded": {c.Stranded[resource.VCore], halves(2000, 0)},
	} {
		if !slices.Equal(c.found, c.want) {
			t.Errorf("%s: expected %v, found %v", name, c.want, c.found)
		}
	}
}

func TestMeter_LooksForStrandedRoomWithinBounds(t *testing.T) {
	r := begin()
	r.decide(0, placed("x"))
	looks, last := 0, time.Duration(0)
	for i := range 20_000 {
		r.books.Advance(time.Duration(i) * time.Second)
		if r.meter.looked != last {
			looks, last = looks+1, r.meter.looked
		}
	}
	if looks > 4000 || looks < mostPoints {
		t.Errorf("looked %d times at 20000 changes", looks)
	}
	if f := r.meter.Figures(20_000 * time.Second); f.Type(resource.VCore).Stranded != 0.5 {
		t.Errorf("found %+v", f.Types)
	}
}

func TestAnInputThatWasRefusedChangesNothing(t *testing.T) {
	r := begin()
	r.apply(0, core.Input{Event: &core.AddNode{ID: "n1", Capacity: vcores(96)}}, core.ReasonDuplicate)
	r.apply(0, core.Input{Event: &core.AddAsk{ID: "x", App: "a", Resources: vcores(3)}}, core.ReasonDuplicate)
	r.apply(0, core.Input{Event: &core.RemoveAsk{ID: "y"}}, core.ReasonNotPending)
	f, want := r.run(), begin().run()
	if !reflect.DeepEqual(f, want) {
		t.Errorf("expected %+v, found %+v", want, f)
	}
}

func TestChangesOfNodesAndAsksAreFollowed(t *testing.T) {
	r := begin()
	r.apply(0, core.Input{Event: &core.UpdateAsk{ID: "y", Resources: vcores(1)}}, core.Accepted)
	r.apply(0, core.Input{Event: &core.RemoveApp{ID: "b"}}, core.Accepted)
	r.apply(0, core.Input{Event: &core.UpdateNode{ID: "n1", Capacity: vcores(8)}}, core.Accepted)
	r.decide(0, placed("x"))
	r.apply(5*time.Second, core.Input{Event: &core.AddNode{ID: "n2", Capacity: vcores(8)}}, core.Accepted)
	r.apply(10*time.Second, core.Input{Event: &core.RemoveNode{ID: "n2"}}, core.Accepted)
	f := r.meter.Figures(10 * time.Second)
	if cores := f.Type(resource.VCore); f.Pending.Now != 1 || cores.Used != (2*10)/(8*5+16*5.0) || cores.Stranded != 0 { // y is small now
		t.Errorf("found %+v", f)
	}
}

func TestFiguresMayBeAskedForAgain(t *testing.T) {
	r := begin()
	first := r.run()
	if again := r.meter.Figures(20 * time.Second); !reflect.DeepEqual(again, first) {
		t.Errorf("expected %+v, found %+v", first, again)
	}
}

func TestMeter_IgnoresAdvancesWithoutAChange(t *testing.T) {
	measured := func(every time.Duration) *Figures {
		r := begin()
		at := func(to time.Duration, made ...core.Decision) {
			for now := r.books.Now + every; now < to; now += every {
				r.books.Advance(now)
			}
			r.decide(to, made...)
		}
		at(0, placed("x"))
		at(7*time.Second, released("x"), placed("y"))
		at(7300*time.Millisecond, released("y"))
		for i := range 600 { // widens the grid, so that several changes share a point
			id, submission := fmt.Sprint("more-", i), uint64(4+i)
			r.apply(r.books.Now, core.Input{Event: &core.AddAsk{ID: id, App: "a", Resources: vcores(3)}}, core.Accepted)
			made := core.Decision{Type: core.Allocation, ID: id, Submission: submission, Node: "n1"}
			gone := core.Decision{Type: core.Release, ID: id, Submission: submission, Reason: core.ReasonFinished}
			at(r.books.Now+time.Duration(100+i*7%13)*time.Millisecond, made)
			at(r.books.Now+time.Duration(100+i*5%17)*time.Millisecond, gone)
		}
		return r.meter.Figures(r.books.Now)
	}
	if once, often := measured(time.Hour), measured(37*time.Millisecond); !reflect.DeepEqual(once, often) {
		t.Errorf("expected %+v, found %+v", once, often)
	}
}
