package class_test

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/resource"
)

func registry(names ...string) (class.Registry, *resource.Types) {
	types := resource.NewTypes()
	for _, n := range names {
		types.Intern(n)
	}
	return class.NewRegistry(types), types
}

func set(pairs ...any) resource.Set {
	var s []resource.Quantity
	for i := 0; i < len(pairs); i += 2 {
		s = append(s, resource.Quantity{Type: pairs[i].(string), Value: int64(pairs[i+1].(int))})
	}
	return resource.NewSet(s...)
}

func TestAsksOfOneShapeShareAClassAndOthersDoNot(t *testing.T) {
	r, _ := registry("gpu", "vcore")
	shapes := []class.Shape{
		{Resources: set("vcore", 1)},
		{Resources: set("vcore", 2)},
		{Resources: set("gpu", 1)},
		{Resources: set("gpu", 1, "vcore", 1)},
		{Resources: set("vcore", 1), Node: "n"},
		{Resources: set("vcore", 1), Predicate: "n"},
		{Resources: set("vcore", 1), Node: "n", Predicate: "n"},
		{Resources: set("vcore", 1), Constraints: map[string][]string{"a": {"b"}}},
		{Resources: set("vcore", 1), Constraints: map[string][]string{"a": {"b", "c"}}},
		{Resources: set("vcore", 1), Constraints: map[string][]string{"a": {"b"}, "c": {}}},
		{Resources: set("vcore", 1), Constraints: map[string][]string{"a": {}, "b": {"c"}}},
		{Resources: set("vcore", 1), Constraints: map[string][]string{"ab": {""}}},
		{Resources: set("vcore", 1), Constraints: map[string][]string{"": {"ab"}}},
	}
	seen := map[class.Class]int{}
	for i := range shapes {
		c := r.Of(&shapes[i])
		if j, taken := seen[c]; taken {
			t.Errorf("%+v and %+v share a class", shapes[j], shapes[i])
		}
		seen[c] = i
		if r.Of(&shapes[i]) != c {
			t.Errorf("%+v has two classes", shapes[i])
		}
	}
	for _, same := range [][2]class.Shape{
		{{Resources: set("vcore", 1)}, {Resources: set("gpu", 0, "vcore", 1), Constraints: map[string][]string{}}},
		{{Resources: set("vcore", 1), Constraints: map[string][]string{"a": {"c", "b"}}}, {Resources: set("vcore", 1), Constraints: map[string][]string{"a": {"b", "c", "b"}}}},
	} {
		if r.Of(&same[0]) != r.Of(&same[1]) {
			t.Errorf("%+v and %+v have classes of their own", same[0], same[1])
		}
	}
}

func TestPendingClasses_SixtyFourBitsThenShared(t *testing.T) {
	r, _ := registry("vcore")
	var all []class.Class
	var union uint64
	for i := range 64 {
		c := r.Of(&class.Shape{Resources: set("vcore", i+1)})
		r.Enqueue(c)
		all = append(all, c)
		if bits.OnesCount64(c.Bit()) != 1 || union&c.Bit() != 0 || !r.Exclusive(c) {
			t.Fatalf("class %d has the bit %b of %b", i, c.Bit(), union)
		}
		union |= c.Bit()
	}
	if r.Shared() != 0 || union != class.AllBits {
		t.Fatalf("shared %b, in use %b", r.Shared(), union)
	}
	extra := r.Of(&class.Shape{Resources: set("vcore", 1000)})
	r.Enqueue(extra)
	if bits.OnesCount64(r.Shared()) != 1 || r.Shared() != extra.Bit() || r.Exclusive(extra) {
		t.Fatalf("shared %b, the bit is %b", r.Shared(), extra.Bit())
	}
	partner := all[bits.TrailingZeros64(extra.Bit())]
	if partner.Bit() != extra.Bit() || r.Exclusive(partner) {
		t.Fatalf("the partner has the bit %b", partner.Bit())
	}
	owners := 0
	r.Owners(func(c class.Class) {
		owners++
		if c == partner || c == extra {
			t.Error("a class that shares its bit owns it")
		}
	})
	if owners != 63 {
		t.Errorf("%d classes own their bit", owners)
	}
	r.Dequeue(extra)
	if r.Shared() != partner.Bit() {
		t.Errorf("a bit is no longer shared while what is known of it is a hint: %b", r.Shared())
	}
	r.Dequeue(partner)
	if r.Shared() != 0 {
		t.Errorf("nobody is left and the bit %b is shared", r.Shared())
	}
	r.Enqueue(extra)
	if !r.Exclusive(extra) {
		t.Error("a free bit is not given away")
	}
}

func TestWithinLeavesClassesThatFitAndSharedBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, types := registry("gpu", "vcore")
		pending := map[class.Class]int{}
		for range rapid.IntRange(1, 150).Draw(t, "classes") {
			c := r.Of(&class.Shape{Resources: set("vcore", rapid.IntRange(0, 20).Draw(t, "vcore"), "gpu", rapid.IntRange(0, 5).Draw(t, "gpu"))})
			if pending[c] > 0 && rapid.Bool().Draw(t, "less") {
				r.Dequeue(c)
				pending[c]--
				continue
			}
			r.Enqueue(c)
			pending[c]++
		}
		room := types.Vec(set("vcore", rapid.IntRange(0, 20).Draw(t, "free vcore"), "gpu", rapid.IntRange(0, 5).Draw(t, "free gpu")), 0)
		within := r.Within(class.AllBits, room)
		for c, n := range pending {
			if n == 0 {
				continue
			}
			fits := c.Fits(room)
			if fits && within&c.Bit() == 0 || !fits && r.Exclusive(c) && within&c.Bit() != 0 {
				t.Fatalf("%v fits into %v: %v, and Within says %v", c.Resources(), room, fits, within&c.Bit() != 0)
			}
			if largest := r.Largest(); largest.At(0) < c.Demand().At(0) || largest.At(1) < c.Demand().At(1) {
				t.Fatalf("%v is larger than the largest, %v", c.Demand(), largest)
			}
		}
		if r.Within(class.NoBits, room) != 0 {
			t.Fatal("bits that were not given are returned")
		}
	})
}

func TestIdleClassesAreDroppedInTheEndAndThoseInUseStay(t *testing.T) {
	r, _ := registry("vcore")
	used := r.Of(&class.Shape{Resources: set("vcore", 1)})
	id := used.ID()
	const many = 10_000
	for i := range many {
		r.Release(r.Of(&class.Shape{Resources: set("vcore", 2+i)}))
	}
	if again := r.Of(&class.Shape{Resources: set("vcore", 1)}); again != used || again.ID() != id {
		t.Error("a class in use was dropped")
	}
	fresh := 0
	for i := range many {
		c := r.Of(&class.Shape{Resources: set("vcore", 2+i)})
		if c.ID() > many+1 {
			fresh++
		}
		r.Release(c)
	}
	if fresh == 0 {
		t.Error("no idle class was ever dropped")
	}
}

func TestWiden_KeepsDemands(t *testing.T) {
	r, types := registry("vcore")
	c := r.Of(&class.Shape{Resources: set("vcore", 7)})
	for i := range 9 {
		types.Intern(fmt.Sprint("type", i))
	}
	r.Widen()
	if c.Demand().Len() != types.Width() || r.Largest().Len() != types.Width() || c.Demand().At(0) != 7 || r.Largest().At(0) != 7 || c.Needs().Len() != 1 {
		t.Errorf("found %+v, largest %v", c, r.Largest())
	}
	other := r.Of(&class.Shape{Resources: set("type8", 3)})
	if i, _ := types.Find("type8"); other.Demand().At(i) != 3 || slices.Max(other.Demand().Clone()) != 3 {
		t.Errorf("found %v", other.Demand())
	}
}

func TestClass_OnePerShapeInAnySpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, _ := registry("gpu", "vcore")
		classes := map[string]class.Class{}
		for range rapid.IntRange(1, 200).Draw(t, "asks") {
			gpu, vcore := rapid.IntRange(0, 2).Draw(t, "gpu"), rapid.IntRange(1, 12).Draw(t, "vcore")
			s := class.Shape{Resources: set("gpu", gpu, "vcore", vcore)}
			if gpu == 0 && rapid.Bool().Draw(t, "leave zeros out") {
				s.Resources = set("vcore", vcore)
			}
			s.Node = rapid.SampledFrom([]string{"", "n"}).Draw(t, "node")
			s.Predicate = rapid.SampledFrom([]string{"", "n"}).Draw(t, "predicate")
			values := ""
			if rapid.IntRange(0, 3).Draw(t, "constrained") == 0 {
				values = rapid.SampledFrom([]string{"x", "y"}).Draw(t, "value")
				s.Constraints = map[string][]string{"zone": {values}}
			}
			key := fmt.Sprint(gpu, vcore, s.Node, ",", s.Predicate, ",", values)
			c := r.Of(&s)
			if known := classes[key]; !known.IsNone() && known != c {
				t.Fatalf("%+v has two classes", s)
			}
			classes[key] = c
			if c.Node() != s.Node || c.Predicate() != s.Predicate || c.Constraints().Len() != len(s.Constraints) || c.Demand().At(0) != int64(gpu) || c.Demand().At(1) != int64(vcore) {
				t.Fatalf("%+v got the class %+v", s, c)
			}
		}
	})
}

func TestAShapeWhoseClassWasDroppedGetsANewOne(t *testing.T) {
	r, _ := registry("vcore")
	first := &class.Shape{Resources: set("vcore", 1)}
	dropped := r.Of(first)
	r.Release(dropped)
	for i := range 5000 { // more than idleLimit
		r.Release(r.Of(&class.Shape{Resources: set("vcore", 1_000+i*1_000)}))
	}
	again := r.Of(first)
	if again == dropped {
		t.Fatal("the class is found that the registry dropped")
	}
	if r.Of(first) != again {
		t.Error("the shape has two classes")
	}
}

func BenchmarkClassOfAShape(b *testing.B) {
	for _, shapes := range []int{1, 16, 40_000} {
		b.Run(fmt.Sprintf("shapes=%d", shapes), func(b *testing.B) {
			r, _ := registry("memory", "vcore")
			all := make([]class.Shape, shapes)
			for i := range all {
				all[i].Resources = set("memory", 10, "vcore", 1+i)
				r.Of(&all[i])
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				r.Of(&all[i%shapes])
			}
		})
	}
}
