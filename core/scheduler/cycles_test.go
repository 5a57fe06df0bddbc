package scheduler_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// restlessWorld is a random cluster whose victims always ask again, at once and under their IDs.
type restlessWorld struct {
	*rand.Rand
	s       *scheduler.Scheduler
	books   *ledger.Ledger
	asked   map[string]core.AddAsk
	running []string
	apps    []string
	next    int
	journal []string
}

// stepsOfAWorld is the number of steps after which another cluster begins.
const stepsOfAWorld = 1000

// TestCycles_NoneUnderTheLaws plays random clusters. QUERN_CYCLE_STEPS sets the number of steps (make cycles).
func TestCycles_NoneUnderTheLaws(t *testing.T) {
	steps := 20_000
	if testing.Short() {
		steps = 5_000
	}
	if text := os.Getenv("QUERN_CYCLE_STEPS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		steps = n
	}
	preempted, wanted := 0, steps/200
	for seed := uint64(1); steps > 0; seed++ {
		w := newRestlessWorld(seed)
		for range min(steps, stepsOfAWorld) {
			w.step()
			if w.books.Totals.Cycles > 0 {
				t.Fatalf("seed %d: preemption went round:\n%s", seed, strings.Join(w.journal[max(0, len(w.journal)-60):], "\n"))
			}
		}
		steps -= stepsOfAWorld
		preempted += w.books.Totals.Preempted
	}
	t.Logf("%d victims", preempted)
	if preempted < wanted {
		t.Errorf("only %d victims: the clusters are too calm", preempted)
	}
}

func newRestlessWorld(seed uint64) *restlessWorld {
	w := &restlessWorld{Rand: rand.New(rand.NewPCG(seed, 0)), s: scheduler.New(core.Options{}), books: ledger.New(), asked: map[string]core.AddAsk{}}
	w.s.Advance(0)
	w.books.Advance(0)
	w.apply(&core.SetConfig{Config: w.config(), Format: "yaml"})
	for i := range 1 + w.IntN(4) {
		w.apply(&core.AddNode{ID: fmt.Sprint("n", i), Capacity: w.amounts(6)})
	}
	for i := range 3 + w.IntN(5) {
		id := fmt.Sprintf("%c-%d", 'a'+rune(w.IntN(4)), i)
		w.apps = append(w.apps, id)
		w.apply(&core.AddApp{ID: id, Queue: []string{"root.p.x", "root.p.y", "root.q", "root.r"}[w.IntN(4)], User: []string{"ann", "bob"}[w.IntN(2)]})
	}
	w.settle()
	return w
}

func (w *restlessWorld) config() string {
	queue := func(name, indent, below string) string {
		properties := []string{"preemption.delay: 1s"}
		if w.IntN(3) == 0 {
			properties = append(properties, "preemption.intra-queue: enabled")
		}
		if w.IntN(4) == 0 {
			properties = append(properties, fmt.Sprintf("priority.offset: %d", w.IntN(5)-2))
		}
		if w.IntN(6) == 0 {
			properties = append(properties, "preemption.policy: fence")
		}
		resources := ""
		if w.IntN(3) > 0 {
			resources = fmt.Sprintf(", resources: {guaranteed: {vcore: %d, memory: %d}}", w.IntN(4), w.IntN(4))
		}
		return fmt.Sprintf("%s- {name: %s, properties: {%s}%s%s}\n", indent, name, strings.Join(properties, ", "), resources, below)
	}
	p := ", queues: [{name: x, properties: {preemption.delay: 1s}, resources: {guaranteed: {vcore: %d}}}, {name: y, resources: {guaranteed: {memory: %d}}}]"
	return "partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n" +
		strings.Replace(queue("p", "    ", fmt.Sprintf(p, w.IntN(2), w.IntN(2))), "guaranteed: {vcore: 0, memory: 0}", "guaranteed: {vcore: 2, memory: 2}", 1) +
		queue("q", "    ", "") + queue("r", "    ", "")
}

func (w *restlessWorld) amounts(most int64) resource.Set {
	list := []resource.Quantity{{Type: resource.VCore, Value: 1000 * (1 + w.Int64N(most))}}
	if w.IntN(2) == 0 || most > 3 {
		list = append(list, resource.Quantity{Type: "memory", Value: 1 + w.Int64N(most)})
	}
	return resource.NewSet(list...)
}

func (w *restlessWorld) apply(e core.Event) core.Reason {
	in := core.Input{At: w.s.Now(), Event: e}
	refused := w.s.Apply(&in)
	decisions := w.s.Take()
	w.journal = append(w.journal, fmt.Sprintf("%s %s %+v %s", w.s.Now(), e.Type(), e, refused))
	w.books.Applied(&in, refused, decisions)
	w.note(decisions)
	return refused
}

// settle runs cycles until nothing changes; victims leave and ask again.
func (w *restlessWorld) settle() {
	for range 200 {
		w.s.Cycle(-1)
		decisions := append([]core.Decision{}, w.s.Take()...)
		w.books.Decided(decisions)
		victims := w.note(decisions)
		if len(victims) == 0 {
			return
		}
		for _, id := range victims {
			again := w.asked[id]
			w.apply(&core.ReleaseAllocation{ID: id})
			w.apply(&again)
		}
	}
	w.books.Totals.Cycles++ // they would go on for ever
}

// note keeps what runs, and returns the victims.
func (w *restlessWorld) note(decisions []core.Decision) (victims []string) {
	for i := range decisions {
		switch d := &decisions[i]; d.Type {
		case core.Allocation:
			w.running = append(w.running, d.ID)
			w.journal = append(w.journal, fmt.Sprintf("  allocation %s on %s", d.ID, d.Node))
		case core.Preemption:
			victims = append(victims, d.ID)
			w.journal = append(w.journal, fmt.Sprintf("  preemption %s for %s by %s", d.ID, d.For, d.Right))
		default:
		}
	}
	return victims
}

func (w *restlessWorld) step() {
	switch n := w.IntN(20); {
	case n < 9:
		w.next++
		in := core.AddAsk{ID: fmt.Sprint("k", w.next), App: w.apps[w.IntN(len(w.apps))], Resources: w.amounts(3), Ask: core.Ask{Priority: w.Int32N(3)}}
		if w.IntN(20) == 0 {
			in.Ask.Node = "n0"
		}
		w.asked[in.ID] = in
		w.apply(&in)
	case n < 15 && len(w.running) > 0:
		i := w.IntN(len(w.running))
		w.apply(&core.ReleaseAllocation{ID: w.running[i]})
		w.running = append(w.running[:i], w.running[i+1:]...)
	default:
		w.advance(time.Duration(1+w.IntN(5)) * time.Second)
	}
	w.settle()
}

// advance lets time pass, with a stop at every deadline.
func (w *restlessWorld) advance(by time.Duration) {
	for to := w.s.Now() + by; w.s.Now() < to; {
		at := to
		if next, ok := w.s.Deadline(); ok && next < at {
			at = next
		}
		w.books.Advance(at)
		w.s.Advance(at)
		w.settle()
	}
}
