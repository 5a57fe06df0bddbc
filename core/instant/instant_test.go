package instant

import (
	"math"
	"math/big"
	"testing"
	"time"
)

const hour = time.Hour

func TestAdd_StaysWithinTheClock(t *testing.T) {
	for _, c := range []struct{ at, d, sum, rest time.Duration }{
		{hour, hour, 2 * hour, 0},
		{-hour, hour, 0, -2 * hour},
		{hour, -hour, 0, 2 * hour},
		{Never, 1, Never, Never - 1},
		{Never - 1, 1, Never, Never - 2},
		{Never, Never, Never, 0},
		{Beginning, Never, 0, Beginning},
		{Beginning, -1, Beginning, Beginning + 1},
		{0, math.MinInt64, Beginning, Never},
		{56 * 365 * 24 * hour, 2500000 * hour, Never, 56*365*24*hour - 2500000*hour},
	} {
		if got := Add(c.at, c.d); got != c.sum {
			t.Errorf("Add(%d, %d) = %d, want %d", c.at, c.d, got, c.sum)
		}
		if got := Sub(c.at, c.d); got != c.rest {
			t.Errorf("Sub(%d, %d) = %d, want %d", c.at, c.d, got, c.rest)
		}
		if got := Delay(c.d).After(c.at); got != c.sum {
			t.Errorf("Delay(%d).After(%d) = %d, want %d", c.d, c.at, got, c.sum)
		}
		if got := Delay(c.d).Before(c.at); got != c.rest {
			t.Errorf("Delay(%d).Before(%d) = %d, want %d", c.d, c.at, got, c.rest)
		}
	}
}

func TestSooner_IgnoresNever(t *testing.T) {
	for _, c := range []struct {
		at, other, want time.Duration
		there, ok       bool
	}{
		{0, Never, 0, false, false}, {5, Never, 5, true, true}, {0, 7, 7, false, true}, {5, 7, 5, true, true}, {9, 7, 7, true, true},
	} {
		if got, ok := Sooner(c.at, c.there, c.other); got != c.want || ok != c.ok {
			t.Errorf("Sooner(%d, %v, %d) = %d, %v, want %d, %v", c.at, c.there, c.other, got, ok, c.want, c.ok)
		}
	}
}

// FuzzAdd compares sums with those of numbers without a limit.
func FuzzAdd(f *testing.F) {
	for _, n := range []int64{0, 1, -1, math.MaxInt64, math.MinInt64, int64(2562047 * hour)} {
		f.Add(n, int64(Never))
		f.Add(n, int64(-hour))
	}
	within := func(n *big.Int) time.Duration {
		switch {
		case n.Cmp(big.NewInt(int64(Never))) > 0:
			return Never
		case n.Cmp(big.NewInt(int64(Beginning))) < 0:
			return Beginning
		}
		return time.Duration(n.Int64())
	}
	f.Fuzz(func(t *testing.T, a, b int64) {
		a = max(a, int64(Beginning)) // an instant
		x, y := big.NewInt(a), big.NewInt(b)
		if got, want := Add(time.Duration(a), time.Duration(b)), within(new(big.Int).Add(x, y)); got != want {
			t.Errorf("Add(%d, %d) = %d, want %d", a, b, got, want)
		}
		y = big.NewInt(max(b, int64(Beginning)))
		if got, want := Sub(time.Duration(a), time.Duration(b)), within(new(big.Int).Sub(x, y)); got != want {
			t.Errorf("Sub(%d, %d) = %d, want %d", a, b, got, want)
		}
	})
}
