package decay

import "math/bits"

// Factor is 2^-x for an x of at least 0, rounded down to a mantissa of 63 bits: relative to 2^-x, the error is below 2^-62. A factor below
// 2^-128 counts as 0, since no amount has a part that small. The zero value is 0.
type Factor struct {
	mantissa uint64 // in 2^-63: above 2^62, at most 2^63
	halvings uint   // by which the mantissa is shifted to the right
}

const (
	mantissaBits = 63
	mostHalvings = 128
)

// Over returns 2^-(elapsed/halfLife), for a half-life above 0.
func Over(elapsed uint64, halfLife int64) Factor {
	halvings, rest := elapsed/uint64(halfLife), elapsed%uint64(halfLife)
	switch {
	case halvings >= mostHalvings:
		return Factor{}
	case rest == 0:
		return Factor{1 << mantissaBits, uint(halvings)}
	}
	high, rest := bits.Div64(rest, 0, uint64(halfLife))
	low, _ := bits.Div64(rest, 0, uint64(halfLife))
	return Factor{power(fraction{high, low}).high >> (64 - mantissaBits), uint(halvings)}
}

// fraction is a number below 1 with 128 bits after the point.
type fraction struct{ high, low uint64 }

// one is the fraction nearest to 1.
var one = fraction{1<<64 - 1, 1<<64 - 1}

// times returns the product of two fractions, up to 2^-126 too small.
func (f fraction) times(g fraction) fraction {
	high, low := bits.Mul64(f.high, g.high)
	first, _ := bits.Mul64(f.high, g.low)
	second, _ := bits.Mul64(f.low, g.high)
	low, carry := bits.Add64(low, first, 0)
	high += carry
	low, carry = bits.Add64(low, second, 0)
	return fraction{high + carry, low}
}

// minus returns f - g, which must not be negative.
func (f fraction) minus(g fraction) fraction {
	low, borrow := bits.Sub64(f.low, g.low, 0)
	high, _ := bits.Sub64(f.high, g.high, borrow)
	return fraction{high, low}
}

// wideTerms is the number of terms of the series that need 128 bits: a later one is multiplied by so many small numbers that 64 are enough.
const wideTerms = 7

// power returns 2^-x. Two tables have the powers of the first eight bits of x, and a series that of the rest. The error is below 2^-120, so
// the mantissa of a Factor is 2^-x rounded down, unless 2^-x is that close to a mantissa.
func power(x fraction) fraction {
	rest := fraction{x.high << 8 >> 8, x.low}
	last := len(terms) - 1
	narrow := terms[last].high
	for n := last - 1; n >= wideTerms; n-- {
		part, _ := bits.Mul64(rest.high, narrow)
		narrow = terms[n].high - part
	}
	wide := fraction{high: narrow}
	for n := wideTerms - 1; n >= 0; n-- {
		wide = terms[n].minus(rest.times(wide))
	}
	series := one.minus(rest.times(wide))
	return sixteenths[x.high>>60].times(parts[x.high>>56&15].times(series))
}
