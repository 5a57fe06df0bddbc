package oracle

import (
	"maps"
	"math"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// amounts are quantities by type. Missing types count as zero.
type amounts map[string]int64

func amountsOf(s resource.Set) amounts {
	a := amounts{}
	a.add(s)
	return a
}

func (a amounts) add(s resource.Set) {
	for _, q := range s {
		a[q.Type] = resource.Add(a[q.Type], q.Value)
	}
}

// set converts the amounts to a Set without zeros.
func (a amounts) set() resource.Set {
	var quantities []resource.Quantity
	for typ, value := range a {
		if value != 0 {
			quantities = append(quantities, resource.Quantity{Type: typ, Value: value})
		}
	}
	return resource.NewSet(quantities...)
}

// overflows reports whether the sum of two amounts, which must not be negative, exceeds the largest int64.
func overflows(a, b int64) bool { return b > math.MaxInt64-a }

// anyOverflows reports whether the sum of some type exceeds the largest int64.
func (a amounts) anyOverflows(s resource.Set) bool {
	return slices.ContainsFunc(s, func(q resource.Quantity) bool { return overflows(a[q.Type], q.Value) })
}

// setWithZeros converts the amounts to a Set with zeros, which forbid a type in a max.
func (a amounts) setWithZeros() resource.Set {
	quantities := []resource.Quantity{}
	for typ, value := range a {
		quantities = append(quantities, resource.Quantity{Type: typ, Value: value})
	}
	return resource.NewSet(quantities...)
}

func (a amounts) equals(b amounts) bool { return maps.Equal(a, b) }

func withoutZeros(s resource.Set) resource.Set { return amountsOf(s).set() }

func valueOf(s resource.Set, typ string) int64 {
	value, _ := s.Value(typ)
	return value
}

func (a amounts) addAll(b amounts) {
	for typ, value := range b {
		a[typ] = resource.Add(a[typ], value)
	}
}

func (a amounts) sub(s resource.Set) {
	for _, q := range s {
		a[q.Type] = resource.Sub(a[q.Type], q.Value)
	}
}

// exceed reports whether an amount above zero exceeds a bound.
func (a amounts) exceed(most resource.Set) bool {
	return slices.ContainsFunc(most, func(q resource.Quantity) bool { return a[q.Type] > 0 && a[q.Type] > q.Value })
}

func (a amounts) subAll(b amounts) {
	for typ, value := range b {
		a[typ] = resource.Sub(a[typ], value)
	}
}
