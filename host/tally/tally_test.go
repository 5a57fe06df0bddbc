package tally

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestPercentilesAreThoseOfTheNearestRank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(0, 50), 0, 3000).Draw(t, "values")
		var tally Tally
		for _, v := range values {
			tally.Add(time.Duration(v))
		}
		slices.Sort(values)
		for _, p := range []int{1, 50, 99, 100} {
			want := int64(0)
			if n := len(values); n > 0 {
				want = values[int(math.Ceil(float64(p)/100*float64(n)))-1]
			}
			if got := tally.Percentile(p); int64(got) != want {
				t.Fatalf("p%d of %v: expected %d, found %d", p, values, want, got)
			}
		}
		if tally.Total() != len(values) {
			t.Fatalf("expected %d values, found %d", len(values), tally.Total())
		}
	})
}

func TestTheMedianOfFourIsTheSecond(t *testing.T) {
	var tally Tally
	for _, v := range []time.Duration{40, 10, 30, 20} {
		tally.Add(v)
	}
	if p50, p99, most := tally.Percentile(50), tally.Percentile(99), tally.Max(); p50 != 20 || p99 != 40 || most != 40 {
		t.Errorf("expected 20, 40 and 40, found %d, %d and %d", p50, p99, most)
	}
}

func TestRepeatedWaitsTakeNoMoreMemory(t *testing.T) {
	var tally Tally
	for i := range 1_000_000 {
		tally.Add(time.Duration(i % 7))
	}
	if got := len(tally.Counts()); got != 7 {
		t.Errorf("expected 7 counts, found %d", got)
	}
	if cap(tally.buffer) > 2*leastBuffer {
		t.Errorf("expected a buffer of at most %d values, found %d", 2*leastBuffer, cap(tally.buffer))
	}
}
