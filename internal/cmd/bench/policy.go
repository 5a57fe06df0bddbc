package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/policy/registry"
	"github.com/quern-project/quern/host/policy/wazero"
	"github.com/quern-project/quern/host/replay"
	"github.com/quern-project/quern/host/report/compare"
	"github.com/quern-project/quern/host/workload"
)

// builtModules is where `make plugins` leaves the modules.
const builtModules = "build/policies"

// The columns of the policy tables.
const (
	ofNative  = "of native"
	perModule = "memory a module"
	dirtyRow  = "a dirty row"
)

// policies are fills whose node score and application order come from a module: the built-in `fair`, in each language.
func policies(s scale) group {
	g := group{
		name: "policy",
		about: "The fill with the node score and the application order of `fair`, from the built-in and from modules that answer alike; each run makes the native one, " +
			"too, in the same process, and the ratio is theirs. Modules are those of `make plugins`; what is not built is left out. Sizes are nodes / asks / leaf queues.",
		columns: []column{{rate, perSecond, true}, {ofNative, "", true}},
	}
	for _, p := range []struct {
		name   string
		round  int
		asks   int
		wanted map[string]float64
	}{
		{"fair-c", 0, 50_000, map[string]float64{ofNative: 0.6}},
		{"fair-rust", 0, 50_000, map[string]float64{ofNative: 0.6}},
		{"fair-assemblyscript", 0, 50_000, map[string]float64{ofNative: 0.6}},
		{"fair-go", 0, 50_000, map[string]float64{ofNative: 0.3}},
		{"fair-process", 1, 5_000, nil},
		{"fair-process", 1000, 50_000, map[string]float64{rate: 50_000}},
	} {
		name := p.name
		if p.round > 0 {
			name = fmt.Sprintf("%s, round %d", p.name, p.round)
		}
		if _, err := os.Stat(filepath.Join(builtModules, p.name+".toml")); err != nil {
			continue
		}
		size := fillSize{5_000, p.asks, 100}
		nodes, asks, queues := s.of(size.nodes, 100), s.of(size.asks, 1000), s.of(size.queues, 25)
		generate := func() workload.Workload { return workload.Fill(nodes, asks, queues, seed) }
		g.cases = append(g.cases, benchCase{name: name, size: []int{nodes, asks, queues}, wanted: p.wanted, run: func() (sample, error) {
			return policyFill(p.name, p.round, generate)
		}})
	}
	return g
}

// policyFill fills with a module and with the built-in, one after the other.
func policyFill(name string, round int, generate func() workload.Workload) (sample, error) {
	native, err := fillRate("fair", core.Options{}, nil, generate)
	if err != nil {
		return nil, err
	}
	dir, err := alone(name, round)
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a folder of links
	ctx := context.Background()
	modules, err := replay.OpenPolicies(ctx, replay.PolicyOptions{Dir: dir}, os.Stderr)
	if err != nil {
		return nil, err
	}
	defer func() { _ = modules.Close(ctx) }() // it is killed
	if err := modules.Refused(name); err != nil {
		return nil, err
	}
	rate, err := fillRate(name, modules.Options(ctx), modules.Inputs(), generate)
	if err != nil {
		return nil, err
	}
	return sample{rate, rate / native}, nil
}

// alone makes a folder with one module of those that were built; a round is that of a process.
func alone(name string, round int) (string, error) {
	dir, err := os.MkdirTemp("", "quern-bench-")
	if err != nil {
		return "", err
	}
	from, err := filepath.Abs(builtModules)
	if err != nil {
		return "", err
	}
	settings := ""
	if round > 0 {
		settings = fmt.Sprintf("[process]\ncommand = %q\nround = %d\n[limits]\ndeadline = \"1s\"\n", filepath.Join(from, name), round)
	} else if err := os.Symlink(filepath.Join(from, name+".wasm"), filepath.Join(dir, name+".wasm")); err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, name+".toml"), []byte(settings), 0o600)
}

// fillRate is the allocations in a second of a fill that a policy orders.
func fillRate(name string, o core.Options, announced []core.Input, generate func() workload.Workload) (float64, error) {
	override := compare.Override{Name: name, Points: []string{"app.order", "node.score"}}
	w := generate()
	inputs := w.All()
	for i := range inputs {
		if set, ok := inputs[i].Event.(*core.SetConfig); ok {
			inputs[i].Event = override.Config(set)
		}
	}
	d := driver{scheduler.New(o)}
	d.Advance(0)
	began := time.Now()
	d.apply(announced)
	d.apply(inputs)
	made := d.decide()
	took := time.Since(began)
	if made == 0 {
		return 0, fmt.Errorf("%s: nothing is allocated", name)
	}
	return float64(made) / took.Seconds(), nil
}

// starts are what it takes to load a module.
func starts(s scale) group {
	g := group{
		name: "policy-start",
		about: "What a module costs before it answers: compiled without a cache, from the cache of compiled code (both with gate, rewriting and trial), one more instance; and the " +
			"resident memory of each of 100 modules (10 in Go) that are loaded and ready. The last column is what a change of one node of 10,000 costs, asked about in a call.",
		columns: []column{{"compiled", milli, false}, {"from the cache", milli, false}, {"an instance", micro, false}, {perModule, megabyte, false},
			{dirtyRow, nanosecond, false}},
	}
	for _, m := range []struct {
		name   string
		often  int // modules that are loaded at once
		wanted map[string]float64
	}{
		{"fair-c", 100, map[string]float64{"from the cache": 2, perModule: 0.5, dirtyRow: 150}}, {"fair-rust", 100, nil}, {"fair-assemblyscript", 100, nil},
		{"fair-go", 10, map[string]float64{"from the cache": 60}},
	} {
		name, wanted := m.name, m.wanted
		path := filepath.Join(builtModules, name+".wasm")
		if _, err := os.Stat(path); err != nil {
			continue
		}
		g.cases = append(g.cases, benchCase{name: name, wanted: wanted, run: func() (sample, error) { return start(path, s.of(m.often, 10)) }})
	}
	return g
}

func start(path string, modules int) (sample, error) {
	cache, err := os.MkdirTemp("", "quern-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(cache) }() // compiled code
	cold, err := opened(path, cache)
	if err != nil {
		return nil, err
	}
	warm, err := opened(path, cache)
	if err != nil {
		return nil, err
	}
	instance, err := instanceTime(path)
	if err != nil {
		return nil, err
	}
	memory, err := memoryOf(path, cache, modules)
	if err != nil {
		return nil, err
	}
	row, err := rowTime(path, cache)
	return sample{each(cold, 1, time.Millisecond), each(warm, 1, time.Millisecond), each(instance, 1, time.Microsecond), memory, row}, err
}

// described is a table's rows, described by numbers that do not matter.
type described struct{}

func (described) Name(int32) string { return "" }

func (described) Fill(row int32, _ []policy.Column, cols [][]float64) {
	for i := range cols {
		cols[i][row] = float64(row) * 1000
	}
}

// rowTime is what it costs to ask a module about one row of 10,000 that changed, in nanoseconds.
func rowTime(path, cache string) (float64, error) {
	ctx := context.Background()
	r, _, err := registry.Open(ctx, registry.Options{Files: []string{path}, Cache: cache})
	if err != nil {
		return 0, err
	}
	defer func() { _ = r.Close(ctx) }() // memory alone
	a := r.Announced()[0]
	types := resource.NewTypes()
	for _, name := range []string{resource.VCore, "memory"} {
		types.Intern(name)
	}
	acting := &policy.Acting{Point: policy.NodeScore, Symbols: policy.NewSymbolTable(types),
		Module: &policy.Module{Manifest: *a.Parsed, Evaluator: r.Bind(ctx).Evaluator(a)}}
	var fault error
	acting.Fallback = policy.FairNodes(nil)
	acting.OnFault = func(a *policy.Acting, err error) { fault = err; a.Fail() }
	table := policy.NewTable(acting)
	const rows, often = 10_000, 50_000
	for row := range int32(rows) {
		table.Touch(row)
	}
	table.Flush(described{}, func(int32, []float64) {})
	began := time.Now()
	for i := range often {
		table.Touch(int32(i * 7919 % rows))
		table.Flush(described{}, func(int32, []float64) {})
	}
	return each(time.Since(began), often, time.Nanosecond), fault
}

// opened is how long it takes until a module serves.
func opened(path, cache string) (time.Duration, error) {
	ctx := context.Background()
	began := time.Now()
	r, refused, err := registry.Open(ctx, registry.Options{Files: []string{path}, Cache: cache})
	took := time.Since(began)
	if err != nil {
		return 0, err
	}
	if len(refused) > 0 {
		err = refused[0]
	}
	if closing := r.Close(ctx); err == nil {
		err = closing
	}
	return took, err
}

func instanceTime(path string) (time.Duration, error) {
	ctx := context.Background()
	r, err := wazero.New(ctx, wazero.Options{})
	if err != nil {
		return 0, err
	}
	defer func() { _ = r.Close(ctx) }() // memory alone
	file, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	m, err := r.Load(ctx, "bench", file, wazero.Limits{})
	if err != nil {
		return 0, err
	}
	const often = 20
	began := time.Now()
	for range often {
		in, err := m.Instance(ctx, []byte(`{"weights":{"memory":1,"vcore":1}}`))
		if err != nil {
			return 0, err
		}
		in.Close()
	}
	return time.Since(began) / often, nil
}

// memoryOf is the resident memory, in megabytes, that each of so many modules adds.
func memoryOf(path, cache string, modules int) (float64, error) {
	dir, err := os.MkdirTemp("", "quern-bench-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // copies
	file, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	for i := range modules {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("m%d.wasm", i)), file, 0o600); err != nil {
			return 0, err
		}
	}
	live()
	before, err := resident()
	if err != nil {
		return 0, err
	}
	ctx := context.Background()
	r, refused, err := registry.Open(ctx, registry.Options{Dir: dir, Cache: cache})
	if err != nil {
		return 0, err
	}
	defer func() { _ = r.Close(ctx) }() // memory alone
	if len(refused) > 0 {
		return 0, refused[0]
	}
	live()
	after, err := resident()
	return (after - before) / float64(modules), err
}

// resident is the memory of this process that the system holds for it, in megabytes.
func resident() (float64, error) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	var size, pages float64
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return 0, err
	}
	return pages * float64(os.Getpagesize()) / 1e6, nil
}
