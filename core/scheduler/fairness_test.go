package scheduler_test

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// sharing is a cluster of 100 vcores on which tasks of one vcore end after about a hundredth of the half-life.
type sharing struct {
	t         testing.TB
	s         *scheduler.Scheduler
	now       time.Duration
	ends      map[time.Duration][]string // by the instant at which they end
	queueOf   map[string]string          // of tasks that run
	asked     map[string]int             // by queue
	pending   map[string]int
	used      map[string]int
	integrals map[string]float64 // of usage, in vcore half-lives
	random    uint64
}

const (
	sharedHalfLife = time.Hour
	sharedStep     = sharedHalfLife / 2000
	sharedSlots    = 100
)

func newSharing(t testing.TB, properties string, queues ...string) *sharing {
	c := newCluster(t, core.Options{}, "")
	c.configure(fmt.Sprintf(", properties: {fairness.half-life: 1h%s}, queues: [{name: %s}]", properties, strings.Join(queues, "}, {name: ")))
	c.node("n", sharedSlots)
	sh := &sharing{t: t, s: c.Scheduler, ends: map[time.Duration][]string{}, queueOf: map[string]string{}, asked: map[string]int{},
		pending: map[string]int{}, used: map[string]int{}, integrals: map[string]float64{}, random: 1}
	for _, q := range queues {
		c.app(q, "root."+q)
	}
	c.take()
	sh.now = c.Now()
	return sh
}

// run lets time pass, while the queues always have work.
func (sh *sharing) run(d time.Duration, queues ...string) {
	for until := sh.now + d; sh.now < until; {
		for _, q := range queues {
			for ; sh.pending[q] < 2*sharedSlots; sh.pending[q]++ {
				sh.asked[q]++
				sh.apply(&core.AddAsk{ID: fmt.Sprint(q, "-", sh.asked[q]), App: q, Resources: vcores(1)})
			}
		}
		sh.s.Cycle(-1)
		for _, d := range sh.s.Take() {
			if d.Type == core.Allocation {
				sh.pending[d.App]--
				sh.used[d.App]++
				sh.random = sh.random*6364136223846793005 + 1442695040888963407
				end := sh.now + time.Duration(10+sh.random>>33%20)*sharedStep
				sh.ends[end], sh.queueOf[d.ID] = append(sh.ends[end], d.ID), d.App
			}
		}
		for q, used := range sh.used {
			sh.integrals[q] += float64(used) / float64(sharedHalfLife/sharedStep)
		}
		sh.advance(sh.now + sharedStep)
	}
}

// advance moves the clock, and ends the tasks that are done.
func (sh *sharing) advance(to time.Duration) {
	for at, ok := sh.s.Deadline(); ok && at < to; at, ok = sh.s.Deadline() {
		sh.s.Advance(at)
		sh.s.Cycle(-1)
	}
	sh.s.Advance(to)
	sh.now = to
	for _, id := range sh.ends[to] {
		sh.apply(&core.ReleaseAllocation{ID: id})
		sh.used[sh.queueOf[id]]--
		delete(sh.queueOf, id)
	}
	delete(sh.ends, to)
}

func (sh *sharing) apply(e core.Event) {
	if why := sh.s.Apply(&core.Input{At: sh.now, Event: e}); why != core.Accepted {
		sh.t.Fatalf("refused: %s", why)
	}
}

// aged returns the aged usage of a queue in vcores.
func (sh *sharing) aged(queue string) float64 {
	for _, q := range sh.s.Dump().Queues {
		if q.Path == "root."+queue && q.Aged != nil {
			for _, a := range q.Aged.Types {
				if a.Type == resource.VCore {
					return (float64(a.Aged.Units) + float64(a.Aged.Part)/(1<<32)) / 1000
				}
			}
		}
	}
	return 0
}

func TestFairness_EqualQueuesShareEqually(t *testing.T) {
	for _, ahead := range []string{"", ", fairness.look-ahead: 0s"} {
		sh := newSharing(t, ahead, "a", "b", "c")
		sh.run(10*sharedHalfLife, "a", "b", "c")
		for _, q := range []string{"b", "c"} {
			if a, other := sh.integrals["a"], sh.integrals[q]; math.Abs(a-other) > 0.01*a {
				t.Errorf("with %q, a has used %.2f vcore half-lives, and %s %.2f", ahead, a, q, other)
			}
		}
	}
}

func TestFairness_CatchesUpAsTheFormulaSays(t *testing.T) {
	sh := newSharing(t, ", fairness.look-ahead: 0s", "a", "b")
	sh.run(10*sharedHalfLife, "a")
	expect := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.01*sharedSlots {
			t.Errorf("%s: expected %.2f vcore, found %.2f", what, want, got)
		}
	}
	expect("a alone", sh.aged("a"), sharedSlots*(1-math.Exp2(-10)))
	before := sh.integrals["a"]
	sh.run(sharedHalfLife/2, "a", "b")
	expect("a after half a half-life of b alone", sh.aged("a"), sharedSlots*math.Exp2(-0.5))
	expect("b after half a half-life alone", sh.aged("b"), sharedSlots*(1-math.Exp2(-0.5)))
	sh.run(sharedHalfLife/2, "a", "b") // both have half of what there is: 2^-1 = 1 - 2^-1
	expect("a after a half-life", sh.aged("a"), sharedSlots/2)
	expect("b after a half-life", sh.aged("b"), sharedSlots/2)
	if used := sh.integrals["a"] - before; used > 0.01*sharedSlots {
		t.Errorf("a has used %.2f vcore half-lives while b caught up", used)
	}
	sh.run(3*sharedHalfLife, "a", "b")
	expect("a later", sh.aged("a"), sharedSlots/2)
	expect("b later", sh.aged("b"), sharedSlots/2)
}

// BenchmarkFairness fills a cluster through 10,000 leaves, and then releases and allocates while time passes, with and without a half-life.
func BenchmarkFairness(b *testing.B) {
	for _, kind := range []struct{ name, properties string }{{"off", ""}, {"on", ", properties: {fairness.half-life: 24h}"}} {
		b.Run(kind.name, func(b *testing.B) {
			var placing time.Duration
			made := 0
			for range b.N {
				s := manyLeaves(b, kind.properties)
				runtime.GC()
				begin := processorTime()
				made += s.Cycle(-1)
				placing += processorTime() - begin
				s.Take()
			}
			b.ReportMetric(float64(placing.Nanoseconds())/float64(max(made, 1)), "cpu-ns/allocation")
		})
		b.Run(kind.name+"-churn", func(b *testing.B) {
			s := manyLeaves(b, kind.properties)
			s.Cycle(-1)
			s.Take()
			runtime.GC()
			begin := processorTime()
			for i := range b.N {
				at := time.Duration(i+1) * 10 * time.Millisecond
				for due, ok := s.Deadline(); ok && due < at; due, ok = s.Deadline() {
					s.Advance(due)
					s.Cycle(-1)
				}
				s.Advance(at)
				id := fmt.Sprint("k", i%20000)
				s.Apply(&core.Input{At: at, Event: &core.ReleaseAllocation{ID: id}})
				s.Apply(&core.Input{At: at, Event: &core.AddAsk{ID: id, App: fmt.Sprint("a", i%10000), Resources: cores(1, 10)}})
				s.Cycle(-1)
				s.Take()
			}
			b.ReportMetric(float64((processorTime()-begin).Nanoseconds())/float64(b.N), "cpu-ns/step")
		})
	}
}

// processorTime returns the processor time of this process, which depends less on what else the machine does than the time on the wall.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano())
}

// manyLeaves returns a cluster with 20,000 pending asks in 10,000 leaves below 100 parents.
func manyLeaves(b *testing.B, properties string) *scheduler.Scheduler {
	c := newCluster(b, core.Options{}, "")
	var parents []string
	for p := range 100 {
		var leaves []string
		for l := range 100 {
			leaves = append(leaves, fmt.Sprintf("{name: l%d}", l))
		}
		parents = append(parents, fmt.Sprintf("{name: p%d, queues: [%s]}", p, strings.Join(leaves, ", ")))
	}
	c.configure(fmt.Sprintf("%s, queues: [%s]", properties, strings.Join(parents, ", ")))
	for n := range 1000 {
		c.say(core.Input{Event: &core.AddNode{ID: fmt.Sprintf("n%04d", n), Capacity: cores(20, 200)}})
	}
	for i := range 10000 {
		c.app(fmt.Sprint("a", i), fmt.Sprintf("root.p%d.l%d", i/100, i%100))
	}
	for i := range 20000 {
		c.say(core.Input{Event: &core.AddAsk{ID: fmt.Sprint("k", i), App: fmt.Sprint("a", i%10000), Resources: cores(1, 10)}})
	}
	c.take()
	return c.Scheduler
}
