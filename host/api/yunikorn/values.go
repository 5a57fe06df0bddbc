package yunikorn

import (
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"time"

	"github.com/quern-project/quern/core/resource"
)

// nanoseconds is a time since the Unix epoch.
func nanoseconds(at time.Duration) int64 { return int64(at) }

// amountsOf are those of a set.
func amountsOf[S ~[]resource.Quantity](s S) amounts {
	a := make(amounts, len(s))
	for _, q := range s {
		a[q.Type] = q.Value
	}
	return a
}

// minus is what is left of some amounts, of each type that they name.
func (a amounts) minus(others ...amounts) amounts {
	left := make(amounts, len(a))
	for typ, amount := range a {
		for _, o := range others {
			amount = resource.Sub(amount, o[typ])
		}
		left[typ] = amount
	}
	return left
}

func (a amounts) add(s resource.Set) {
	for _, q := range s {
		a[q.Type] = resource.Add(a[q.Type], q.Value)
	}
}

// percentOf is how much of others some amounts are, in whole per cent, of each type that they or the others name. Of nothing it is 100 per
// cent as soon as there is any.
func (a amounts) percentOf(all amounts) amounts {
	p := make(amounts, len(all))
	for typ := range all {
		p[typ] = percent(a[typ], all[typ])
	}
	for typ, amount := range a {
		if _, named := all[typ]; !named && amount > 0 {
			p[typ] = 100
		}
	}
	return p
}

func percent(part, whole int64) int64 {
	return resource.Share(part, whole) / (resource.ShareUnit / 100)
}

// saturatedProduct is a product that stays within an int64; times is not negative, or -1.
func saturatedProduct(amount, times int64) int64 {
	if times == -1 {
		return -amount
	}
	high, low := bits.Mul64(uint64(max(amount, 0)), uint64(max(times, 0)))
	if high != 0 || low > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(low)
}

func priorityText(p int32) string { return strconv.FormatInt(int64(p), 10) }

func orEmptyMap[V any](m map[string]V) map[string]V {
	if m == nil {
		return map[string]V{}
	}
	return m
}

func orEmptyList[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
