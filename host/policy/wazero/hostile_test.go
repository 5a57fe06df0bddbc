package wazero_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	goruntime "runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/policy/wazero"
	"github.com/quern-project/quern/wasm/module/gate"
)

// stage is where a module is stopped.
type stage string

const (
	atGate      stage = "gate"
	atCompile   stage = "compile"
	atStart     stage = "start"
	atManifest  stage = "manifest"
	atResolve   stage = "resolve" // the scheduler reads what it declares
	atConfigure stage = "configure"
	atTrial     stage = "trial"
	atCall      stage = "call"
	nowhere     stage = "works"
)

// hostile is a module that means no good, or may look so.
type hostile struct {
	name    string
	source  string   // C, behind the prelude and the manifest; or
	file    []byte   // the file itself
	flags   []string // of the compiler
	stop    stage
	reason  string // words of the reason
	answers func(free float64) float64
	slow    time.Duration // bound on the processor time of a call; 0: mostTime
}

// tries is how often each module is judged, on a fresh runtime each time. Its fate must be the same each time.
const tries = 3

// mostTime bounds the processor time of a call. Fuel ends a call, and the reasons above prove that it did; the bound only shows
// that the fuel of an instruction has a sane price. A call takes up to 10 ms on an idle machine, and several times that where
// other processes evict its caches; BenchmarkFuel measures the prices.
const mostTime = 100 * time.Millisecond

// mostLeft bounds what remains of a module after it is closed.
var mostLeft = usage{heap: 8 << 20, resident: 48 << 20, reserved: 400 << 20}

// fate is what became of a module.
type fate struct {
	stop   stage
	reason string
	fault  string        // the first that the scheduler was told of
	try    time.Duration // processor time of the longest call of an instance
	eval   time.Duration // processor time of the longest wait of the scheduler: a call, a second one on a fresh instance
	load   time.Duration
}

func TestHostileModules(t *testing.T) {
	for _, cases := range [][]hostile{loops, memoryCases, frameCases, manifestCases, hostCases, gateCases(), rawCases()} {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) { c.judge(t) })
		}
	}
}

// judge tries a module on fresh runtimes, and compares.
func (c *hostile) judge(t *testing.T) {
	c.build(t)
	got := c.become(t)
	left := leaves(t, mostLeft, func() {
		for range tries - 1 {
			again := c.become(t)
			got.try, got.eval, got.load = min(got.try, again.try), min(got.eval, again.eval), min(got.load, again.load)
			again.try, again.eval, again.load = got.try, got.eval, got.load
			if again != got {
				t.Errorf("expected the same fate each time, found %+v and %+v", got, again)
			}
		}
	})
	t.Logf("%s: %s; it took %v to load, a call %v, the scheduler waited %v; left %v",
		got.stop, got.reason, got.load, got.try, got.eval, left)
	if got.stop != c.stop || !strings.Contains(got.reason, c.reason) {
		t.Errorf("expected to be stopped at %s: %q, found %s: %q", c.stop, c.reason, got.stop, got.reason)
	}
	if c.tooSlow(got) {
		t.Errorf("expected a call to end within %v, and a second one too, found %v and together %v", max(c.slow, mostTime), got.try, got.eval)
	}
}

// tooSlow reports whether the scheduler would wait too long: for a call, and for a second one on a fresh instance.
func (c *hostile) tooSlow(f fate) bool {
	most := max(c.slow, mostTime)
	return !raceEnabled && (f.try > most || f.eval > 2*most)
}

// become takes a module through all steps on a runtime of its own, and asks a good one after it.
func (c *hostile) become(t *testing.T) fate {
	t.Helper()
	r, err := wazero.New(t.Context(), wazero.Options{Log: func(string, wazero.Level, string) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	got := c.live(t, r)
	askGood(t, r)
	return got
}

// live is a module's life up to where it is stopped. What can be asked is asked even where a trial would have kept it out,
// since a replay does not try modules.
func (c *hostile) live(t *testing.T, r *wazero.Runtime) fate {
	t.Helper()
	start := time.Now()
	m, err := r.Load(t.Context(), "m", c.file, wazero.Limits{})
	took := time.Since(start)
	if err != nil {
		return fate{stop: stageOfLoad(err), reason: err.Error(), load: took}
	}
	defer func() { _ = m.Close(t.Context()) }()
	specs, err := resolved(m)
	if err != nil {
		return fate{stop: atResolve, reason: err.Error(), load: took}
	}
	e, err := m.Evaluator(t.Context(), []byte("{}"))
	if err != nil {
		return fate{stop: atConfigure, reason: err.Error(), load: took}
	}
	defer e.Close()
	got := fate{stop: nowhere, load: took}
	if _, err := e.Trial(specs); err != nil {
		got.stop, got.reason = atTrial, err.Error()
	}
	for _, rows := range []int32{1, 1000} {
		c.schedule(t, &got, e, specs, rows)
		got.try = max(got.try, timeCall(t, m, specs, rows))
	}
	if got.stop == nowhere && got.fault != "" {
		got.stop, got.reason = atCall, got.fault
	}
	return got
}

// stageOfLoad reads from an error of Load where it stopped.
func stageOfLoad(err error) stage {
	var refusal *gate.Error
	switch text := err.Error(); {
	case errors.As(err, &refusal):
		return atGate
	case strings.HasPrefix(text, "the file is not a valid"):
		return atCompile
	case strings.HasPrefix(text, "start: "):
		return atStart
	}
	return atManifest
}

// resolved reads what a module declares as the scheduler does when it is announced.
func resolved(m *wazero.Module) (map[policy.Point]*policy.PointSpec, error) {
	announced := map[string]any{"name": "m", "version": "1", "abi": "1.0", "points": m.Manifest().Points}
	text, err := json.Marshal(announced)
	if err != nil {
		return nil, err
	}
	manifest, err := policy.ParseManifest(string(text))
	if err != nil {
		return nil, err
	}
	return manifest.Points, nil
}

// processorTime is the time that a processor spent on f, in which others that keep the machine busy do not count.
func processorTime(f func() error) (time.Duration, error) {
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	before := threadTime()
	err := f()
	return threadTime() - before, err
}

// threadTime is the processor time of this thread so far.
func threadTime() time.Duration {
	const thisThread = 1 // RUSAGE_THREAD
	var usage syscall.Rusage
	if err := syscall.Getrusage(thisThread, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// timed measures calls.
type timed struct {
	policy.Evaluator
	longest *time.Duration
}

func (e timed) Eval(b *policy.Batch) error {
	took, err := processorTime(func() error { return e.Evaluator.Eval(b) })
	*e.longest = max(*e.longest, took)
	return err
}

// free is what the node in a row has.
func free(row int32) float64 { return float64(row) + 0.5 }

// schedule asks a module three times about rows, as the scheduler asks. Every row is answered, by the module if it works
// and else by the fallback, whose answers are zeros.
func (c *hostile) schedule(t *testing.T, got *fate, e policy.Evaluator, specs map[policy.Point]*policy.PointSpec, rows int32) {
	t.Helper()
	for point, spec := range specs {
		failed := false
		tab := table(timed{e, &got.eval}, point, spec, func(err error) {
			failed = true
			if got.fault == "" {
				got.fault = err.Error()
			}
		})
		tab.Acting().Symbols = policy.NewSymbolTable(resource.NewTypes())
		fill := source(func(row int32, column policy.Column) float64 {
			if column.Kind.Coded() {
				return column.Code([]string{"north", "south"}[row%2])
			}
			return free(row)
		})
		for range 3 {
			for row := range rows {
				tab.Touch(row)
			}
			answered := int32(0)
			tab.Flush(fill, func(row int32, keys []float64) {
				answered++
				c.check(t, row, keys[0], failed)
			})
			if answered != rows {
				t.Errorf("expected %d answers, found %d", rows, answered)
			}
		}
	}
}

// check compares an answer with what the module, or the fallback, has to say.
func (c *hostile) check(t *testing.T, row int32, found float64, failed bool) {
	t.Helper()
	expected := 0.0
	if !failed {
		if c.answers == nil {
			return
		}
		expected = c.answers(free(row))
	}
	if found != expected {
		t.Errorf("row %d: expected %v, found %v", row, expected, found)
	}
}

// timeCall is how long one call on a fresh instance takes, at best.
func timeCall(t *testing.T, m *wazero.Module, specs map[policy.Point]*policy.PointSpec, rows int32) time.Duration {
	t.Helper()
	longest := time.Duration(0)
	for point, spec := range specs {
		in, err := m.Instance(t.Context(), []byte("{}"))
		if err != nil {
			continue
		}
		b := &policy.Batch{Point: point, Epoch: 1, Keys: spec.Keys, Columns: spec.Columns, Depends: spec.Depends, Out: make([]float64, int(rows)*spec.Keys)}
		for range spec.Columns {
			b.Cols = append(b.Cols, make([]float64, rows))
		}
		for row := range rows {
			b.Rows = append(b.Rows, row)
		}
		b.Changed = b.Rows
		took, _ := processorTime(func() error { return in.Eval(b) }) // what it says was looked at before
		longest = max(longest, took)
		in.Close()
	}
	return longest
}

// askGood loads a good module and looks at its answers.
func askGood(t *testing.T, r *wazero.Runtime) {
	t.Helper()
	m, err := r.Load(t.Context(), "good", goodFile().bytes(), wazero.Limits{})
	if err != nil {
		t.Fatalf("a good module after it: %v", err)
	}
	specs, err := resolved(m)
	if err != nil {
		t.Fatal(err)
	}
	e, err := m.Evaluator(t.Context(), []byte("{}"))
	if err != nil {
		t.Fatalf("a good module after it: %v", err)
	}
	defer e.Close()
	good, got := hostile{answers: double}, fate{}
	good.schedule(t, &got, e, specs, 100)
	if got.fault != "" {
		t.Errorf("a good module after it: %s", got.fault)
	}
}

func double(free float64) float64 { return 2 * free }

func infinite(float64) float64 { return math.Inf(1) }
