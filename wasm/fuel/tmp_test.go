package fuel

import (
	"fmt"
	"os"
	"testing"
)

func TestTmp(t *testing.T) {
	e := newEngine(t)
	for _, f := range []string{} {
		b, _ := os.ReadFile(f)
		l := Limits{Imports: 100, Code: 8 << 20}
		m, err := decode(b, l, false)
		must(t, err)
		fmt.Println(f, m.codeSize, "complex", m.complex)
		out, err := Rewrite(b, l)
		must(t, err)
		st := cpu()
		_, err = e.CompileModule(e.ctx, b)
		must(t, err)
		fmt.Println("plain", cpu()-st)
		st = time.Now()
		c, err := e.CompileModule(e.ctx, out)
		must(t, err)
		fmt.Println("fuel", cpu()-st)
		_ = c
		x, err := e.start(out)
		if err != nil {
			fmt.Println(err)
		} else {
			fmt.Println("init", InitialFuel-fuelLeft(x))
		}
	}
	for name := range bombs {
		limit := uint64(320 << 20)
		best := 0
		for size := 4 << 10; size <= 4<<20; size += size / 8 {
			b := bomb(name, size, 1)
			m, err := decode(b, Limits{Complexity: 1 << 50, Body: 4 << 20}, false)
			if err != nil {
				fmt.Println(name, err)
				break
			}
			if m.complex > limit {
				break
			}
			best = size
		}
		b := bomb(name, best, 1)
		out, err := Rewrite(b, Limits{Complexity: 1 << 50, Body: 4 << 20})
		if err != nil {
			fmt.Println(name, err)
			continue
		}
		st := cpu()
		c, err := e.CompileModule(e.ctx, out)
		if err != nil {
			fmt.Println(name, err)
			continue
		}
		c.Close(e.ctx)
		fmt.Printf("%-14s %8d -> %8d %v\n", name, len(b), len(out), cpu()-st)
	}
}
