package ledger

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
		var waits Waits
		for _, v := range values {
			waits.Add(time.Duration(v))
		}
		slices.Sort(values)
		for _, p := range []int{1, 50, 99, 100} {
			want := int64(0)
			if n := len(values); n > 0 {
				want = values[int(math.Ceil(float64(p)/100*float64(n)))-1]
			}
			if got := waits.Percentile(p); int64(got) != want {
				t.Fatalf("p%d of %v: expected %d, found %d", p, values, want, got)
			}
		}
		if waits.Total() != len(values) {
			t.Fatalf("expected %d values, found %d", len(values), waits.Total())
		}
	})
}

func TestTheMedianOfFourIsTheSecond(t *testing.T) {
	var waits Waits
	for _, v := range []time.Duration{40, 10, 30, 20} {
		waits.Add(v)
	}
	if p50, p99, most := waits.Percentile(50), waits.Percentile(99), waits.Max(); p50 != 20 || p99 != 40 || most != 40 {
		t.Errorf("expected 20, 40 and 40, found %d, %d and %d", p50, p99, most)
	}
}

func TestRepeatedWaitsTakeNoMoreMemory(t *testing.T) {
	var waits Waits
	for i := range 1_000_000 {
		waits.Add(time.Duration(i % 7))
	}
	if got := len(waits.Counts()); got != 7 {
		t.Errorf("expected 7 counts, found %d", got)
	}
	if cap(waits.buffer) > 2*leastBuffer {
		t.Errorf("expected a buffer of at most %d values, found %d", 2*leastBuffer, cap(waits.buffer))
	}
}

func TestTheMeanOfWaitsIsExact(t *testing.T) {
	var w Waits
	if w.Mean() != 0 {
		t.Errorf("nothing has the mean %v", w.Mean())
	}
	const long = 250 * 365 * 24 * time.Hour // three of these overflow 64 bits
	for range 3 {
		w.Add(long)
	}
	w.Add(1)
	if got := w.Mean(); got != long/4*3 {
		t.Errorf("the mean is %v, want %v", got, long/4*3)
	}
	w = Waits{}
	for _, d := range []time.Duration{1, 2, 2} {
		w.Add(d)
	}
	if got := w.Mean(); got != 1 {
		t.Errorf("the mean is %d ns, want it rounded down to 1", got)
	}
}
