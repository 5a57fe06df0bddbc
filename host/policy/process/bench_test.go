//go:build linux

package process

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core/policy"
)

// A round trip about so many rows of a table of 10,000 that changed, with their columns and answers.
func BenchmarkRoundTrip(b *testing.B) {
	for _, rows := range []int{1, 1000, 10000} {
		for _, columns := range []int{1, 8} {
			b.Run(fmt.Sprintf("rows=%d/columns=%d", rows, columns), func(b *testing.B) {
				p := running(b, acting(b, "good"))
				batch := wide(10000, columns)
				if err := p.Eval(batch); err != nil {
					b.Fatal(err)
				}
				batch.Changed = batch.Changed[:rows]
				batch.Rows = batch.Changed
				b.ReportAllocs()
				for b.Loop() {
					if err := p.Eval(batch); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "µs/call")
			})
		}
	}
}

// wide is a batch of scores with the same column several times.
func wide(rows, columns int) *policy.Batch {
	b := scores(make([]float64, rows)...)
	for range columns - 1 {
		b.Columns = append(b.Columns, b.Columns[0])
		b.Cols = append(b.Cols, make([]float64, rows))
	}
	return b
}
