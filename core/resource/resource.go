// Package resource holds what everything else counts in: named quantities, the dense vectors they are computed
// with, and arithmetic that saturates and never wraps.
//
// A Set is what people write and read: sorted (type, value) pairs. A Vec is what the scheduler computes with: one
// int64 a type, at the index that a Types table gave to the name. Values are stored units: milli-cores for vcore,
// bytes for memory, units for every other type.
package resource

import (
	"math"
	"math/bits"
	"sort"
)

// VCore is the one type that is stored in thousandths: `vcore: 1` is 1000 milli-cores.
const VCore = "vcore"

// Quantity is an amount of one type, in stored units.
type Quantity struct {
	Type  string
	Value int64
}

// Set is a resource as people write it: sorted bytewise by type, each type once. An explicit zero is kept, since a
// max of zero forbids the type where a missing one leaves it unlimited. A Set is never changed once it was made.
type Set []Quantity

// NewSet sorts quantities into a Set. Each type may occur once; the slice is taken over.
func NewSet(quantities ...Quantity) Set {
	s := Set(quantities)
	for i := 1; i < len(s); i++ {
		if s[i].Type < s[i-1].Type {
			sort.Slice(s, func(i, j int) bool { return s[i].Type < s[j].Type }) // slices.SortFunc is 20 kB more in core.wasm
			break
		}
	}
	return s
}

// Value returns the amount of a type, and whether the set names it.
func (s Set) Value(typ string) (int64, bool) {
	for _, q := range s {
		if q.Type == typ {
			return q.Value, true
		}
	}
	return 0, false
}

// IsZero reports whether the set holds no amount other than zero.
func (s Set) IsZero() bool {
	for _, q := range s {
		if q.Value != 0 {
			return false
		}
	}
	return true
}

// ShareUnit is a whole in the integers that shares are counted in: billionths.
const ShareUnit = 1_000_000_000

// ShareCap bounds a share, so that it is exact as a float64 too.
const ShareCap = 1<<53 - 1

// Share returns used/denominator in billionths, rounded down and capped at ShareCap. With a denominator of zero (or
// less) it is 0 when nothing is used, else a whole.
func Share(used, denominator int64) int64 {
	if used <= 0 {
		return 0
	}
	if denominator <= 0 {
		return ShareUnit
	}
	if used <= math.MaxInt64/ShareUnit {
		return int64(min(uint64(used)*ShareUnit/uint64(denominator), ShareCap))
	}
	hi, lo := bits.Mul64(uint64(used), ShareUnit)
	if hi >= uint64(denominator) {
		return ShareCap
	}
	q, _ := bits.Div64(hi, lo, uint64(denominator))
	return int64(min(q, ShareCap))
}

// Add returns a+b, saturated at the int64 limits.
func Add(a, b int64) int64 {
	c := a + b
	if (c > a) == (b > 0) {
		return c
	}
	if b > 0 {
		return math.MaxInt64
	}
	if b == 0 {
		return a
	}
	return math.MinInt64
}

// Sub returns a-b, saturated at the int64 limits.
func Sub(a, b int64) int64 {
	c := a - b
	if (c < a) == (b > 0) {
		return c
	}
	if b > 0 {
		return math.MinInt64
	}
	if b == 0 {
		return a
	}
	return math.MaxInt64
}
