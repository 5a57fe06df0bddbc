package table

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"
)

// Any interleaving of edits of a sequence, its versions and forks of these gives what copies give.
func TestDense_VersionsEqualCopies(t *testing.T) {
	type version struct {
		frozen FrozenDense[int64]
		model  []int64
	}
	type owner struct {
		d     *Dense[int64]
		model []int64
	}
	rapid.Check(t, func(t *rapid.T) {
		owners, versions := []*owner{{d: NewDense[int64]()}}, []version{}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			o := rapid.SampledFrom(owners).Draw(t, "owner")
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0:
				n := len(o.model) + rapid.IntRange(0, 3).Draw(t, "more")
				o.d.Grow(n)
				o.model = append(o.model, make([]int64, n-len(o.model))...)
			case 1:
				versions = append(versions, version{o.d.Freeze(), slices.Clone(o.model)})
			case 2:
				if len(versions) > 0 {
					v := rapid.SampledFrom(versions).Draw(t, "version")
					owners = append(owners, &owner{v.frozen.Fork(), slices.Clone(v.model)})
				}
			default:
				if n := len(o.model); n > 0 {
					i, value := rapid.IntRange(0, n-1).Draw(t, "at"), rapid.Int64().Draw(t, "value")
					o.d.Edit()[i], o.model[i] = value, value
				}
			}
			for _, o := range owners {
				if !slices.Equal(o.d.Peek(), o.model) {
					t.Fatalf("found %v, expected %v", o.d.Peek(), o.model)
				}
			}
			for _, v := range versions {
				for i, expected := range v.model {
					if v.frozen.Len() != len(v.model) || v.frozen.At(i) != expected {
						t.Fatalf("a version has %v, expected %v", v.frozen, v.model)
					}
				}
			}
		}
	})
}

func TestDense_RefusesPointers(t *testing.T) {
	mustPanic(t, func() { NewDense[string]() })
}

// BenchmarkDenseEditAfterFreeze measures the copy of ten thousand rows of 64 bytes.
func BenchmarkDenseEditAfterFreeze(b *testing.B) {
	d := NewDense[[8]int64]()
	d.Grow(10_000)
	for b.Loop() {
		d.Freeze()
		d.Edit()[5][0]++
	}
}
