// Package resource defines amounts of resources: named quantities, dense vectors, and arithmetic that saturates instead of wrapping.
//
// A Set is the form of inputs and outputs: sorted pairs of type and value. A Vec is the form that the scheduler computes with: one int64
// for each type, at the index that a Types table assigned to the name. Values are in stored units: milli-cores for vcore, bytes for
// memory, thousandths for types of devices, units for other types.
package resource

import (
	"math"
	"math/bits"
	"sort"
)

// VCore is the only type without devices that is stored in thousandths: `vcore: 1` is 1000 milli-cores.
const VCore = "vcore"

// Quantity is an amount of one type, in stored units.
type Quantity struct {
	Type  string
	Value int64
	Milli bool `json:",omitempty"` // of a device type: Value counts thousandths of a device
}

// Set is a list of quantities, sorted bytewise by type, each type once. Explicit zeros are kept, since a max of zero forbids a type,
// while a missing one does not limit it. A Set is immutable.
type Set []Quantity

// NewSet makes a Set of quantities. Each type may occur once. NewSet sorts and keeps the slice.
func NewSet(quantities ...Quantity) Set {
	s := Set(quantities)
	for i := 1; i < len(s); i++ {
		if s[i].Type < s[i-1].Type {
			sort.Slice(s, func(i, j int) bool { return s[i].Type < s[j].Type }) // slices.SortFunc would add 20 kB to core.wasm
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

// IsZero reports whether all amounts of the set are zero.
func (s Set) IsZero() bool {
	for _, q := range s {
		if q.Value != 0 {
			return false
		}
	}
	return true
}

// ShareUnit is the share of a whole. Shares are integers in billionths.
const ShareUnit = 1_000_000_000

// ShareCap is the largest share. Shares up to it are exact as float64.
const ShareCap = 1<<53 - 1

// Share returns used/denominator in billionths, rounded down and capped at ShareCap. If the denominator is 0 or negative, the share is
// ShareUnit, or 0 if nothing is used.
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
