// Package decay holds the arithmetic of usage that ages with a half-life: amounts with a fraction, and the factors 2^-x by which they
// shrink. It is exact, in integers alone, so every machine computes the same bits.
//
// Package state/aged keeps amounts, and the orders of queues and applications compare their shares.
package decay

import (
	"math/bits"

	"github.com/quern-project/quern/core/resource"
)

// Amount is an amount of a type in 2^-32 of a unit, as a number of 128 bits. It is at most the largest int64 in units.
type Amount struct{ High, Low uint64 }

// fractionBits is the number of bits after the point of an Amount.
const fractionBits = 32

// Of returns a whole number of units, which must not be negative.
func Of(units int64) Amount {
	return Amount{uint64(units) >> (64 - fractionBits), uint64(units) << fractionBits}
}

// IsZero reports whether the amount is zero.
func (a Amount) IsZero() bool { return a.High|a.Low == 0 }

// IsValid reports whether the amount is at most the largest int64 in units.
func (a Amount) IsValid() bool { return a.High < 1<<(fractionBits-1) }

// Less compares two amounts.
func (a Amount) Less(b Amount) bool { return a.High < b.High || a.High == b.High && a.Low < b.Low }

// sub returns a - b, which must not be negative.
func (a Amount) sub(b Amount) Amount {
	low, borrow := bits.Sub64(a.Low, b.Low, 0)
	high, _ := bits.Sub64(a.High, b.High, borrow)
	return Amount{high, low}
}

// Toward returns the average of an amount and a whole number of units with the weights f and 1-f, rounded down: a*f + units*(1-f).
func (a Amount) Toward(units int64, f Factor) Amount {
	to := Of(units)
	switch {
	case a == to:
		return to
	case a.Less(to):
		part, exact := f.of(to.sub(a))
		if !exact { // the difference is rounded up, so that the result is rounded down
			part.Low++
			if part.Low == 0 {
				part.High++
			}
		}
		return to.sub(part)
	}
	part, _ := f.of(a.sub(to))
	low, carry := bits.Add64(to.Low, part.Low, 0)
	high, _ := bits.Add64(to.High, part.High, carry)
	return Amount{high, low}
}

// of returns the product with an amount, rounded down, and whether it is exact.
func (f Factor) of(a Amount) (part Amount, exact bool) {
	if f.mantissa == 0 {
		return Amount{}, true // 2^-x counts as 0
	}
	first, low := bits.Mul64(a.Low, f.mantissa)
	high, second := bits.Mul64(a.High, f.mantissa)
	middle, carry := bits.Add64(first, second, 0)
	return shift(high+carry, middle, low, mantissaBits+f.halvings)
}

// shift shifts a number of 192 bits to the right by at least mantissaBits, after which it is an amount. exact reports whether only zeros
// fell off.
func shift(high, middle, low uint64, by uint) (a Amount, exact bool) {
	var lost uint64
	for ; by >= 64; by -= 64 {
		lost |= low
		high, middle, low = 0, high, middle
	}
	if by > 0 {
		lost |= low << (64 - by)
		low = low>>by | middle<<(64-by)
		middle = middle>>by | high<<(64-by)
	}
	return Amount{middle, low}, lost == 0
}

// Share returns the amount divided by a number of units, in billionths, rounded down and capped like resource.Share. If the number is zero,
// any amount above zero is the whole.
func (a Amount) Share(units int64) int64 {
	if units <= 0 {
		if a.IsZero() {
			return 0
		}
		return resource.ShareUnit
	}
	carried, low := bits.Mul64(a.Low, resource.ShareUnit)
	high := a.High*resource.ShareUnit + carried // below 2^62, since an amount is below 2^95
	low, high = low>>fractionBits|high<<(64-fractionBits), high>>fractionBits
	if high >= uint64(units) {
		return resource.ShareCap
	}
	share, _ := bits.Div64(high, low, uint64(units))
	return int64(min(share, resource.ShareCap))
}

// Units returns the amount in whole units, rounded down, and the rest in 2^-32 of a unit.
func (a Amount) Units() (units int64, rest uint32) {
	return int64(a.High<<(64-fractionBits) | a.Low>>fractionBits), uint32(a.Low)
}

// Float returns the amount in units, with its fraction, as exactly as a float64 can below 2^53 units.
func (a Amount) Float() float64 {
	units, rest := a.Units()
	return float64(units) + float64(rest)/(1<<fractionBits)
}
