package wazero_test

import (
	"testing"

	"github.com/quern-project/quern/core/policy"
)

// utilised is the score by used shares, over four types.
const utilised = `MANIFEST("{\"name\":\"m\",\"version\":\"1\",\"abi\":\"1.0\",\"points\":{\"node.score\":{\"columns\":[\"share:a\",\"share:b\",\"share:c\",\"share:d\"],\"keys\":1,\"depends\":\"row\"}}}")
POINT(node_score) { EACH(i) { u32 r = idx[i]; out[r] = (COLUMN(0, r) + COLUMN(1, r) + COLUMN(2, r) + COLUMN(3, r)) / 4; } return 0; }`

// BenchmarkDirtyRow is one row of 10,000 that changed.
func BenchmarkDirtyRow(b *testing.B) {
	m := load(b, utilised)
	tab := table(employ(b, m, "{}"), policy.NodeScore, points(b, m)[policy.NodeScore], func(err error) { b.Fatal(err) })
	fill := source(func(row int32, _ policy.Column) float64 { return float64(row) })
	for r := range int32(10_000) {
		tab.Touch(r)
	}
	tab.Flush(fill, func(int32, []float64) {})
	row := int32(0)
	for b.Loop() {
		row = (row + 7919) % 10_000
		tab.Touch(row)
		tab.Flush(fill, func(int32, []float64) {})
	}
}

// BenchmarkAllRows is 10,000 rows that all changed; the time is for each.
func BenchmarkAllRows(b *testing.B) {
	m := load(b, utilised)
	tab := table(employ(b, m, "{}"), policy.NodeScore, points(b, m)[policy.NodeScore], func(err error) { b.Fatal(err) })
	fill := source(func(row int32, _ policy.Column) float64 { return float64(row) })
	for r := range int32(10_000) {
		tab.Touch(r)
	}
	n := 0
	for b.Loop() {
		tab.TouchAll()
		tab.Flush(fill, func(int32, []float64) {})
		n += 10_000
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/row")
}
