package gate

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

const callFuel = 5_000_000 // about what a host gives one call

// endless are functions "run" that never end by themselves.
var endless = map[string]func(b *builder){
	"loop with br":    func(b *builder) { b.function("run", ":", nil, 0x03, 0x40, 0x0c, 0, 0x0b) },
	"loop with br_if": func(b *builder) { b.function("run", ":", nil, 0x03, 0x40, i32(1), 0x0d, 0, 0x0b) },
	"loop with br_table": func(b *builder) {
		b.function("run", ":", nil, 0x02, 0x40, 0x03, 0x40, i32(1), 0x0e, 1, 1, 0, 0x0b, 0x0b)
	},
	"loop inside a loop": func(b *builder) {
		b.function("run", ":", []byte{typeI32}, 0x03, 0x40, i32(9), 0x21, 0,
			0x03, 0x40, 0x20, 0, i32(1), 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x0c, 0, 0x0b)
	},
	"loop with parameters": func(b *builder) {
		t := b.typ("i:i")
		b.function("run", ":", nil, i32(7), 0x03, t, 0x0c, 0, 0x0b, 0x1a)
	},
	"loop that calls": func(b *builder) {
		f := b.function("", ":", nil)
		b.function("run", ":", nil, 0x03, 0x40, 0x10, f, 0x0c, 0, 0x0b)
	},
	"recursion":        func(b *builder) { b.function("run", ":", nil, 0x10, 0) },
	"mutual recursion": func(b *builder) { b.function("run", ":", nil, 0x10, 1); b.function("", ":", nil, 0x10, 0) },
	"indirect recursion": func(b *builder) {
		b.tables = [][]byte{{typeFuncref, 0, 1}}
		b.elements = [][]byte{join(0, i32(0), 0x0b, 1, 0)}
		b.function("run", ":", nil, i32(0), 0x11, 0, 0)
	},
	"recursion with values on the stack": func(b *builder) {
		var push, drop []byte
		for range 500 {
			push = append(push, join(i32(0), 0x28, 2, 0)...)
			drop = append(drop, 0x1a)
		}
		b.function("run", ":", nil, push, 0x10, 0, drop)
	},
	"recursion with vectors on the stack": func(b *builder) {
		var push, drop []byte
		for range 500 {
			push = append(push, join(i32(0), 0xfd, 0, 4, 0)...)
			drop = append(drop, 0x1a)
		}
		b.function("run", ":", nil, push, 0x10, 0, drop)
	},
	"recursion with locals": func(b *builder) {
		locals := make([]byte, 500)
		var set, use []byte
		for i := range locals {
			locals[i] = typeV128
			set = append(set, join(i32(0), 0xfd, 0, 4, 0, 0x21, appendU32(nil, uint32(i)))...)
			use = append(use, join(0x20, appendU32(nil, uint32(i)), 0x1a)...)
		}
		b.function("run", ":", locals, set, 0x10, 0, use)
	},
	"recursion with parameters": func(b *builder) {
		sig := strings.Repeat("l", 60) + ":"
		var pass []byte
		for i := range 60 {
			pass = append(pass, 0x20, byte(i))
		}
		f := b.function("", sig, nil)
		b.bodies[f] = join(0, pass, 0x10, f, 0x0b)
		b.function("run", ":", nil, repeat(i64(5), 60), 0x10, f)
	},
	"memory.fill of everything": func(b *builder) {
		b.function("run", ":", nil, 0x03, 0x40, i32(0), i32(0), i32(16<<20), 0xfc, 11, 0, 0x0c, 0, 0x0b)
	},
	"memory.copy of everything": func(b *builder) {
		b.function("run", ":", nil, 0x03, 0x40, i32(1), i32(0), i32(16<<20-1), 0xfc, 10, 0, 0, 0x0c, 0, 0x0b)
	},
	"memory.fill of nothing": func(b *builder) {
		b.function("run", ":", nil, 0x03, 0x40, i32(0), i32(0), i32(0), 0xfc, 11, 0, 0x0c, 0, 0x0b)
	},
	"memory.grow by nothing": func(b *builder) {
		b.function("run", ":", nil, 0x03, 0x40, i32(0), 0x40, 0, 0x1a, 0x0c, 0, 0x0b)
	},
	"memory.grow that fails": func(b *builder) {
		b.function("run", ":", nil, 0x03, 0x40, i32(1), 0x40, 0, 0x1a, 0x0c, 0, 0x0b)
	},
	"table.fill": func(b *builder) {
		b.tables = [][]byte{join(typeFuncref, 0, appendU32(nil, 60000))}
		b.function("run", ":", nil, 0x03, 0x40, i32(0), 0xd0, typeFuncref, i32(60000), 0xfc, 17, 0, 0x0c, 0, 0x0b)
	},
	"table.grow": func(b *builder) {
		b.tables = [][]byte{join(typeFuncref, 0, 0)}
		b.function("run", ":", nil, 0x03, 0x40, 0xd0, typeFuncref, i32(1), 0xfc, 15, 0, 0x1a, 0x0c, 0, 0x0b)
	},
	"ref.func": func(b *builder) {
		b.function("run", ":", nil, 0x03, 0x40, 0xd2, 0, 0x1a, 0x0c, 0, 0x0b)
	},
	"division": func(b *builder) {
		b.function("run", ":", []byte{typeI64}, 0x03, 0x40, 0x20, 0, i64(12345678901), 0x7c, i64(7), 0x7f, 0x21, 0, 0x0c, 0, 0x0b)
	},
	"square roots": func(b *builder) {
		b.function("run", ":", []byte{0x7c}, 0x03, 0x40, 0x20, 0, 0x9f, 0x9f, 0x9f, 0x9f, 0x21, 0, 0x0c, 0, 0x0b)
	},
	"loads far apart": func(b *builder) {
		b.function("run", ":", []byte{typeI32}, 0x03, 0x40, 0x20, 0, 0x28, 2, 0, 0x20, 0, i32(1234577), 0x6a, i32(0xfffffc), 0x71, 0x22, 0, 0x6a, i32(0xfffffc), 0x71, 0x21, 0, 0x0c, 0, 0x0b)
	},
	"random_get of everything": func(b *builder) {
		b.function("run", ":", nil, 0x03, 0x40, i32(0), i32(16<<20), 0x10, 0, 0x1a, 0x0c, 0, 0x0b)
	},
	"random_get of nothing": func(b *builder) {
		b.function("run", ":", nil, 0x03, 0x40, i32(0), i32(0), 0x10, 0, 0x1a, 0x0c, 0, 0x0b)
	},
}

func repeat(code []byte, n int) []byte {
	var out []byte
	for range n {
		out = append(out, code...)
	}
	return out
}

func endlessModule(name string) []byte {
	b := &builder{memory: []byte{1, 0x80, 2, 0x80, 2}}
	if strings.HasPrefix(name, "random_get") {
		b.importFunc(wasi, "random_get", "ii:i")
	}
	endless[name](b)
	return b.bytes()
}

func TestNothingRunsForever(t *testing.T) {
	e := newEngine(t)
	for name := range endless {
		t.Run(name, func(t *testing.T) {
			m := e.run(t, rewritten(t, endlessModule(name)))
			setFuel(m, callFuel)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, err := m.ExportedFunction("run").Call(e.ctx)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), "unreachable") || fuelLeft(m) >= 0 {
				t.Fatalf("ended with %v and %d units left, expected no fuel", err, fuelLeft(m))
			}
			mib := (after.TotalAlloc - before.TotalAlloc) >> 20
			t.Logf("%v, %.2f ns a unit, %d MiB", took, float64(took)/callFuel, mib)
			if mib > 200 {
				t.Errorf("took %d MiB, expected at most 200", mib)
			}
		})
	}
}

func TestAStartFunctionEndsByTheInitialFuel(t *testing.T) {
	b := &builder{memory: []byte{0, 1}}
	b.start = 1 + b.function("", ":", nil, 0x03, 0x40, 0x0c, 0, 0x0b)
	_, err := newEngine(t).start(rewritten(t, b.bytes()))
	if err == nil || !strings.Contains(err.Error(), "unreachable") {
		t.Fatalf("ended with %v, expected a trap", err)
	}
}
