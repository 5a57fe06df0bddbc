package ledger

import (
	"math"
	"math/big"
	"math/rand"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// nearestRank is the percentile of a sorted list.
func nearestRank(sorted []int64, p int) int64 {
	return sorted[int(math.Ceil(float64(p)/100*float64(len(sorted))))-1]
}

func TestSketch_IsExactUpToManyValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(0, 2000), 1, 5000).Draw(t, "values")
		var s Sketch
		sum := int64(0)
		for _, v := range values {
			s.Add(v)
			sum += v
		}
		slices.Sort(values)
		for _, p := range []int{1, 50, 95, 100} {
			if want, found := nearestRank(values, p), s.Percentile(p); found != want {
				t.Fatalf("p%d: expected %d, found %d", p, want, found)
			}
		}
		if n := len(values); s.Total() != n || s.Mean() != sum/int64(n) || s.Max() != values[n-1] {
			t.Fatalf("%d values, mean %d, max %d", s.Total(), s.Mean(), s.Max())
		}
	})
}

func TestSketch_OfMoreValuesIsRoundedAndBounded(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	var whole Sketch
	var values []int64
	for range 200_000 {
		v := random.Int63() >> random.Intn(63)
		values = append(values, v)
		whole.Add(v)
	}
	total := new(big.Int)
	for _, v := range values {
		total.Add(total, big.NewInt(v))
	}
	if want := total.Div(total, big.NewInt(int64(len(values)))).Int64(); whole.Mean() != want {
		t.Errorf("the mean is %d, expected %d", whole.Mean(), want)
	}
	var merged Sketch // of parts, in another order
	for _, part := range [][]int64{values[150_000:], values[:1000], values[1000:150_000]} {
		var s Sketch
		for _, v := range slices.Backward(part) {
			s.Add(v)
		}
		merged.merge(&s)
	}
	slices.Sort(values)
	for p := 1; p <= 100; p++ {
		want, found := nearestRank(values, p), whole.Percentile(p)
		if found > want || want-found > want/128 {
			t.Errorf("p%d: expected %d, found %d", p, want, found)
		}
		if other := merged.Percentile(p); other != found {
			t.Errorf("p%d: %d of the parts, %d of the whole", p, other, found)
		}
	}
	if n := len(whole.values.counts) + len(whole.values.buffer); n > 2*64<<roundedBits {
		t.Errorf("%d entries are kept", n)
	}
}

func TestSketch_OfNothing(t *testing.T) {
	var s, other Sketch
	s.merge(&other)
	if s.Total() != 0 || s.Mean() != 0 || s.Max() != 0 || s.Percentile(50) != 0 {
		t.Errorf("%+v", s)
	}
}

func TestArea_IsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a Area
		want := new(big.Int)
		for range rapid.IntRange(1, 5).Draw(t, "times") {
			amount, over := rapid.Int64Range(0, math.MaxInt64).Draw(t, "amount"), rapid.Int64Range(0, math.MaxInt64/4).Draw(t, "over")
			a.add(amount, time.Duration(over))
			want.Add(want, new(big.Int).Mul(big.NewInt(amount), big.NewInt(over)))
		}
		seconds := new(big.Int).Div(want, big.NewInt(int64(time.Second)))
		if a.Seconds() != seconds.String() {
			t.Fatalf("expected %v, found %s", seconds, a.Seconds())
		}
		hours := new(big.Int).Div(want, big.NewInt(int64(time.Hour)))
		if !hours.IsInt64() {
			hours.SetInt64(math.MaxInt64)
		}
		if a.Hours() != hours.Int64() {
			t.Fatalf("expected %v, found %d", hours, a.Hours())
		}
	})
}

func TestSlowdown_IsBounded(t *testing.T) {
	for _, c := range []struct {
		wait, run time.Duration
		want      int64
	}{
		{0, 0, 1000},
		{0, time.Second, 1000},
		{9 * time.Second, time.Second, 1000},
		{10 * time.Second, 0, 1000},
		{19 * time.Second, time.Second, 2000}, // 20 s for what counts as 10 s
		{time.Minute, 0, 6000},
		{time.Minute, 20 * time.Second, 4000},
		{time.Minute, 7 * time.Minute, 1142}, // 8/7, rounded down
		{math.MaxInt64, 0, 922337203685},
	} {
		if found := slowdown(c.wait, c.run); found != c.want {
			t.Errorf("waited %v, ran %v: expected %d, found %d", c.wait, c.run, c.want, found)
		}
	}
}
