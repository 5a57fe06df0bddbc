package wazero_test

import (
	"bytes"
	"testing"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/host/policy/wazero"
)

// BenchmarkFuel is what a unit of fuel buys of the instructions that take longest: where it is much above a nanosecond, a call
// may last longer than its fuel says.
func BenchmarkFuel(b *testing.B) {
	const (
		f64  = 1
		v128 = 2
	)
	for _, c := range []struct {
		name  string
		local int // what the code takes and leaves; 0: nothing
		code  []byte
	}{
		{"f64.mul", f64, bytesOf(0x20, f64, 0xa2)},
		{"f64.div", f64, bytesOf(0x44, 0, 0, 0, 0, 0, 0, 0xf5, 0x3f, 0xa3)},
		{"f64.sqrt", f64, bytesOf(0x9f)},
		{"f64x2.div", v128, bytesOf(0x20, v128, 0xfd, number(0xf3))},
		{"f64x2.sqrt", v128, bytesOf(0xfd, number(0xef))},
		{"f32x4.sqrt", v128, bytesOf(0xfd, number(0xe3))},
		{"i64.div_u", 0, bytesOf(0x20, 0, 0xad, 0x42, 3, 0x80, 0x1a)},
		{"i64x2.shr_s", v128, bytesOf(constant(3), 0xfd, number(0xcc))},
		{"i32x4.trunc_sat_f64x2_u", v128, bytesOf(0xfd, number(0xfd))},
		{"i64.store across pages", 0, bytesOf(constant(0), 0x42, 1, 0x37, 0, number(4093))},
		{"memory.grow of nothing", 0, bytesOf(constant(0), 0x40, 0, 0x1a)},
		{"memory.copy of nothing", 0, bytesOf(constant(0), constant(0), constant(0), 0xfc, 10, 0, 0)},
		{"ref.func", 0, bytesOf(0xd2, 0, 0x1a)},
	} {
		b.Run(c.name, func(b *testing.B) {
			code := bytes.Repeat(c.code, 300)
			if c.local > 0 {
				code = bytesOf(0x20, c.local, code, 0x21, c.local)
			}
			f := goodFile().add(tables, bytesOf(0x70, 0, 1)).add(elements, bytesOf(0, constant(0), 0x0b, 1, 0))
			f.function("node_score", takesOne, bytesOf(2, 1, 0x7c, 1, 0x7b), 0x03, 0x40, code, 0x0c, 0, 0x0b, 0)
			benchmarkUnits(b, f.bytes())
		})
	}
}

// benchmarkUnits spends the fuel of calls about one row, again and again.
func benchmarkUnits(b *testing.B, file []byte) {
	l := wazero.Limits{Fuel: 1_000_000, RowFuel: 1}
	m, err := strict(b).Load(b.Context(), "m", file, l)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		b.StopTimer()
		in, err := m.Instance(b.Context(), []byte("{}"))
		if err != nil {
			b.Fatal(err)
		}
		batch := one()
		b.StartTimer()
		if in.Eval(batch) == nil {
			b.Fatal("expected it to use up its fuel")
		}
		b.StopTimer()
		in.Close()
		b.StartTimer()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(l.Fuel), "ns/unit")
}

// one is a batch of one row.
func one() *policy.Batch {
	return &policy.Batch{Point: policy.NodeScore, Keys: 1, Columns: []policy.Column{{Kind: policy.Free, Arg: "vcore"}}, Depends: policy.OnRow,
		Cols: [][]float64{{1}}, Out: []float64{0}, Rows: []int32{0}, Changed: []int32{0}}
}
