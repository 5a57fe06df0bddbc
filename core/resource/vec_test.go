package resource

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestTypesKeepTheIndexTheyWereMetWith(t *testing.T) {
	types := NewTypes()
	names := []string{"vcore", "memory", "Zinc"}
	for i, name := range append(names, names...) {
		if found := types.Intern(name); found != i%len(names) || types.Name(found) != name {
			t.Errorf("%s is %d", name, found)
		}
	}
	if i, ok := types.Find("memory"); i != 1 || !ok {
		t.Errorf("memory is %d, %v", i, ok)
	}
	if _, ok := types.Find("gpu"); ok {
		t.Error("gpu is known without having been met")
	}
	if types.Len() != 3 || !slices.Equal(types.Sorted(), []int{2, 1, 0}) {
		t.Errorf("%d types, bytewise %v", types.Len(), types.Sorted())
	}
}

func TestTheWidthOfVectorsGrowsInSteps(t *testing.T) {
	types := NewTypes()
	width := types.Width()
	if width == 0 {
		t.Error("an empty table makes empty vectors")
	}
	for i := range 20 {
		grew := types.Admit(NewSet(Quantity{Type: string(rune('a' + i)), Value: 0}))
		if grew != (types.Width() != width) || types.Width() < types.Len() || types.Width() < width {
			t.Errorf("type %d: grew is %v, from %d to %d", i, grew, width, types.Width())
		}
		width = types.Width()
	}
	if types.Admit(NewSet(Quantity{Type: "a", Value: 1}), nil) {
		t.Error("a known type widens")
	}
}

func TestAVectorReadsBackAsItsSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		types := NewTypes()
		set := NewSet()
		for _, name := range []string{"d", "b", "a", "c", "e"} {
			types.Intern(name)
			if rapid.Bool().Draw(t, name) {
				set = NewSet(append(set, Quantity{Type: name, Value: rapid.Int64Range(0, math.MaxInt64).Draw(t, "amount")})...)
			}
		}
		missing := rapid.SampledFrom([]int64{Unlimited, -7}).Draw(t, "missing")
		v := types.Vec(set, missing)
		if found := types.Set(v, missing); !slices.Equal(found, set) {
			t.Fatalf("%v became %v and %v", set, v, found)
		}
		for i := range v {
			name := ""
			if i < types.Len() {
				name = types.Name(i)
			}
			if amount, named := set.Value(name); named && v[i] != amount || !named && v[i] != missing {
				t.Fatalf("%v became %v", set, v)
			}
		}
		wide := v.Widen(len(v)+8, missing)
		if !slices.Equal(wide[:len(v)], v) || slices.Max(wide[len(v):]) != missing || slices.Min(wide[len(v):]) != missing {
			t.Fatalf("%v was widened to %v", v, wide)
		}
		v[0]++
		if wide[0] == v[0] {
			t.Fatal("a widened vector shares its memory")
		}
	})
}

func TestVectorsSaturate(t *testing.T) {
	v := Vec{1, Most - 1, math.MinInt64 + 1, 0}
	v.Add(Vec{2, 5, -5, math.MinInt64}.Amounts())
	if !slices.Equal(v, Vec{3, Most, math.MinInt64, math.MinInt64}) {
		t.Errorf("the sum is %v", v)
	}
	v = Vec{1, math.MinInt64 + 1, Most - 1, 0}
	v.Sub(Vec{2, 5, -5, math.MinInt64}.Amounts())
	if !slices.Equal(v, Vec{-1, math.MinInt64, Most, Most}) {
		t.Errorf("the difference is %v", v)
	}
	v.Fill(7)
	if !slices.Equal(v, Vec{7, 7, 7, 7}) {
		t.Errorf("filled it is %v", v)
	}
}
