package oracle

import (
	"maps"
	"math"
	"slices"

	"github.com/quern-project/quern/core/resource"
)

// amounts are quantities by type; a type that is missing counts as zero.
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

// set gives the amounts as a Set without zeros.
func (a amounts) set() resource.Set {
	var quantities []resource.Quantity
	for typ, value := range a {
		if value != 0 {
			quantities = append(quantities, resource.Quantity{Type: typ, Value: value})
		}
	}
	return resource.NewSet(quantities...)
}

// passes reports whether the exact sum of two amounts, neither below zero, is more than can be counted.
func passes(a, b int64) bool { return b > math.MaxInt64-a }

// anyPasses reports whether the sum of two amounts of some type is more than can be counted.
func (a amounts) anyPasses(s resource.Set) bool {
	return slices.ContainsFunc(s, func(q resource.Quantity) bool { return passes(a[q.Type], q.Value) })
}

// setWithZeros gives the amounts as a Set, zeros too: in a max they forbid.
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
