package resource

import (
	"math"
	"math/big"
	"slices"
	"testing"
)

func TestASetIsSortedByteByByte(t *testing.T) {
	s := NewSet(Quantity{Type: "vcore", Value: 1}, Quantity{Type: "Zinc", Value: 2}, Quantity{Type: "memory", Value: 3})
	if want := (Set{{Type: "Zinc", Value: 2}, {Type: "memory", Value: 3}, {Type: "vcore", Value: 1}}); !slices.Equal(s, want) {
		t.Errorf("%v", s)
	}
}

func TestSet_ZeroIsNotMissing(t *testing.T) {
	s := NewSet(Quantity{Type: "gpu", Value: 0}, Quantity{Type: "vcore", Value: 5})
	if v, ok := s.Value("gpu"); v != 0 || !ok {
		t.Error("gpu is there")
	}
	if v, ok := s.Value("memory"); v != 0 || ok {
		t.Error("memory is not")
	}
	if s.IsZero() || !NewSet(Quantity{Type: "gpu", Value: 0}).IsZero() || !(Set)(nil).IsZero() {
		t.Error("zero is without an amount other than zero")
	}
}

func TestSharesAreBillionthsRoundedDown(t *testing.T) {
	for _, c := range []struct{ used, denominator, want int64 }{
		{0, 0, 0}, {0, 5, 0}, {5, 0, ShareUnit}, {5, -1, ShareUnit}, {-5, 0, 0}, {-5, 10, 0},
		{1, 3, 333_333_333}, {2, 3, 666_666_666}, {3, 2, 1_500_000_000}, {1, math.MaxInt64, 0},
		{math.MaxInt64, math.MaxInt64, ShareUnit}, {math.MaxInt64, 1, ShareCap}, {math.MaxInt64 / 2, math.MaxInt64, 499_999_999},
		{10_000_000, 1, ShareCap}, {9_007_199, 1, 9_007_199 * ShareUnit},
	} {
		if got := Share(c.used, c.denominator); got != c.want {
			t.Errorf("%d of %d: got %d, want %d", c.used, c.denominator, got, c.want)
		}
	}
}

func TestSumsSaturate(t *testing.T) {
	edges := []int64{0, 1, -1, 2, -2, 1000, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1, math.MaxInt64 / 2}
	for _, a := range edges {
		for _, b := range edges {
			if got, want := Add(a, b), saturated(new(big.Int).Add(big.NewInt(a), big.NewInt(b))); got != want {
				t.Errorf("%d + %d: got %d, want %d", a, b, got, want)
			}
			if got, want := Sub(a, b), saturated(new(big.Int).Sub(big.NewInt(a), big.NewInt(b))); got != want {
				t.Errorf("%d - %d: got %d, want %d", a, b, got, want)
			}
		}
	}
}

func saturated(n *big.Int) int64 {
	switch {
	case n.IsInt64():
		return n.Int64()
	case n.Sign() > 0:
		return math.MaxInt64
	}
	return math.MinInt64
}

func FuzzShare(f *testing.F) {
	f.Add(int64(1), int64(3))
	f.Add(int64(math.MaxInt64), int64(2))
	f.Fuzz(func(t *testing.T, used, denominator int64) {
		want := int64(0)
		switch {
		case used > 0 && denominator <= 0:
			want = ShareUnit
		case used > 0:
			n := new(big.Int).Mul(big.NewInt(used), big.NewInt(ShareUnit))
			n.Quo(n, big.NewInt(denominator))
			want = ShareCap
			if n.Cmp(big.NewInt(ShareCap)) < 0 {
				want = n.Int64()
			}
		}
		if got := Share(used, denominator); got != want {
			t.Errorf("%d of %d: got %d, want %d", used, denominator, got, want)
		}
	})
}
