package gate

import (
	"errors"
	"testing"

	"github.com/tetratelabs/wazero"
)

// fuzzLimits keep engines quick, so that more inputs are tried.
var fuzzLimits = Limits{Bytes: 64 << 10, Body: 4 << 10, Complexity: 1 << 20, Pages: 4, TableElements: 100, Functions: 100, Globals: 100, Data: 100, Elements: 1000}

// FuzzBound: no bytes make the gate panic; whatever it accepts keeps its limits; and where an engine accepts the
// original, it accepts what the gate makes of it. Where the engine refuses the original, it refuses the result, so nothing
// of ours can be named or used to make sense of nonsense.
func FuzzBound(f *testing.F) {
	f.Add(policyModule(nil))
	f.Add(corpus(f, "kernels.wasm"))
	f.Add(corpus(f, "rust.wasm"))
	f.Add(corpus(f, "vectors.wasm"))
	for name := range endless {
		f.Add(endlessModule(name))
	}
	for name := range bombs {
		f.Add(bomb(name, 300, 2))
	}
	e := newEngine(f)
	f.Fuzz(func(t *testing.T, file []byte) {
		out, err := meterAny(file, fuzzLimits)
		if err != nil {
			var refusal *Error
			if !errors.As(err, &refusal) || refusal.Code == "" || refusal.Text == "" || refusal.Offset > len(file) {
				t.Fatalf("a refusal without its reason: %#v", err)
			}
			return
		}
		if _, err := Inspect(file, fuzzLimits); err != nil {
			t.Fatalf("rewritten, but not inspected: %v", err)
		}
		if len(out) > 40*len(file)+10000 {
			t.Fatalf("%d bytes became %d", len(file), len(out))
		}
		sameVerdict(t, e, file, out)
	})
}

func sameVerdict(t *testing.T, e *engine, file, out []byte) {
	before, errBefore := e.CompileModule(e.ctx, file)
	after, errAfter := e.CompileModule(e.ctx, out)
	if errBefore == nil && errAfter != nil {
		t.Fatalf("valid before, now %v", errAfter)
	}
	if errBefore != nil && errAfter == nil && !droppedNames(file) {
		t.Fatalf("valid now, before %v", errBefore)
	}
	for _, c := range []wazero.CompiledModule{before, after} {
		if c != nil {
			must(t, c.Close(e.ctx))
		}
	}
}

// droppedNames tells whether custom sections might be what an engine minds: wazero refuses bad names.
func droppedNames(file []byte) bool {
	r, err := Inspect(file, fuzzLimits)
	return err == nil && len(r.Custom) > 0
}
