package fuel

import (
	"fmt"
	"testing"
	"time"
)

func TestTmp(t *testing.T) {
	e := newEngine(t)
	b := reactor(t)
	r, err := Inspect(b, Limits{})
	must(t, err)
	fmt.Printf("%+v\n", r)
	st := time.Now()
	out, err := Bound(b, Limits{})
	must(t, err)
	fmt.Println("bound", time.Since(st), len(b), len(out))
	st = time.Now()
	_, err = e.CompileModule(e.ctx, b)
	must(t, err)
	fmt.Println("compile plain", time.Since(st))
	st = time.Now()
	_, err = e.CompileModule(e.ctx, out)
	must(t, err)
	fmt.Println("compile fuel", time.Since(st))
	st = time.Now()
	m := e.run(t, out)
	fmt.Println("start", time.Since(st), "fuel", InitialFuel-fuelLeft(m))
	for _, k := range kernels {
		if k.module != "" {
			continue
		}
		for range 3 {
			setFuel(m, 1<<60)
			st := time.Now()
			_, err := m.ExportedFunction(k.function).Call(e.ctx, k.arg)
			must(t, err)
			d := time.Since(st)
			f := (1 << 60) - fuelLeft(m)
			fmt.Println(k.function, k.arg, d, f, float64(d)/float64(f), "ns/unit")
		}
	}
	for _, n := range []string{"kernels.wasm", "rust.wasm"} {
		out := rewritten(t, corpus(t, n))
		m := e.run(t, out)
		for _, k := range kernels {
			if k.module != n {
				continue
			}
			for range 2 {
				setFuel(m, 1<<60)
				st := time.Now()
				_, err := m.ExportedFunction(k.function).Call(e.ctx, k.arg)
				must(t, err)
				d := time.Since(st)
				f := (1 << 60) - fuelLeft(m)
				fmt.Println(k.function, k.arg, d, f, float64(d)/float64(f), "ns/unit")
			}
		}
	}
}
