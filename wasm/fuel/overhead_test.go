package fuel

import (
	"fmt"
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

// TestOverhead prints the ratio of run times with and without fuel, from interleaved runs. It asserts nothing, for
// machines are noisy; set QUERN_OVERHEAD to run it.
func TestOverhead(t *testing.T) {
	if os.Getenv("QUERN_OVERHEAD") == "" {
		t.Skip("skipped, because it measures for a minute; set QUERN_OVERHEAD to run it")
	}
	e := newEngine(t)
	modules := map[string][]byte{"": reactor(t)}
	for _, name := range []string{"kernels.wasm", "rust.wasm"} {
		modules[name] = corpus(t, name)
	}
	plains, vs := map[string]api.Module{}, [4]map[string]api.Module{}
	for name, b := range modules {
		plains[name] = e.run(t, b)
		for v := range vs {

			if vs[v] == nil {
				vs[v] = map[string]api.Module{}
			}
			vs[v][name] = e.run(t, rewritten(t, b))
		}
	}
	for _, k := range kernels {
		var ms []api.Module
		ms = append(ms, plains[k.module])
		for v := range vs {
			ms = append(ms, vs[v][k.module])
			setFuel(vs[v][k.module], 1<<60)
			for range 2 {
				vs[v][k.module].ExportedFunction(k.function).Call(e.ctx, k.arg)
				fmt.Print((1<<60)-fuelLeft(vs[v][k.module]), " ")
				setFuel(vs[v][k.module], 1<<60)
			}
		}
		ns := make([][]float64, len(ms))
		for range 150 {
			for i, m := range ms {
				f := m.ExportedFunction(k.function)
				start := time.Now()
				if _, err := f.Call(e.ctx, k.arg); err != nil {
					t.Fatal(err)
				}
				ns[i] = append(ns[i], float64(time.Since(start)))
			}
		}
		var rs string
		for i := range ns {
			slices.Sort(ns[i])
			rs += fmt.Sprintf(" %.3f/%.3f", ns[i][15]/ns[0][15], ns[i][75]/ns[0][75])
		}
		fmt.Printf("%-12s %8.0f ns %s\n", k.function, ns[0][75], rs)
	}
}
