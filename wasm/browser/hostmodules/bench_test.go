package hostmodules_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/wasm/module/gate"
	"github.com/quern-project/quern/wasm/module/guest"
)

// benchRows are the rows of the table.
const benchRows = 1000

// BenchmarkCalls compares calls of a module that is within reach of a native scheduler with those of a scheduler that is a
// module itself, both under wazero. wasm/browser/playground has the same beside the core in a JavaScript engine.
func BenchmarkCalls(b *testing.B) {
	file, err := os.ReadFile(committed)
	must(b, err)
	table := withinReach(b, file)
	one := int32(0)
	b.Run("one dirty row within reach", func(b *testing.B) {
		for b.Loop() {
			one = (one + 7919) % benchRows
			table.Touch(one)
			table.Flush(numbers{}, func(int32, []float64) {})
		}
	})
	b.Run(fmt.Sprintf("%d rows within reach", benchRows), func(b *testing.B) {
		for b.Loop() {
			for r := range int32(benchRows) {
				table.Touch(r)
			}
			table.Flush(numbers{}, func(int32, []float64) {})
		}
	})
	apart := benchBeside(b, file)
	b.Run("one dirty row beside", func(b *testing.B) { apart(b, "dirty") })
	b.Run(fmt.Sprintf("%d rows beside", benchRows), func(b *testing.B) { apart(b, "many") })
}

// numbers fills columns with the number of the row.
type numbers struct{}

func (numbers) Name(int32) string { return "item" }

func (numbers) Fill(row int32, columns []policy.Column, cols [][]float64) {
	for i := range columns {
		cols[i][row] = float64(row)
	}
}

// withinReach is a table of the module's points in this process.
func withinReach(b *testing.B, file []byte) *policy.Table {
	b.Helper()
	e := newEngine(b, true)
	bounded, err := gate.Bound(file, gate.Limits{})
	must(b, err)
	code, err := e.runtime.CompileModule(e.ctx, bounded)
	must(b, err)
	s, err := e.start(code, guest.Functions())
	must(b, err)
	in, err := guest.NewInstance(s, guest.Limits{}, gate.InitialFuel)
	must(b, err)
	var m *abi.Manifest
	m, err = in.Manifest()
	must(b, err)
	r, err := guest.Resolve("bench", m, guest.Setup{})
	must(b, err)
	must(b, in.Configure(guest.Limits{}, r.Config))
	types := resource.NewTypes()
	for _, name := range []string{"memory", "vcore", "gpu"} {
		types.Intern(name)
	}
	t := policy.NewTable(&policy.Acting{Point: policy.NodeScore, Symbols: policy.NewSymbolTable(types),
		Module:  &policy.Module{Manifest: *r.Manifest, Evaluator: guest.NewEvaluator(in, nil)},
		OnFault: func(_ *policy.Acting, fault error) { b.Fatal(fault) }})
	for r := range int32(benchRows) {
		t.Touch(r)
	}
	t.Flush(numbers{}, func(int32, []float64) {})
	return t
}

// benchBeside runs the same in a module that has the policy beside it.
func benchBeside(b *testing.B, file []byte) func(b *testing.B, name string) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "bench.wasm")
	c := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", path, "./testdata/bench")
	c.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if out, err := c.CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	bench, err := os.ReadFile(path)
	must(b, err)
	h := &host{engine: newEngine(b, false), modules: map[uint32]wazero.CompiledModule{}, running: map[uint32]*instance{}}
	h.serve(b)
	m, err := h.engine.runtime.InstantiateWithConfig(h.engine.ctx, bench, wazero.NewModuleConfig().WithStartFunctions("_initialize"))
	must(b, err)
	at, err := m.ExportedFunction("room").Call(h.engine.ctx, uint64(len(file)))
	must(b, err)
	m.Memory().Write(uint32(at[0]), file)
	_, err = m.ExportedFunction("prepare").Call(h.engine.ctx, benchRows)
	must(b, err)
	return func(b *testing.B, name string) {
		f := m.ExportedFunction(name)
		b.ResetTimer()
		if _, err := f.Call(h.engine.ctx, uint64(b.N)); err != nil {
			b.Fatal(err)
		}
	}
}
