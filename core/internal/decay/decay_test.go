package decay

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// precision is the number of bits after the point in the slow computation.
const precision = 400

// slowPower returns 2^-(rest/whole) as a product of square roots of square roots of 1/2, one for each bit of the exponent.
func slowPower(rest, whole *big.Int) *big.Int {
	product := new(big.Int).Lsh(big.NewInt(1), precision)
	root := new(big.Int).Rsh(product, 1)
	rest = new(big.Int).Set(rest)
	for range precision - 20 {
		root = new(big.Int).Sqrt(new(big.Int).Lsh(root, precision))
		rest.Lsh(rest, 1)
		if rest.Cmp(whole) >= 0 {
			rest.Sub(rest, whole)
			product.Rsh(product.Mul(product, root), precision)
		}
	}
	return product
}

func slowFactor(elapsed uint64, halfLife int64) (mantissa *big.Int, halvings uint64) {
	whole := big.NewInt(halfLife)
	n, rest := new(big.Int).QuoRem(new(big.Int).SetUint64(elapsed), whole, new(big.Int))
	if rest.Sign() == 0 {
		return new(big.Int).Lsh(big.NewInt(1), mantissaBits), n.Uint64()
	}
	return new(big.Int).Rsh(slowPower(rest, whole), precision-mantissaBits), n.Uint64()
}

func drawElapsed(t *rapid.T, halfLife int64) uint64 {
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return rapid.Uint64().Draw(t, "elapsed")
	case 1:
		return uint64(halfLife) * rapid.Uint64Range(0, 3).Draw(t, "halvings")
	}
	return rapid.Uint64Range(0, uint64(min(halfLife, math.MaxInt64/200))*140).Draw(t, "elapsed")
}

func TestFactor_IsThePowerRoundedDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		halfLife := rapid.Int64Range(1, math.MaxInt64).Draw(t, "half-life")
		elapsed := drawElapsed(t, halfLife)
		got := Over(elapsed, halfLife)
		mantissa, halvings := slowFactor(elapsed, halfLife)
		if halvings >= mostHalvings {
			mantissa, halvings = new(big.Int), 0
		}
		if mantissa.Uint64() != got.mantissa || halvings != uint64(got.halvings) {
			t.Fatalf("2^-(%d/%d): expected %d*2^-(63+%d), found %d*2^-(63+%d)", elapsed, halfLife, mantissa, halvings, got.mantissa, got.halvings)
		}
	})
}

func (a Amount) big() *big.Int {
	high := new(big.Int).Lsh(new(big.Int).SetUint64(a.High), 64)
	return high.Add(high, new(big.Int).SetUint64(a.Low))
}

func drawAmount(t *rapid.T, label string) Amount {
	units := rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, math.MaxInt64-1)).Draw(t, label)
	a := Of(units)
	a.Low |= uint64(rapid.Uint32().Draw(t, label+" fraction"))
	return a
}

func TestToward_RoundsTheAverageDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAmount(t, "amount")
		units := rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, math.MaxInt64)).Draw(t, "units")
		halfLife := rapid.Int64Range(1, 1<<50).Draw(t, "half-life")
		f := Over(drawElapsed(t, halfLife), halfLife)
		bits := uint(mantissaBits + f.halvings)
		whole := new(big.Int).Lsh(big.NewInt(1), bits)
		weight := new(big.Int).SetUint64(f.mantissa)
		want := new(big.Int).Mul(a.big(), weight)
		want.Add(want, new(big.Int).Mul(Of(units).big(), new(big.Int).Sub(whole, weight)))
		want.Rsh(want, bits)
		if got := a.Toward(units, f).big(); got.Cmp(want) != 0 {
			t.Fatalf("expected %d, found %d", want, got)
		}
	})
}

func TestShare_IsThatOfTheExactAmount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAmount(t, "amount")
		units := rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, math.MaxInt64)).Draw(t, "units")
		want := new(big.Int)
		switch {
		case units > 0:
			want.Mul(a.big(), big.NewInt(1_000_000_000))
			want.Quo(want, Of(units).big())
			if most := big.NewInt(1<<53 - 1); want.Cmp(most) > 0 {
				want = most
			}
		case !a.IsZero():
			want.SetInt64(1_000_000_000)
		}
		if got := a.Share(units); got != want.Int64() {
			t.Fatalf("share of %d in %d: expected %d, found %d", a.big(), units, want, got)
		}
	})
}

func TestTables_AreRoundedPowers(t *testing.T) {
	expect := func(name string, i int, got fraction, want *big.Int) {
		t.Helper()
		want = new(big.Int).Rsh(want, precision-128)
		if want.BitLen() > 128 { // 1
			want.Sub(want, big.NewInt(1))
		}
		if found := (Amount{got.high, got.low}).big(); found.Cmp(want) != 0 {
			t.Errorf("%s[%d]: expected %x, found %x", name, i, want, found)
		}
	}
	for i := range 16 {
		expect("sixteenths", i, sixteenths[i], slowPower(big.NewInt(int64(i)), big.NewInt(16)))
		expect("parts", i, parts[i], slowPower(big.NewInt(int64(i)), big.NewInt(256)))
	}
	unit := new(big.Int).Lsh(big.NewInt(1), precision)
	ln2, term := new(big.Int), new(big.Int).Set(unit)
	for k := int64(1); k < precision; k++ { // ln(2) is the sum of 1/(k*2^k)
		ln2.Add(ln2, new(big.Int).Quo(new(big.Int).Rsh(unit, uint(k)), big.NewInt(k)))
	}
	for i := range terms {
		term.Rsh(term.Mul(term, ln2), precision)
		term.Quo(term, big.NewInt(int64(i+1)))
		expect("terms", i, terms[i], term)
	}
}

func TestHalfALife_LeavesHalf(t *testing.T) {
	if got := Of(10).Toward(0, Over(60, 60)); got != Of(5) {
		t.Errorf("expected 5 units, found %v", got)
	}
	if got := Of(0).Toward(8, Over(120, 60)); got != Of(6) {
		t.Errorf("expected 6 units, found %v", got)
	}
	if got := Of(3).Toward(7, Over(128*60, 60)); got != Of(7) {
		t.Errorf("expected 7 units after so long, found %v", got)
	}
}

func BenchmarkToward(b *testing.B) {
	a := Of(1 << 40)
	for i := range b.N {
		a = a.Toward(1<<39, Over(uint64(i)*1_000_003, 3_600_000_000_000))
	}
}
