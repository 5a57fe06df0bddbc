package plugins_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/quern-project/quern/sdk/abi"
)

// BenchmarkCall asks for the golden policy's scores and for those of fair, by two of four types, as a host does whose
// frame stays where it is.
func BenchmarkCall(b *testing.B) {
	for _, rows := range []int{1, 4096} {
		for _, language := range languages {
			b.Run("golden-"+language+sized(rows), func(b *testing.B) {
				m := load(b, "golden", "golden-"+language)
				m.must(m.configure(`{"weight":1}`))
				s := abi.Shape{Rows: rows, Asked: rows, Keys: 1, Columns: []abi.Column{{ID: 12}, {ID: 13, Constant: true}}}
				repeat(b, m, newFrame(b, s, abi.Dense), rows)
			})
			b.Run("fair-"+language+sized(rows), func(b *testing.B) {
				m := load(b, "policies", "fair-"+language)
				m.must(m.configure(`{"weights":{"memory":1,"vcore":1}}`))
				m.must(m.dictionary(abi.Texts(1, []string{"gpu", "memory", "pods", "vcore"})))
				s := abi.Shape{Rows: rows, Asked: rows, Keys: 1}
				for code := range uint32(4) {
					s.Columns = append(s.Columns, abi.Column{ID: 6, Arg: code + 1})
				}
				f := newFrame(b, s, abi.Dense)
				r := rand.New(rand.NewPCG(1, 2))
				for column := range s.Columns {
					for row := range rows {
						f.set(column, row, float64(r.Int64N(1e9)))
					}
				}
				repeat(b, m, f, rows)
			})
		}
	}
}

func sized(rows int) string {
	if rows == 1 {
		return "/1-row"
	}
	return "/4096-rows"
}

func repeat(b *testing.B, m *module, f *frame, rows int) {
	b.Helper()
	at := m.reserve(f.bytes)
	call := m.m.ExportedFunction("node_score")
	stack := make([]uint64, 1)
	for b.Loop() {
		stack[0] = uint64(at)
		if err := call.CallWithStack(context.Background(), stack); err != nil || stack[0] != abi.OK {
			b.Fatalf("expected code 0, found %d: %v", stack[0], err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
}
