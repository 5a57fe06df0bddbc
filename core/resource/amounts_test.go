package resource

import (
	"slices"
	"testing"
)

func TestAmounts_ReadTheirVector(t *testing.T) {
	v := Vec{3, 0, 5}
	a := v.Amounts()
	v[1] = 4
	if a.Len() != 3 || a.At(1) != 4 {
		t.Errorf("found %d amounts, the second is %d", a.Len(), a.At(1))
	}
	var sum Vec
	for i, amount := range a.All {
		if i == 2 {
			break
		}
		sum = append(sum, amount)
	}
	if !slices.Equal(sum, Vec{3, 4}) {
		t.Errorf("the first two are %v", sum)
	}
	c := a.Clone()
	c[0] = 9
	if !slices.Equal(v, Vec{3, 4, 5}) || !slices.Equal(c, Vec{9, 4, 5}) {
		t.Errorf("changing the copy %v gave %v", c, v)
	}
	if none := (Amounts{}); none.Len() != 0 || Vec(nil).Amounts().Len() != 0 {
		t.Error("no amounts have a length")
	}
}
