package oracle

import (
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
