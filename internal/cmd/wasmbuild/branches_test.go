package main

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"
	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"
)

// A walker writes a function as the compiler lays it out: blocks of code that jump to one another, by a number that a
// table maps to blocks, and that call a function after which they may have to return 1.
type walker struct {
	blocks int
	table  []byte // the block of each number
}

// jump goes to the block of a number. It is inside of some blocks, the loop being the outermost one.
func (w *walker) jump(t *rapid.T, depth int) []byte {
	to := rapid.IntRange(0, len(w.table)-1).Draw(t, "to")
	code := appendSigned([]byte{opI32Const}, int64(to))
	return append(code, opLocalSet, blockNumber, opBr, byte(depth))
}

// odd tests a bit of the trace, which is at address 0.
func odd(bit int) []byte {
	return []byte{opI32Const, 0, 0x28, 2, 0, opI32Const, byte(bit), 0x76, opI32Const, 1, 0x71}
}

// block adds its number to the trace, calls function 1, and goes on somewhere.
func (w *walker) block(t *rapid.T, i int) []byte {
	depth := w.blocks - i // blocks around this code up to the loop, without it
	code := []byte{opI32Const, 0, opI32Const, 0, 0x28, 2, 0, opI32Const, 31, 0x6c, opI32Const, byte(i), 0x6a, 0x36, 2, 0}
	code = append(code, 0x10, 1, opBrIf, byte(depth+1))
	for range rapid.IntRange(0, 2).Draw(t, "branches") {
		code = append(append(code, odd(rapid.IntRange(0, 7).Draw(t, "bit"))...), opIf, 0x40)
		if rapid.Bool().Draw(t, "more") {
			code = append(code, 0x01)
		}
		code = append(append(code, w.jump(t, depth+1)...), opEnd)
	}
	switch rapid.IntRange(0, 3).Draw(t, "last") {
	case 0:
		return append(code, opI32Const, 0, opReturn)
	case 1:
		return append(code, w.jump(t, depth)...)
	}
	if i == w.blocks {
		return append(code, opI32Const, 0, opReturn)
	}
	return code
}

func (w *walker) body(t *rapid.T) []byte {
	w.blocks = rapid.IntRange(1, 12).Draw(t, "blocks")
	for i := range w.blocks + 1 {
		w.table = append(w.table, slices.Repeat([]byte{byte(i)}, rapid.IntRange(1, 3).Draw(t, "numbers"))...)
	}
	code := []byte{1, 1, 0x7f, opBlock, 0x40, opLoop, 0x40}
	code = append(code, slices.Repeat([]byte{opBlock, 0x40}, w.blocks+1)...)
	code = append(code, opLocalGet, blockNumber, opBrTable, byte(len(w.table)-1))
	code = append(code, w.table...)
	for i := range w.blocks + 1 {
		code = append(append(code, opEnd), w.block(t, i)...)
	}
	return append(code, opEnd, opUnreachable, opEnd, opI32Const, 1, opEnd)
}

// ticking is function 1: it counts down at address 4 and answers whether it has come to 0.
var ticking = []byte{0, opI32Const, 4, opI32Const, 4, 0x28, 2, 0, opI32Const, 1, 0x6b, 0x36, 2, 0, opI32Const, 4, 0x28, 2, 0, 0x45, opEnd}

// walk runs a body from the block of a number and returns its answer and its trace.
func walk(t *rapid.T, body []byte, from, ticks int) (answer, trace uint32) {
	code := []byte{2}
	for _, f := range [][]byte{body, ticking} {
		code = append(binary.AppendUvarint(code, uint64(len(f))), f...)
	}
	module := appendSections([]byte(header), []section{{typeSection, []byte{2, 0x60, 1, 0x7f, 1, 0x7f, 0x60, 0, 1, 0x7f}},
		{functionSection, []byte{2, 0, 1}}, {5, []byte{1, 0, 1}}, {7, []byte{2, 1, 'm', 2, 0, 1, 'w', 0, 0}}, {codeSection, code}})
	ctx := t.Context()
	engine := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer func() { _ = engine.Close(ctx) }() // it holds nothing that could fail to close
	m, err := engine.Instantiate(ctx, module)
	if err != nil {
		t.Fatal(err)
	}
	m.Memory().WriteUint32Le(4, uint32(ticks))
	found, err := m.ExportedFunction("w").Call(ctx, uint64(from))
	if err != nil {
		t.Fatal(err)
	}
	trace, _ = m.Memory().ReadUint32Le(0)
	return uint32(found[0]), trace
}

func TestShorterBranchesGoWhereTheLongOnesWent(t *testing.T) {
	shorter := 0
	rapid.Check(t, func(t *rapid.T) {
		w := &walker{}
		body := w.body(t)
		short := shortenFunction(body)
		if short == nil {
			t.Fatal("the function was left alone")
		}
		if len(short) < len(body) {
			shorter++
		}
		from, ticks := rapid.IntRange(0, len(w.table)-1).Draw(t, "from"), rapid.IntRange(1, 40).Draw(t, "ticks")
		answer, trace := walk(t, body, from, ticks)
		if a, tr := walk(t, short, from, ticks); a != answer || tr != trace {
			t.Fatalf("expected %d after %x, found %d after %x", answer, trace, a, tr)
		}
	})
	if shorter == 0 {
		t.Error("no function became shorter")
	}
}

func TestFunctionsOfOtherShapesStayAsTheyAre(t *testing.T) {
	for _, body := range [][]byte{
		{0, opEnd},
		{0, 0xfd, 0, opEnd},                    // a vector
		{0, opBr, 1, opEnd},                    // out of the function
		{0, opEnd, opEnd},                      // more after the end
		{0, opBlock, 0x40, opEnd},              // no end
		{0, opI32Const, 1, opLocalSet, 0},      // no end
		{0, opI32Const, 0, opBrTable, 0, 0, 0}, // no end
		{0, opLoop, 0x40, opBlock, 0x40, opI32Const, 0, opBrTable, 0, 0, opEnd, opBr, 0, opEnd, opEnd}, // not by the number of a block
	} {
		if short := shortenFunction(body); short != nil && !slices.Equal(short, body) {
			t.Errorf("%x became %x", body, short)
		}
	}
}
