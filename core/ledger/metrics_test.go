package ledger

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// tape is a run as a list of inputs and decisions, for a ledger with metrics.
type tape struct {
	books   *Ledger
	metrics *Metrics
}

func newTape() *tape {
	books := New()
	return &tape{books, Measure(books, 0)}
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
func (t *tape) run() Figures {
	t.decide(0, placed("x"))
	t.decide(10*time.Second, released("x"), placed("y"))
	t.decide(20*time.Second, released("y"))
	return t.metrics.Figures(20 * time.Second)
}

func TestARunOfTwoAllocationsComesToWhatIsComputedByHand(t *testing.T) {
	f := begin().run()
	if f.Decisions != 7 || f.Allocated != 2 || f.Pending != 1 || f.Preempted != 0 || f.Faults != 0 || f.Makespan != 20 {
		t.Errorf("found %+v", f)
	}
	if waits := []float64{f.WaitMean, f.WaitP50, f.WaitP95, f.WaitP99, f.WaitMax}; !slices.Equal(waits, []float64{5, 0, 10, 10, 10}) {
		t.Errorf("expected waits of 0 and 10 s, found %v", waits)
	}
	if want := 0.75 * 0.75 / (2 * 0.75 * 0.75); math.Abs(f.Fairness-want) > 1e-12 { // root.a had 1 of 2, then 1 of 1; root.b had none
		t.Errorf("expected a fairness of %v, found %v", want, f.Fairness)
	}
	for name, c := range map[string]struct{ found, want any }{
		"used":            {f.Used, []float64{(2*10 + 4*10) / (4 * 20.0)}},
		"stranded":        {f.Stranded, []float64{(2 * 10) / (4 * 20.0)}},
		"times":           {f.Times, []float64{10, 20}},
		"pending curve":   {f.PendingCurve, []float64{2, 1}},
		"used curves":     {f.UsedCurves, [][]float64{{0.5, 1}}},
		"stranded curves": {f.StrandedCurves, [][]float64{{0.5, 0}}},
		"wait curve":      {f.WaitCurve, [][]float64{{0, 0.5}, {10, 1}}},
	} {
		if !reflect.DeepEqual(c.found, c.want) {
			t.Errorf("%s: expected %v, found %v", name, c.want, c.found)
		}
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
	f := r.metrics.Figures(10 * time.Second)
	if f.Pending != 1 || f.Used[0] != (2*10)/(8*5+16*5.0) || f.Stranded[0] != 0 { // y is small now
		t.Errorf("found %+v", f)
	}
}

func TestFiguresMayBeAskedForAgain(t *testing.T) {
	r := begin()
	first := r.run()
	if again := r.metrics.Figures(20 * time.Second); !reflect.DeepEqual(again, first) {
		t.Errorf("expected %+v, found %+v", first, again)
	}
}

func TestSamplesStayFewAndKeepTheirMeans(t *testing.T) {
	var s samples
	for i := range 10_000 {
		s.sums(1)[0] += float64(i % 2)
		s.add(time.Duration(i+1)*time.Second, time.Second)
	}
	all := s.all()
	if last := all[len(all)-1].end; len(all) > mostSamples+1 || last != 10_000*time.Second {
		t.Errorf("expected at most %d samples up to 10000 s, found %d up to %v", mostSamples+1, len(all), last)
	}
	var held time.Duration
	for i, x := range all {
		held += x.held
		if mean := x.sums[0] / x.held.Seconds(); mean != 0.5 && i < len(all)-1 { // the last one is incomplete
			t.Errorf("sample %d: expected a mean of 0.5, found %v", i, mean)
		}
	}
	if held != 10_000*time.Second {
		t.Errorf("expected samples of 10000 s in all, found %v", held)
	}
}
