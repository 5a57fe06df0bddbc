package wazero_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/policy/wazero"
)

// runtime makes a runtime that is closed with the test.
func runtime(t testing.TB) *wazero.Runtime {
	t.Helper()
	r, err := wazero.New(t.Context(), wazero.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return r
}

// prelude is what every module of these tests begins with: a version, an arena, no configuration.
const prelude = `
typedef unsigned u32; typedef unsigned long long u64;
extern unsigned char __heap_base;
#define EXPORT(name) __attribute__((export_name(#name))) name
#ifndef RESERVE
u32 EXPORT(quern_reserve)(u32 bytes) {
  u32 start = ((u32)&__heap_base + 63) & ~63u, have = __builtin_wasm_memory_size(0) << 16;
  if (start + bytes > have && __builtin_wasm_memory_grow(0, (start + bytes - have + 0xffff) >> 16) == (__SIZE_TYPE__)-1) return 0;
  return start;
}
#endif
#ifndef ABI
u32 EXPORT(quern_abi)(void) { return 1u << 16; }
#endif
#ifndef CONFIGURE
u32 EXPORT(quern_configure)(const char *json, u32 bytes) { return 0; }
#endif
#define MANIFEST(text) const char *EXPORT(quern_manifest)(void) { return text; }
#define COLUMN(i, row) (*(const double *)(f + ((const u32 *)(f + h[0]))[4 * (i) + 2] + (row) * ((const u32 *)(f + h[0]))[4 * (i) + 3]))
#define EACH(i) const u32 *h = (const u32 *)f; const u32 *idx = (const u32 *)(f + h[8]); double *out = (double *)(f + h[9]); for (u32 i = 0; i < h[3]; i++)
#define POINT(name) u32 EXPORT(name)(unsigned char *f)
`

// scoreByFree declares a score that reads what is free.
const scoreByFree = `MANIFEST("{\"name\":\"m\",\"version\":\"1\",\"abi\":\"1.0\",\"points\":{\"node.score\":{\"columns\":[\"free:vcore\"],\"keys\":1,\"depends\":\"row\"}}}")
`

// compile makes a module of C, with the prelude before it.
func compile(t testing.TB, source string, flags ...string) []byte {
	t.Helper()
	for _, tool := range []string{"clang", "wasm-ld"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped, because %s is missing: make toolchains", tool)
		}
	}
	dir := t.TempDir()
	in, object, out := filepath.Join(dir, "m.c"), filepath.Join(dir, "m.o"), filepath.Join(dir, "m.wasm")
	if err := os.WriteFile(in, []byte(prelude+source), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "clang", append([]string{"--target=wasm32", "-nostdlib", "-O2", "-mbulk-memory", "-c", in, "-o", object}, flags...)...)
	run(t, "wasm-ld", "--no-entry", "--stack-first", "--allow-undefined", object, "-o", out)
	file, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func run(t testing.TB, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// load loads a module of C.
func load(t testing.TB, source string, flags ...string) *wazero.Module {
	t.Helper()
	m, err := runtime(t).Load(t.Context(), "m", compile(t, source, flags...), wazero.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// employ makes an evaluator of a module.
func employ(t testing.TB, m *wazero.Module, config string) *wazero.Evaluator {
	t.Helper()
	e, err := m.Evaluator(t.Context(), []byte(config))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// points are the points of a module as a scheduler resolves them in a cluster of these types.
func points(t testing.TB, m *wazero.Module, types ...string) map[policy.Point]*policy.PointSpec {
	t.Helper()
	table := resource.NewTypes()
	for _, name := range types {
		table.Intern(name)
	}
	symbols := policy.NewSymbolTable(table)
	out := map[policy.Point]*policy.PointSpec{}
	for name, s := range m.Manifest().Points {
		spec := &policy.PointSpec{Keys: s.Keys, Depends: policy.Dependence(s.Depends)}
		for _, text := range s.Columns {
			c, err := policy.ParseColumn(text)
			if err != nil {
				t.Fatal(err)
			}
			spec.Columns = append(spec.Columns, c)
		}
		out[policy.Point(name)] = symbols.Resolve(spec)
	}
	return out
}

// source describes rows by one function.
type source func(row int32, column policy.Column) float64

func (s source) Name(int32) string { return "item" }

func (s source) Fill(row int32, columns []policy.Column, cols [][]float64) {
	for i, c := range columns {
		cols[i][row] = s(row, c)
	}
}

// table asks an evaluator as the scheduler does; faults end the test unless they are wanted.
func table(e policy.Evaluator, p policy.Point, spec *policy.PointSpec, onFault func(error)) *policy.Table {
	fallback := &policy.Module{Manifest: policy.Manifest{Name: "none", Points: map[policy.Point]*policy.PointSpec{p: {Keys: 1, Depends: policy.OnRow}}}, Evaluator: zeros{}}
	return policy.NewTable(&policy.Acting{Point: p, Fallback: fallback,
		Module:  &policy.Module{Manifest: policy.Manifest{Name: "m", Points: map[policy.Point]*policy.PointSpec{p: spec}}, Evaluator: e},
		OnFault: func(a *policy.Acting, fault error) { onFault(fault); a.Fail() }})
}

type zeros struct{}

func (zeros) Eval(b *policy.Batch) error {
	for _, r := range b.Rows {
		b.Out[r] = 0
	}
	return nil
}

func TestAModuleAnswersAboutEachRow(t *testing.T) {
	m := load(t, scoreByFree+`POINT(node_score) { EACH(i) out[idx[i]] = COLUMN(0, idx[i]) * 2; return 0; }`)
	for _, rows := range []int32{1, 16, 17, 2048, 2049, 5000} {
		tab := table(employ(t, m, "{}"), policy.NodeScore, points(t, m)[policy.NodeScore], func(err error) { t.Error(err) })
		for r := range rows {
			tab.Touch(r)
		}
		answered := int32(0)
		tab.Flush(source(func(row int32, _ policy.Column) float64 { return float64(row) + 0.5 }), func(row int32, keys []float64) {
			answered++
			if keys[0] != 2*float64(row)+1 {
				t.Fatalf("of %d rows, row %d: expected %v, found %v", rows, row, 2*float64(row)+1, keys[0])
			}
		})
		if answered != rows {
			t.Errorf("expected %d answers, found %d", rows, answered)
		}
	}
}

// sum answers with what a row is of the sum over all rows asked about.
const sum = `MANIFEST("{\"name\":\"m\",\"version\":\"1\",\"abi\":\"1.0\",\"points\":{\"queue.order\":{\"columns\":[\"used:*\"],\"keys\":1,\"depends\":\"siblings\"}}}")
POINT(queue_order) { double s = 0; { EACH(i) s += COLUMN(0, idx[i]); } { EACH(i) out[idx[i]] = COLUMN(0, idx[i]) / s; } return 0; }`

func TestSiblingsStayInTheModulesMemory(t *testing.T) {
	m := load(t, sum)
	tab := table(employ(t, m, "{}"), policy.QueueOrder, points(t, m, "vcore")[policy.QueueOrder], func(err error) { t.Error(err) })
	values := map[int32]float64{}
	flush := func() {
		t.Helper()
		total := 0.0
		for _, v := range values {
			total += v
		}
		answers := map[int32]float64{}
		tab.Flush(source(func(row int32, _ policy.Column) float64 { return values[row] }), func(row int32, keys []float64) { answers[row] = keys[0] })
		if len(answers) != len(values) {
			t.Fatalf("expected %d answers, found %d", len(values), len(answers))
		}
		for row, v := range values {
			if answers[row] != v/total {
				t.Fatalf("row %d: expected %v, found %v", row, v/total, answers[row])
			}
		}
	}
	for row := range int32(5) {
		values[row] = float64(row + 1)
		tab.Touch(row)
	}
	flush()
	values[2] = 64
	tab.Touch(2)
	flush()
	delete(values, 1)
	tab.Drop(1)
	flush()
	for row := int32(5); row < 3000; row++ { // past the frame's room, and the arena's
		values[row] = 3
		tab.Touch(row)
	}
	flush()
}

func TestATypeThatComesLaterGetsAColumn(t *testing.T) {
	m := load(t, sum)
	types := resource.NewTypes()
	types.Intern("vcore")
	spec := &policy.PointSpec{Keys: 1, Depends: policy.OnSiblings, Columns: []policy.Column{{Kind: policy.Used, Arg: "*"}}}
	a := &policy.Acting{Point: policy.QueueOrder, Symbols: policy.NewSymbolTable(types), OnFault: func(_ *policy.Acting, err error) { t.Fatal(err) },
		Module: &policy.Module{Manifest: policy.Manifest{Name: "m", Points: map[policy.Point]*policy.PointSpec{policy.QueueOrder: spec}}, Evaluator: employ(t, m, "{}")}}
	tab := policy.NewTable(a)
	tab.Touch(0)
	tab.Touch(1)
	var first float64
	flush := func() {
		tab.Flush(source(func(row int32, c policy.Column) float64 {
			return map[string]float64{"gpu": 1, "vcore": float64(3 + 2*row)}[c.Arg]
		}), func(row int32, keys []float64) {
			if row == 0 {
				first = keys[0]
			}
		})
	}
	flush()
	if first != 3.0/8 {
		t.Fatalf("by vcore: expected %v, found %v", 3.0/8, first)
	}
	types.Intern("gpu") // comes before vcore, and so is the first column
	if !a.Widen() || a.Widen() {
		t.Fatal("expected to be widened once")
	}
	flush()
	if first != 0.5 {
		t.Fatalf("by gpu: expected 0.5, found %v", first)
	}
}

func TestALoadSaysWhatIsWrong(t *testing.T) {
	r := runtime(t)
	for name, c := range map[string]struct{ source, expected string }{
		"no manifest":             {`MANIFEST(0) POINT(node_score) { return 0; }`, "manifest"},
		"a manifest of junk":      {`MANIFEST("junk") POINT(node_score) { return 0; }`, "invalid character"},
		"a point without export":  {scoreByFree + `POINT(app_order) { return 0; }`, "export node_score"},
		"another version":         {scoreByFree + `POINT(node_score) { return 0; }`, "version 1.0 to 1.3"},
		"an address that is none": {`MANIFEST((const char *)0x7fffffff) POINT(node_score) { return 0; }`, "expected an address within the memory"},
	} {
		t.Run(name, func(t *testing.T) {
			var flags []string
			if name == "another version" {
				c.source = `u32 EXPORT(quern_abi)(void) { return 2u << 16; }` + c.source
				flags = []string{"-DABI"}
			}
			_, err := r.Load(t.Context(), "m", compile(t, c.source, flags...), wazero.Limits{})
			if err == nil || !strings.Contains(err.Error(), c.expected) {
				t.Errorf("expected %q, found %v", c.expected, err)
			}
		})
	}
}
