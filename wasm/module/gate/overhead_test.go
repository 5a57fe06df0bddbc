package gate

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/tetratelabs/wazero/api"
)

// kernels are the functions whose overhead is measured, with an argument that takes some 100 us to 1 ms.
var kernels = []struct {
	module, function string
	arg              uint64
}{
	{"kernels.wasm", "score", 40000}, {"kernels.wasm", "sieve", 60000}, {"kernels.wasm", "hash", 200000},
	{"kernels.wasm", "fib", 23}, {"kernels.wasm", "sort", 1000}, {"kernels.wasm", "fill", 9999},
	{"kernels.wasm", "dispatch", 100000}, {"rust.wasm", "rust_sort", 1024}, {"rust.wasm", "rust_score", 100000},
	{"", "node_score", 10000}, {"", "app_order", 2000}, {"", "queue_order", 500},
}

// TestOverhead prints the ratio of run times with and without fuel, from interleaved runs: of the fastest tenths and of
// the medians. It asserts nothing, for machines are noisy; set QUERN_OVERHEAD to run it.
func TestOverhead(t *testing.T) {
	if os.Getenv("QUERN_OVERHEAD") == "" {
		t.Skip("skipped, because it measures and asserts nothing; set QUERN_OVERHEAD to run it")
	}
	e := newEngine(t)
	plain, bounded := pairs(t, e)
	for _, k := range kernels {
		a, b := plain[k.module], bounded[k.module]
		setFuel(b, 1<<60)
		var without, with []time.Duration
		for range 200 {
			without = append(without, timed(t, e, a, k.function, k.arg))
			with = append(with, timed(t, e, b, k.function, k.arg))
		}
		units := float64(1<<60-fuelLeft(b)) / 200
		slices.Sort(without)
		slices.Sort(with)
		t.Logf("%-12s %10v  fast %.3f  median %.3f  %.3f ns a unit", k.function, without[100],
			float64(with[20])/float64(without[20]), float64(with[100])/float64(without[100]), float64(with[100])/units)
	}
}

// pairs instantiates the modules of the kernels without and with fuel.
func pairs(tb testing.TB, e *engine) (plain, bounded map[string]api.Module) {
	plain, bounded = map[string]api.Module{}, map[string]api.Module{}
	for name, file := range map[string][]byte{"": reactor(tb), "kernels.wasm": corpus(tb, "kernels.wasm"), "rust.wasm": corpus(tb, "rust.wasm")} {
		plain[name], bounded[name] = e.run(tb, file), e.run(tb, rewritten(tb, file))
	}
	return plain, bounded
}

func timed(tb testing.TB, e *engine, m api.Module, function string, arg uint64) time.Duration {
	f := m.ExportedFunction(function)
	start := time.Now()
	_, err := f.Call(e.ctx, arg)
	must(tb, err)
	return time.Since(start)
}

// BenchmarkFuel runs the kernels without and with fuel.
func BenchmarkFuel(b *testing.B) {
	e := newEngine(b)
	plain, bounded := pairs(b, e)
	for _, k := range kernels {
		setFuel(bounded[k.module], 1<<62)
		for _, v := range []struct {
			name string
			m    api.Module
		}{{"without", plain[k.module]}, {"with", bounded[k.module]}} {
			b.Run(k.function+"/"+v.name, func(b *testing.B) {
				for b.Loop() {
					timed(b, e, v.m, k.function, k.arg)
				}
			})
		}
	}
}

// BenchmarkBound is the speed of the gate and rewrite, on a Go module of 3 MB and on a small one.
func BenchmarkBound(b *testing.B) {
	for name, file := range map[string][]byte{"go": reactor(b), "c": corpus(b, "kernels.wasm")} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				_, err := meterAny(file, Limits{})
				must(b, err)
			}
		})
	}
}

// BenchmarkInspect is the gate alone.
func BenchmarkInspect(b *testing.B) {
	file := reactor(b)
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		_, err := Inspect(file, Limits{})
		must(b, err)
	}
}
