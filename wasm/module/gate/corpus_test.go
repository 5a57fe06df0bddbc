package gate

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero/api"
)

// TestRealModulesRunTheSame calls what C, Rust and Go compilers made, with and without fuel.
func TestRealModulesRunTheSame(t *testing.T) {
	e := newEngine(t)
	for name, module := range map[string]func(testing.TB) []byte{
		"C":              func(tb testing.TB) []byte { return corpus(tb, "kernels.wasm") },
		"C with vectors": func(tb testing.TB) []byte { return corpus(tb, "vectors.wasm") },
		"Rust":           func(tb testing.TB) []byte { return corpus(tb, "rust.wasm") },
		"Go":             reactor,
	} {
		t.Run(name, func(t *testing.T) {
			file := module(t)
			plain, bounded := e.run(t, file), e.run(t, rewritten(t, file))
			calls := 0
			for function, def := range plain.ExportedFunctionDefinitions() {
				if !slices.Equal(def.ParamTypes(), []api.ValueType{api.ValueTypeI32}) {
					continue
				}
				for _, arg := range []uint64{0, 1, 5, 22, 1<<32 - 3} {
					if arg > 99 && function != "rust_index" && function != "divide" && function != "victim_rank" {
						continue
					}
					setFuel(bounded, 1<<60)
					want, got := outcome(e.ctx, plain, function, arg), outcome(e.ctx, bounded, function, arg)
					if want != got {
						t.Errorf("%s(%d): %s without, %s with fuel", function, arg, want, got)
					}
					calls++
				}
			}
			if calls < 8 {
				t.Errorf("only %d calls were compared", calls)
			}
		})
	}
}

func TestAGoModuleInitializesWithinTheInitialFuel(t *testing.T) {
	e := newEngine(t)
	m := e.run(t, rewritten(t, reactor(t)))
	used := InitialFuel - fuelLeft(m)
	t.Logf("%d units", used)
	if used > InitialFuel/2 {
		t.Errorf("%d units of %d, there is little room left", used, InitialFuel)
	}
}

func TestAGoModuleIsAPolicyForTheGate(t *testing.T) {
	file := reactor(t)
	r, err := Inspect(file, Limits{})
	must(t, err)
	if r.Policy != nil || len(r.Imports) != 16 || r.Memory.Max != 256 || r.Functions < 1000 || r.Start {
		t.Errorf("found %+v", r)
	}
	out, err := Bound(file, Limits{})
	must(t, err)
	again, err := Bound(file, Limits{})
	must(t, err)
	if !bytes.Equal(out, again) {
		t.Error("the same module was rewritten in two ways")
	}
}

func TestMemoryAndTablesGrowNoFurtherThanTheLimits(t *testing.T) {
	e := newEngine(t)
	b := &builder{memory: []byte{0, 1}, tables: [][]byte{{typeFuncref, 0, 1}, join(typeFuncref, 1, 0, appendU32(nil, 1<<30))}}
	b.function("memory", ":i", nil, i32(2), 0x40, 0, 0x1a, i32(1), 0x40, 0)
	b.function("first", ":i", nil, 0xd0, typeFuncref, i32(10), 0xfc, 15, 0)
	b.function("second", ":i", nil, 0xd0, typeFuncref, i32(10), 0xfc, 15, 1)
	out, err := meterAny(b.bytes(), Limits{Pages: 3, TableElements: 10})
	must(t, err)
	m := e.run(t, out)
	for name, want := range map[string]int32{"memory": -1, "first": -1, "second": 0} {
		got, err := m.ExportedFunction(name).Call(e.ctx)
		must(t, err)
		if int32(got[0]) != want {
			t.Errorf("%s grew: %d, expected %d", name, int32(got[0]), want)
		}
	}
}

// TestEveryWayToAnImportIsCharged calls it directly, through a table, through an export and as the start function.
func TestEveryWayToAnImportIsCharged(t *testing.T) {
	e := newEngine(t)
	calls := 0
	_, err := e.NewHostModuleBuilder("env").NewFunctionBuilder().WithFunc(func() { calls++ }).Export("f").Instantiate(e.ctx)
	must(t, err)
	b := &builder{tables: [][]byte{{typeFuncref, 0, 2}}, start: 1}
	b.importFunc("env", "f", ":")
	b.elements = [][]byte{join(0, i32(0), 0x0b, 1, 0)}
	b.globals = [][]byte{join(typeFuncref, 0, 0xd2, 0, 0x0b)}
	b.function("direct", ":", nil, 0x10, 0)
	b.function("table", ":", nil, i32(0), 0x11, 0, 0)
	b.function("value", ":", nil, i32(1), 0xd2, 0, 0x26, 0, i32(1), 0x11, 0, 0)
	b.function("global", ":", nil, i32(1), 0x23, 0, 0x26, 0, i32(1), 0x11, 0, 0)
	b.export("export", kindFunc, 0)
	m := e.run(t, rewritten(t, b.bytes()))
	if calls != 1 || fuelLeft(m) > InitialFuel-hostCost {
		t.Errorf("%d calls at the start, %d units", calls, InitialFuel-fuelLeft(m))
	}
	for _, name := range []string{"direct", "table", "value", "global", "export"} {
		setFuel(m, 100000)
		_, err := m.ExportedFunction(name).Call(e.ctx)
		must(t, err)
		if left := fuelLeft(m); left > 100000-hostCost {
			t.Errorf("%s: took %d units, a call of the host takes %d", name, 100000-left, hostCost)
		}
		setFuel(m, hostCost-1)
		if _, err = m.ExportedFunction(name).Call(e.ctx); err == nil {
			t.Errorf("%s: no trap", name)
		}
	}
	if calls != 6 {
		t.Errorf("%d calls, expected 6", calls)
	}
}

func TestHostWorkIsChargedByItsLength(t *testing.T) {
	e := newEngine(t)
	b := &builder{memory: []byte{0, 2}}
	b.importFunc("quern", "log", "iii:")
	b.importFunc(wasi, "fd_write", "iiii:i")
	b.function("log", ":", nil, i32(0), i32(0), i32(10000), 0x10, 0)
	b.function("write", ":", nil, i32(1), i32(0), i32(1000), i32(60000), 0x10, 1, 0x1a)
	m := e.run(t, rewritten(t, b.bytes()))
	for name, least := range map[string]int64{"log": 10000, "write": 64000} {
		setFuel(m, 1<<40)
		_, err := m.ExportedFunction(name).Call(e.ctx)
		must(t, err)
		if used := 1<<40 - fuelLeft(m); used < least || used > least+1000 {
			t.Errorf("%s took %d units, expected a little over %d", name, used, least)
		}
	}
}

// TestBulkWorkIsChargedByItsLength also asks for lengths that are negative as an i32.
func TestBulkWorkIsChargedByItsLength(t *testing.T) {
	e := newEngine(t)
	for _, c := range []struct {
		name   string
		code   []byte
		units  int64 // about
		result string
	}{
		{"fill", join(i32(0), i32(0), i32(65536), 0xfc, 11, 0), 8192, ""},
		{"copy", join(i32(0), i32(0), i32(65536), 0xfc, 10, 0, 0), 8192, ""},
		{"init", join(i32(0), i32(0), i32(800), 0xfc, 8, 0, 0), 100, ""},
		{"fill all", join(i32(0), i32(0), i32(-1), 0xfc, 11, 0), 1 << 29, "out of bounds"},
		{"grow", join(i32(1), 0x40, 0, 0x1a), 8192, ""},
		{"grow all", join(i32(-1), 0x40, 0, 0x1a), 8192 * (1<<32 - 1), ""},
		{"table fill", join(i32(0), 0xd0, typeFuncref, i32(5000), 0xfc, 17, 0), 5000, ""},
		{"table grow", join(0xd0, typeFuncref, i32(5000), 0xfc, 15, 0, 0x1a), 5000, ""},
		{"table copy", join(i32(0), i32(0), i32(5000), 0xfc, 14, 0, 0), 5000, ""},
		{"table init", join(i32(0), i32(0), i32(1), 0xfc, 12, 0, 0), 1, ""},
	} {
		b := &builder{memory: []byte{0, 1}, count: true, data: [][]byte{join(1, appendU32(nil, 800), make([]byte, 800))}}
		b.tables = [][]byte{join(typeFuncref, 0, appendU32(nil, 5000))}
		b.elements = [][]byte{{1, 0, 1, 0}}
		b.function("run", ":", nil, c.code)
		out := rewritten(t, b.bytes())
		m := e.run(t, out)
		setFuel(m, 1<<60)
		_, err := m.ExportedFunction("run").Call(e.ctx)
		if (err != nil) != (c.result != "") || err != nil && !strings.Contains(err.Error(), c.result) {
			t.Errorf("%s: %v", c.name, err)
		}
		if used := 1<<60 - fuelLeft(m); used < c.units || used > c.units+100 {
			t.Errorf("%s took %d units, expected a little over %d", c.name, used, c.units)
		}
		poor := e.run(t, out)
		setFuel(poor, c.units)
		if _, err = poor.ExportedFunction("run").Call(e.ctx); err == nil || !strings.Contains(err.Error(), "unreachable") || fuelLeft(poor) >= 0 {
			t.Errorf("%s with too little fuel: %v, %d left", c.name, err, fuelLeft(poor))
		}
	}
}

func TestGate_KeepsOnlyTheNameSection(t *testing.T) {
	e := newEngine(t)
	functionNames := join(1, 7, 1, 0, appendName(nil, "spin"))
	functionNames[1] = byte(len(functionNames) - 2)
	b := &builder{custom: [][]byte{
		join(appendName(nil, "producers"), 1, 2, 3),
		join(appendName(nil, "name"), functionNames, 2, 5, 0xff, 0xff, 0xff, 0xff, 0x0f), // with wrong names of locals
	}}
	b.function("run", ":", nil, 0x03, 0x40, 0x0c, 0, 0x0b)
	out := rewritten(t, b.bytes())
	m := e.run(t, out)
	setFuel(m, 100)
	if _, err := m.ExportedFunction("run").Call(e.ctx); err == nil || !strings.Contains(err.Error(), "spin") {
		t.Errorf("the trap says %v", err)
	}
	r, err := Inspect(b.bytes(), Limits{})
	must(t, err)
	if !slices.Equal(r.Custom, []string{"producers", "name"}) || bytes.Contains(out, []byte("producers")) {
		t.Errorf("found %v; kept %v", r.Custom, bytes.Contains(out, []byte("producers")))
	}
}

// TestABadNameSectionIsDropped: engines make room for as many names as its count says.
func TestABadNameSectionIsDropped(t *testing.T) {
	b := &builder{custom: [][]byte{join(appendName(nil, "name"), 1, 5, 0xff, 0xff, 0xff, 0xff, 0x0f)}}
	b.function("run", ":", nil)
	if out := rewritten(t, b.bytes()); bytes.Contains(out, []byte("name")) {
		t.Errorf("kept: % x", out)
	}
}

// TestModulesWithoutSectionsGetThem: a module that only exports what it imports has neither functions nor code.
func TestModulesWithoutSectionsGetThem(t *testing.T) {
	e := newEngine(t)
	b := &builder{}
	b.importFunc(wasi, "sched_yield", ":i")
	b.export("yield", kindFunc, 0)
	for _, file := range [][]byte{b.bytes(), header} {
		m := e.run(t, rewritten(t, file))
		if m.ExportedGlobal(FuelGlobal).Get() != InitialFuel {
			t.Errorf("%d units at the start", fuelLeft(m))
		}
	}
}

// TestOutOfFuelIsSeenInTheCounter, also where a function works on a copy of it: every way out writes it back.
func TestOutOfFuelIsSeenInTheCounter(t *testing.T) {
	e := newEngine(t)
	work := join(0x20, 0, i32(1), 0x6b, 0x22, 0) // count down, keep the rest on the stack
	for name, code := range map[string][]byte{
		"falls out":    join(0x03, 0x40, work, 0x0d, 0, 0x0b),
		"branches out": join(0x02, 0x40, 0x03, 0x40, work, 0x45, 0x0d, 1, 0x0c, 0, 0x0b, 0x0b),
		"returns":      join(0x03, 0x40, work, 0x45, 0x04, 0x40, 0x0f, 0x0b, 0x0c, 0, 0x0b),
		"by table":     join(0x02, 0x40, 0x03, 0x40, work, 0x0e, 1, 1, 0, 0x0b, 0x0b),
		"calls":        join(0x03, 0x40, 0x10, 0, work, 0x0d, 0, 0x20, 0, 0x0d, 0, 0x20, 0, 0x0d, 0, 0x0b),
		"inner":        join(0x03, 0x40, 0x03, 0x40, work, 0x0d, 0, 0x0b, 0x20, 0, 0x0d, 0, 0x0b),
	} {
		b := &builder{}
		b.function("", ":", nil)
		b.function("run", "i:", nil, code)
		m := e.run(t, rewritten(t, b.bytes()))
		var used [3]int64
		for i, turns := range []uint64{100, 200, 300} {
			setFuel(m, 1<<40)
			_, err := m.ExportedFunction("run").Call(e.ctx, turns)
			must(t, err)
			used[i] = 1<<40 - fuelLeft(m)
		}
		if name != "by table" && (used[2]-used[1] != used[1]-used[0] || used[1]-used[0] < 500) {
			t.Errorf("%s: %v units for 100, 200 and 300 turns", name, used)
		}
		setFuel(m, used[0]-1)
		if _, err := m.ExportedFunction("run").Call(e.ctx, 100); err == nil || fuelLeft(m) >= 0 {
			t.Errorf("%s with a unit too little: %v, %d left", name, err, fuelLeft(m))
		}
	}
}
