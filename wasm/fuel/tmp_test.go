package fuel

import (
	"fmt"
	"os"
	"testing"
	"time"
)

func TestTmp(t *testing.T) {
	e := newEngine(t)
	for _, f := range []string{"/tmp/fw/go.wasm", "/tmp/fw/big.wasm"} {
		b, _ := os.ReadFile(f)
		l := Limits{Imports: 100, Code: 8 << 20}
		m, err := decode(b, l, false)
		must(t, err)
		fmt.Println(f, m.codeSize, "complex", m.complex)
		out, err := Rewrite(b, l)
		must(t, err)
		st := time.Now()
		_, err = e.CompileModule(e.ctx, b)
		must(t, err)
		fmt.Println("plain", time.Since(st))
		st = time.Now()
		c, err := e.CompileModule(e.ctx, out)
		must(t, err)
		fmt.Println("fuel", time.Since(st))
		_ = c
		x, err := e.start(out)
		if err != nil {
			fmt.Println(err)
		} else {
			fmt.Println("init", InitialFuel-fuelLeft(x))
		}
	}
	for name := range bombs {
		b := bomb(name, 32<<10, 1)
		m, err := decode(b, Limits{}, false)
		if err != nil {
			fmt.Println(name, err)
			continue
		}
		fmt.Println(name, len(b), m.complex)
	}
}
