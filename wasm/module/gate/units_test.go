package gate

import "testing"

// TestUnits counts by hand. Each instruction is one unit, its end included; a loop is one more at each turn.
func TestUnits(t *testing.T) {
	e := newEngine(t)
	countDown := join(0x20, 0, i32(1), 0x6b, 0x22, 0) // 4 instructions
	nops := make([]byte, 50)
	for i := range nops {
		nops[i] = 0x01
	}
	// A jump on the parameter over 50 instructions, in a loop that is never begun anew.
	jump := join(0x03, 0x40, 0x02, 0x40, 0x02, 0x40, 0x20, 0, 0x0e, 1, 0, 1, 0x0b, nops, 0x0b, i32(0), 0x0d, 0, 0x0b)
	for _, c := range []struct {
		name string
		code []byte
		arg  uint64
		want int64
	}{
		{"nothing", nil, 0, 1},
		{"three instructions", join(i32(1), i32(2), 0x6a, 0x1a), 0, 4 + 1},
		{"both arms of an if", join(0x20, 0, 0x04, 0x40, 0x01, 0x05, 0x01, 0x01, 0x0b), 0, 7 + 1},
		{"a loop of one turn", join(0x03, 0x40, countDown, 0x0d, 0, 0x0b), 1, 1 + 7 + 1},
		{"a loop of ten turns", join(0x03, 0x40, countDown, 0x0d, 0, 0x0b), 10, 1 + 10*7 + 1},
		{"a jump to code", jump, 0, 1 + (1 + 5) + (50 + 1) + 3 + 1},
		{"a jump over code", jump, 1, 1 + (1 + 5) + 3 + 1},
	} {
		b := &builder{}
		b.function("run", "i:", nil, c.code)
		m := e.run(t, rewritten(t, b.bytes()))
		setFuel(m, 1000)
		_, err := m.ExportedFunction("run").Call(e.ctx, c.arg)
		must(t, err)
		if got := 1000 - fuelLeft(m) - frameCost - localCost; got != c.want {
			t.Errorf("%s took %d units, expected %d", c.name, got, c.want)
		}
	}
}

func TestACallPaysForItsFrameAndValues(t *testing.T) {
	e := newEngine(t)
	b := &builder{}
	f := b.function("", "ii:i", []byte{typeI64, typeI64, typeI64}, i32(1))
	b.function("run", ":", nil, i32(1), i32(2), 0x10, f, 0x1a)
	m := e.run(t, rewritten(t, b.bytes()))
	setFuel(m, 1000)
	_, err := m.ExportedFunction("run").Call(e.ctx)
	must(t, err)
	want := int64(frameCost + 5 + 3 + frameCost + 5*localCost + 2)
	if got := 1000 - fuelLeft(m); got != want {
		t.Errorf("took %d units, expected %d", got, want)
	}
}
