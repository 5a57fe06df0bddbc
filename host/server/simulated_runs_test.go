package server

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// fromEnvironment is a number that the environment may set.
func fromEnvironment(t *testing.T, name string, usual uint64) uint64 {
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: expected a number, found %q", name, text)
	}
	return n
}

// simulatedRuns are runs of one seed after the other, on all processors.
type simulatedRuns struct {
	mu     sync.Mutex
	next   uint64
	end    uint64
	counts map[string]int // of runs that are over
}

// work goes through runs until there are no more, or one has failed.
func (r *simulatedRuns) work(t *testing.T) {
	for {
		r.mu.Lock()
		seed := r.next
		if seed >= r.end {
			r.mu.Unlock()
			return
		}
		r.next++
		r.mu.Unlock()
		r.run(t, seed)
	}
}

func (r *simulatedRuns) run(t *testing.T, seed uint64) {
	defer func() {
		if t.Failed() {
			t.Logf("it is the run of seed %d; once more: make simulate ROUNDS=1 SEED=%d", seed, seed)
			r.mu.Lock()
			r.end = 0
			r.mu.Unlock()
		}
	}()
	s := simulatedRun(t, seed)
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.counts["rounds"]
	for what, n := range s.count {
		r.counts[what] += n
	}
	if now := r.counts["rounds"]; now/100_000 > before/100_000 {
		t.Logf("%d rounds", now)
	}
}

// A whole server, with clients, readers, policies, changes of the configuration, failures of the disk, crashes and ends in good order, keeps
// what it said. `make simulate` makes more rounds: ROUNDS of them, from the seed SEED on.
func TestSimulation_AcknowledgedInputsStay(t *testing.T) {
	usual := uint64(8_000)
	if testing.Short() {
		usual = 2_000
	}
	rounds, first := fromEnvironment(t, "ROUNDS", usual), fromEnvironment(t, "SEED", 0)
	r := simulatedRuns{next: first, end: first + max(1, (rounds+roundsOfARun-1)/roundsOfARun), counts: map[string]int{}}
	t.Run("runs", func(t *testing.T) {
		for n := range runtime.GOMAXPROCS(0) {
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				t.Parallel()
				r.work(t)
			})
		}
	})
	for _, what := range slices.Sorted(maps.Keys(r.counts)) {
		t.Logf("%9d %s", r.counts[what], what)
	}
	if rounds < 8_000 || t.Failed() {
		return // too few for everything to happen
	}
	for _, what := range []string{"requests that found no room", "requests too large", "repeats", "requests refused", "failures of the disk", "stores mended",
		"crashes", "kills", "ends in good order", "starts from a snapshot", "compactions", "readers that came late", "configurations in force",
		"policy answers", "damages refused", "damages said at the start", "damages that nothing was lost by", "policy faults", "preemptions", "slices of searches", "what-ifs", "exports that begin with a state"} {
		if r.counts[what] == 0 {
			t.Errorf("there were no %s", what)
		}
	}
}

// A seed is always the same run: what a long simulation finds can be looked at.
func TestASeedIsAlwaysTheSameRun(t *testing.T) {
	once, again := simulatedRun(t, 6), simulatedRun(t, 6)
	if !reflect.DeepEqual(once.told, again.told) || !reflect.DeepEqual(once.inputs, again.inputs) || !reflect.DeepEqual(once.count, again.count) {
		t.Errorf("found %v and %v", once.count, again.count)
	}
}

// Runs that once ended in a fault: an explanation that changed what predicates were asked; another order of asking after a restart; and an
// export with a removed policy while a queue drained; a mark of a killed process that the next one took for durable.
func TestRunsThatOnceFailed(t *testing.T) {
	for _, seed := range []uint64{27, 603, 916, 1482, 1977, 100265} {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { simulatedRun(t, seed) })
	}
}
