package gate

import (
	"bytes"
	"errors"
	"os"
	"testing"
	"time"
)

// bombs are functions made to be slow to compile, each of about size bytes.
var bombs = map[string]func(size int) (locals int, code []byte){
	"arithmetic": func(n int) (int, []byte) {
		return 1, join(i32(1), bytes.Repeat(join(0x20, 0, 0x6a), n/3), 0x21, 0)
	},
	"jumps": func(n int) (int, []byte) { // tables of many targets
		var code []byte
		for len(code) < n {
			code = append(code, join(0x02, 0x40, 0x20, 0, 0x0e, appendU32(nil, 4000), make([]byte, 4001), 0x0b)...)
		}
		return 1, code
	},
	"ladder": func(n int) (int, []byte) { // tables into blocks around each other, locals change on the way
		depth := 1000
		var one []byte
		one = append(one, bytes.Repeat([]byte{0x02, 0x40}, depth)...)
		one = append(one, 0x20, 0, 0x0e)
		one = appendU32(one, uint32(depth-1))
		for i := range depth {
			one = appendU32(one, uint32(i))
		}
		for i := range depth {
			one = append(one, 0x0b, 0x20, 0, 0x41, 1, 0x6a, 0x21)
			one = appendU32(one, uint32(i%200))
		}
		return 200, bytes.Repeat(one, max(1, n/len(one)))
	},
	"gotable": func(n int) (int, []byte) { // all of it one loop of segments
		depth := min(4000, n/9)
		one := join(0x03, 0x40, bytes.Repeat([]byte{0x02, 0x40}, depth), 0x20, 0, 0x0e)
		one = appendU32(one, uint32(depth-1))
		for i := range depth {
			one = appendU32(one, uint32(i))
		}
		for i := range depth {
			one = append(one, 0x0b, 0x20, 0, 0x21)
			one = appendU32(one, uint32(i%20))
			if i%8 == 0 {
				one = append(one, join(0x20, 3, 0x0d, appendU32(nil, uint32(depth-i-1)))...)
			}
		}
		one = append(one, 0x0b)
		return 20, bytes.Repeat(one, max(1, n/len(one)))
	},
	"nest": func(n int) (int, []byte) {
		depth := min(4000, n/10)
		one := bytes.Repeat([]byte{0x02, 0x40}, depth)
		for i := range depth {
			one = append(one, join(0x20, 0, 0x0d, appendU32(nil, uint32(depth-1-i)), 0x20, 0, 0x21, i%100, 0x0b)...)
		}
		return 100, bytes.Repeat(one, max(1, n/len(one)))
	},
	"loops": func(n int) (int, []byte) { return 1, bytes.Repeat([]byte{0x03, 0x40, 0x0b}, n/3) },
	"backs": func(n int) (int, []byte) { return 1, bytes.Repeat([]byte{0x03, 0x40, 0x20, 0, 0x0d, 0, 0x0b}, n/7) },
	"nestedloops": func(n int) (int, []byte) {
		d := min(4000, n/9)
		one := join(bytes.Repeat([]byte{0x03, 0x40, 0x20, 0, 0x0d, 0}, d), bytes.Repeat([]byte{0x0b}, d))
		return 100, bytes.Repeat(one, max(1, n/len(one)))
	},
	"nestedloopsets": func(n int) (int, []byte) {
		d := min(4000, n/12)
		var one []byte
		for i := range d {
			one = append(one, 0x03, 0x40, 0x20, 0, 0x21, byte(i%100), 0x20, 1, 0x0d, 0)
		}
		one = append(one, bytes.Repeat([]byte{0x0b}, d)...)
		return 100, bytes.Repeat(one, max(1, n/len(one)))
	},
	"ifs": func(n int) (int, []byte) {
		var code []byte
		for i := 0; len(code) < n; i++ {
			code = append(code, join(0x20, appendU32(nil, uint32(i%1000)), 0x04, 0x40, 0x20, 0, 0x21, appendU32(nil, uint32(i%997)), 0x0b)...)
		}
		return 1000, code
	},
	"live": func(n int) (int, []byte) { // many values on the stack across branches
		k := n / 12
		code := bytes.Repeat([]byte{0x41, 0, 0x28, 2, 0}, k)
		code = append(code, bytes.Repeat([]byte{0x6a}, k-1)...)
		code = append(code, 0x21, 0)
		code = append(code, bytes.Repeat([]byte{0x20, 0, 0x04, 0x40, 0x0b}, n/12)...)
		return 1, code
	},
	"liveblocks": func(n int) (int, []byte) {
		k := n / 14
		code := bytes.Repeat([]byte{0x41, 0, 0x28, 2, 0, 0x20, 0, 0x04, 0x40, 0x0b}, k)
		code = append(code, bytes.Repeat([]byte{0x6a}, k-1)...)
		return 1, append(code, 0x21, 0)
	},
	"localsloop": func(n int) (int, []byte) { // all locals live through many loops
		locals := 2000
		var code []byte
		for i := range locals {
			code = append(code, join(0x41, 0, 0x28, 2, 0, 0x21, appendU32(nil, uint32(i)))...)
		}
		code = append(code, bytes.Repeat([]byte{0x03, 0x40, 0x20, 0, 0x0d, 0, 0x0b}, max(0, n-len(code)-6*locals)/7)...)
		for i := range locals {
			code = append(code, join(0x20, appendU32(nil, uint32(i)), 0x21, 0)...)
		}
		return locals, code
	},
	"fills": func(n int) (int, []byte) {
		return 1, bytes.Repeat([]byte{0x20, 0, 0x20, 0, 0x20, 0, 0xfc, 11, 0}, n/9)
	},
	"copies": func(n int) (int, []byte) {
		return 1, bytes.Repeat([]byte{0x20, 0, 0x20, 0, 0x20, 0, 0xfc, 10, 0, 0}, n/10)
	},
	"grows": func(n int) (int, []byte) { return 1, bytes.Repeat([]byte{0x20, 0, 0x40, 0, 0x1a}, n/5) },
	"loads": func(n int) (int, []byte) { return 1, bytes.Repeat([]byte{0x20, 0, 0x28, 2, 0, 0x21, 0}, n/7) },
	"calls": func(n int) (int, []byte) { return 1, bytes.Repeat([]byte{0x10, 0}, n/2) },
}

func bomb(name string, size, functions int) []byte {
	b := &builder{memory: []byte{0, 1}}
	locals, code := bombs[name](size)
	group := bytes.Repeat([]byte{typeI32}, locals)
	for range functions {
		b.function("", ":", group, code)
	}
	return b.bytes()
}

// TestTheWorstAcceptedModuleCompilesInTime makes each bomb as large as the limits let it be, in one function, in a few
// and in thousands. On an idle machine the slowest takes some three seconds. Set QUERN_OVERHEAD to run it.
func TestTheWorstAcceptedModuleCompilesInTime(t *testing.T) {
	if os.Getenv("QUERN_OVERHEAD") == "" {
		t.Skip("skipped, because it compiles for minutes; set QUERN_OVERHEAD to run it")
	}
	e := newEngine(t)
	for name := range bombs {
		for _, functions := range []int{1, 64, 8192} {
			file := largestBomb(name, functions)
			out, err := meterAny(file, Limits{})
			if err != nil {
				continue // not even a small one of so many functions is accepted
			}
			start := time.Now()
			c, err := e.CompileModule(e.ctx, out)
			must(t, err)
			took := time.Since(start)
			must(t, c.Close(e.ctx))
			t.Logf("%-14s %5d functions, %7d bytes, %8d rewritten: %v", name, functions, len(file), len(out), took)
		}
	}
}

// largestBomb is the largest module of so many functions that the limits accept.
func largestBomb(name string, functions int) []byte {
	best := bomb(name, 20, functions)
	for size := 24; size < DefaultLimits().Body; size += size / 4 {
		file := bomb(name, size, functions)
		if _, err := Inspect(file, Limits{}); err != nil {
			break
		}
		best = file
	}
	return best
}

// TestBombsAreRefused: the gate stops each kind before it takes long to compile.
func TestBombsAreRefused(t *testing.T) {
	for name := range bombs {
		if file := bomb(name, 240<<10, 16); name != "arithmetic" && name != "loads" && name != "calls" { // straight code takes linear time
			var refusal *Error
			if _, err := Inspect(file, Limits{}); !errors.As(err, &refusal) {
				t.Errorf("%s: accepted with %d bytes", name, len(file))
			} else if refusal.Code != CodeTooComplex && refusal.Code != CodeBodyTooLarge && refusal.Code != CodeCodeTooLarge {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
