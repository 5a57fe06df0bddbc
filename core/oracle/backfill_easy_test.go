package oracle_test

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/oracle"
	"github.com/quern-project/quern/core/resource"
)

// playLog runs the jobs of a log, each as an application with one ask, and returns their starts.
func playLog(t *testing.T, m core.Machine, log []job, processors int, depth string) []int {
	t.Helper()
	apply := func(e core.Event) {
		if why := m.Apply(&core.Input{At: m.Now(), Event: e}); why != core.Accepted {
			t.Fatalf("%s: %s", e.Type(), why)
		}
	}
	starts, ends := make([]int, len(log)), map[int][]int{} // jobs by the second of their end
	for i := range starts {
		starts[i] = -1
	}
	m.Advance(0)
	apply(&core.SetConfig{Config: "partitions:\n- name: default\n  backfill: {depth: " + depth + ", horizon: 80000h}\n  queues:\n  - name: root\n    queues:\n    - name: batch\n"})
	apply(&core.AddNode{ID: "machine", Capacity: resource.NewSet(resource.Quantity{Type: "cpu", Value: int64(processors)})})
	for arrived, left := 0, len(log); left > 0 || len(ends) > 0; {
		m.Cycle(-1)
		for at, ok := m.Deadline(); ok && at <= m.Now(); at, ok = m.Deadline() {
			m.Cycle(-1)
		}
		for _, d := range m.Take() {
			if d.Type == core.Allocation {
				i, err := strconv.Atoi(strings.TrimPrefix(d.ID, "job-"))
				if err != nil {
					t.Fatal(err)
				}
				now := int(m.Now() / time.Second)
				starts[i] = now
				end := now + min(log[i].run, log[i].requested)
				ends[end] = append(ends[end], i)
				left--
			}
		}
		next := -1
		for end := range ends {
			if next < 0 || end < next {
				next = end
			}
		}
		if arrived < len(log) && (next < 0 || log[arrived].submitted < next) {
			next = log[arrived].submitted
		}
		if next < 0 {
			break
		}
		if at, ok := m.Deadline(); ok && at < time.Duration(next)*time.Second {
			m.Advance(at)
			continue
		}
		m.Advance(time.Duration(next) * time.Second)
		slices.Sort(ends[next])
		for _, i := range ends[next] {
			apply(&core.ReleaseAllocation{ID: fmt.Sprintf("job-%d", i)})
		}
		delete(ends, next)
		for ; arrived < len(log) && log[arrived].submitted == next; arrived++ {
			j := log[arrived]
			apply(&core.AddApp{ID: fmt.Sprintf("app-%d", arrived), Queue: "root.batch"})
			ask := &core.AddAsk{ID: fmt.Sprintf("job-%d", arrived), App: fmt.Sprintf("app-%d", arrived)}
			ask.Resources = resource.NewSet(resource.Quantity{Type: "cpu", Value: int64(j.processors)})
			ask.Walltime = time.Duration(j.requested) * time.Second
			apply(ask)
		}
	}
	return starts
}

// startsEqual compares the starts of a log with those that a simulator gives it.
func startsEqual(t *testing.T, m core.Machine, log []job, processors int, depth string, schedule func(*simulator, int)) {
	t.Helper()
	expected := simulate(log, processors, schedule)
	var waited int
	for i, start := range playLog(t, m, log, processors, depth) {
		if start != expected[i] {
			t.Fatalf("depth %s: job %d %+v starts at %d, the simulator says %d", depth, i, log[i], start, expected[i])
		}
		waited += start - log[i].submitted
	}
	t.Logf("depth %s: mean wait %d s", depth, waited/len(log))
}

func TestBackfill_OracleEqualsSimulators(t *testing.T) {
	for seed := range uint64(5) {
		log := drawLog(seed, 60, 16, 0.95)
		startsEqual(t, oracle.New(), log, 16, "1", easy)
		startsEqual(t, oracle.New(), log, 16, "all", conservative)
	}
}

var jobs = flag.Int("jobs", 3000, "number of jobs of the logs that are compared with simulators")

// TestBackfill_SchedulerEqualsSimulators compares logs of many jobs, for instance with -jobs 50000.
func TestBackfill_SchedulerEqualsSimulators(t *testing.T) {
	log := drawLog(7, *jobs, 64, 0.5)
	startsEqual(t, newMachine(), log, 64, "1", easy)
	startsEqual(t, newMachine(), log, 64, "all", conservative)
}
