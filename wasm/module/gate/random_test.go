package gate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"
)

// A generator writes valid functions over i32. Every loop counts down a local of its own, so that programs end.
type generator struct {
	t      *rapid.T
	b      *builder
	index  int      // of the function that is written
	labels []string // of open blocks, innermost last: types of what a branch must leave on the stack
	locals int
	depth  int
	code   []byte
}

const (
	randomFuncs  = 4
	randomLocals = 4 // i32 locals of each function; the counters of loops come behind them
)

func (g *generator) pick(n int) int { return rapid.IntRange(0, n-1).Draw(g.t, "pick") }
func (g *generator) emit(code ...any) {
	g.code = append(g.code, join(code...)...)
}

// value pushes an i32.
func (g *generator) value() {
	if g.depth > 4 {
		g.emit(i32(g.pick(100) - 50))
		return
	}
	g.depth++
	defer func() { g.depth-- }()
	switch g.pick(11) {
	case 0:
		g.emit(i32(g.pick(1<<20) - 1<<19))
	case 1, 2:
		g.emit(0x20, g.pick(randomLocals+1))
	case 3:
		g.emit(0x23, g.pick(2))
	case 4, 5:
		g.value()
		g.value()
		g.emit([]int{0x6a, 0x6b, 0x6c, 0x6d, 0x6f, 0x71, 0x73, 0x74, 0x48, 0x77}[g.pick(10)]) // division traps by zero
	case 6:
		g.value()
		g.emit(i32(0xffff), 0x71, 0x28, 2, appendU32(nil, uint32(g.pick(70000)))) // sometimes out of bounds
	case 7:
		g.called()
	case 8:
		g.block(0x02, true)
	case 9:
		g.value()
		g.block(0x04, true)
	case 10:
		g.bulkValue()
	}
}

// bulkValue pushes the result of growing something.
func (g *generator) bulkValue() {
	switch g.pick(4) {
	case 0:
		g.emit(i32(g.pick(3)), 0x40, 0)
	case 1:
		g.emit(0xd0, typeFuncref, i32(g.pick(3)), 0xfc, 15, 1)
	case 2:
		g.emit(0x3f, 0)
	case 3:
		g.emit(0xfc, 16, 1)
	}
}

// called calls a later function, so that nothing recurses, or one through the table of such functions.
func (g *generator) called() {
	if g.index == randomFuncs-1 {
		g.emit(i32(7))
		return
	}
	g.value()
	if to := g.index + 1 + g.pick(randomFuncs-1-g.index); g.pick(2) == 0 {
		g.emit(0x10, to)
	} else {
		g.emit(i32(to), 0x11, 0, 0)
	}
}

// block opens a block, loop or if; with a result, each way out leaves an i32.
func (g *generator) block(op int, result bool) {
	kind, label := blockVoid, ""
	if result {
		kind, label = typeI32, "i"
	}
	if op == 0x03 {
		label = "" // a branch to a loop leaves nothing
	}
	g.emit(op, kind)
	g.labels = append(g.labels, label)
	g.body(result)
	if op == 0x04 && (result || g.pick(2) == 0) {
		g.emit(0x05)
		g.body(result)
	}
	g.labels = g.labels[:len(g.labels)-1]
	g.emit(0x0b)
}

func (g *generator) body(result bool) {
	for range g.pick(3) {
		g.statement()
	}
	if result {
		g.value()
	}
}

func (g *generator) statement() {
	if g.depth > 4 {
		return
	}
	g.depth++
	defer func() { g.depth-- }()
	switch g.pick(12) {
	case 0, 1:
		g.value()
		g.emit(0x21, g.pick(randomLocals+1))
	case 2:
		g.value()
		g.emit(0x24, g.pick(2))
	case 3:
		g.value()
		g.emit(i32(0xffff), 0x71)
		g.value()
		g.emit(0x36, 2, 0)
	case 4:
		g.block(0x02, false)
	case 5:
		g.value()
		g.block(0x04, false)
	case 6, 7:
		g.loop()
	case 8:
		g.branch()
	case 9:
		g.bulk()
	case 10:
		g.value()
		g.emit(0x1a)
	case 11:
		g.branchTable()
	}
}

// loop runs some times, and may be left or begun anew from inside.
func (g *generator) loop() {
	counter := randomLocals + 1 + g.locals
	g.locals++
	g.emit(i32(1+g.pick(6)), 0x21, counter, 0x03, 0x40)
	g.emit(0x20, counter, i32(1), 0x6b, 0x22, counter, 0x04, 0x40) // while it is not zero
	g.labels = append(g.labels, "", "")
	g.body(false)
	g.emit(0x0c, 1)
	g.labels = g.labels[:len(g.labels)-2]
	g.emit(0x0b, 0x0b)
}

// branch goes to any open block, or returns.
func (g *generator) branch() {
	d := g.pick(len(g.labels) + 1)
	if d == len(g.labels) {
		g.value()
		g.emit(0x0f)
		return
	}
	label := g.labels[len(g.labels)-1-d]
	if label == "i" {
		g.value()
	}
	if g.pick(2) == 0 {
		g.value()
		g.emit(0x0d, d)
		if label == "i" {
			g.emit(0x1a)
		}
		return
	}
	g.emit(0x0c, d)
}

// branchTable goes to one of the open blocks that want nothing.
func (g *generator) branchTable() {
	var targets []byte
	for d := range g.labels {
		if g.labels[len(g.labels)-1-d] == "" {
			targets = append(targets, byte(d))
		}
	}
	if len(targets) == 0 {
		return
	}
	g.value()
	n := 1 + g.pick(5)
	g.emit(0x0e, n)
	for range n + 1 {
		g.emit(targets[g.pick(len(targets))])
	}
}

func (g *generator) bulk() {
	for range 2 {
		g.value()
		g.emit(i32(0x7fff), 0x71)
	}
	g.value()
	g.emit(i32(0x81ff), 0x71)
	switch g.pick(3) {
	case 0:
		g.emit(0xfc, 10, 0, 0)
	case 1:
		g.emit(0xfc, 11, 0)
	case 2:
		g.emit(0xfc, 8, 0, 0)
	}
}

// randomModule has four functions (i32)->i32, exported; the last ones are in a table.
func randomModule(t *rapid.T) []byte {
	b := &builder{memory: []byte{1, 1, 3}, count: true}
	b.typ("i:i")
	b.globals = [][]byte{join(typeI32, 1, i32(5), 0x0b), join(typeI32, 1, i32(-9), 0x0b)}
	b.tables = [][]byte{{typeFuncref, 0, randomFuncs}, {typeFuncref, 1, 1, 9}}
	b.elements = [][]byte{join(0, i32(0), 0x0b, 4, 0, 1, 2, 3)}
	b.data = [][]byte{join(1, 5, 1, 2, 3, 4, 5)}
	for i := range randomFuncs {
		g := &generator{t: t, b: b, index: i}
		for range 1 + g.pick(5) {
			g.statement()
		}
		g.value()
		b.function(fmt.Sprint("f", i), "i:i", bytes.Repeat([]byte{typeI32}, randomLocals+g.locals), g.code)
	}
	b.export("memory", kindMemory, 0)
	b.export("g0", kindGlobal, 0)
	return b.bytes()
}

// outcome is all that can be seen of a call.
func outcome(ctx context.Context, m api.Module, function string, arg uint64) string {
	result, err := m.ExportedFunction(function).Call(ctx, arg)
	text := fmt.Sprint(result)
	if err != nil {
		text, _, _ = strings.Cut(err.Error(), "\n") // without the stack
	}
	if mem := m.Memory(); mem != nil {
		all, _ := mem.Read(0, mem.Size())
		text += fmt.Sprintf(" memory %x", sha256.Sum256(all))
	}
	if g := m.ExportedGlobal("g0"); g != nil {
		text += fmt.Sprint(" global ", int32(g.Get()))
	}
	return text
}

func TestRandomModulesRunTheSameWithAmpleFuel(t *testing.T) {
	e := newEngine(t)
	rapid.Check(t, func(t *rapid.T) {
		module := randomModule(t)
		out, err := meterAny(module, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		plain, bounded, again := instance(t, e, module), instance(t, e, out), instance(t, e, out)
		defer closeAll(t, e.ctx, plain, bounded, again)
		used := int64(0)
		for i := range randomFuncs {
			name, arg := fmt.Sprint("f", i), uint64(uint32(i*1000-1))
			setFuel(bounded, 1<<60)
			want, got := outcome(e.ctx, plain, name, arg), outcome(e.ctx, bounded, name, arg)
			if want != got {
				t.Fatalf("%s(%d):\n%s without\n%s with fuel\n%x", name, arg, want, got, module)
			}
			used = max(used, 1<<60-fuelLeft(bounded))
		}
		little := rapid.Int64Range(0, used).Draw(t, "little")
		starved(t, e, out, again, little)
	})
}

// starved checks that two instances with little fuel do the same.
func starved(t *rapid.T, e *engine, out []byte, one api.Module, little int64) {
	other := instance(t, e, out)
	defer closeAll(t, e.ctx, other)
	for i := range randomFuncs {
		name := fmt.Sprint("f", i)
		setFuel(one, little)
		setFuel(other, little)
		a, b := outcome(e.ctx, one, name, 3), outcome(e.ctx, other, name, 3)
		if a != b || fuelLeft(one) != fuelLeft(other) {
			t.Fatalf("%s with %d units: %s (%d left) or %s (%d left)", name, little, a, fuelLeft(one), b, fuelLeft(other))
		}
	}
}

func instance(t *rapid.T, e *engine, module []byte) api.Module {
	m, err := e.InstantiateWithConfig(e.ctx, module, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		t.Fatalf("%v\n%x", err, module)
	}
	return m
}

func closeAll(t *rapid.T, ctx context.Context, modules ...api.Module) {
	for _, m := range modules {
		if err := m.Close(ctx); err != nil {
			t.Fatal(err)
		}
	}
}
