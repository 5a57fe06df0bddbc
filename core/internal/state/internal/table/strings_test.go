package table

import (
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"
)

func TestStrings_EqualAMapOfCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, held, ids := NewStrings(), map[string]int{}, map[string]ID{}
		frozen := x.Freeze()
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			s := rapid.SampledFrom([]string{"", "a", "b", "node-1", "a text of more than one chunk"}).Draw(t, "text")
			switch {
			case held[s] > 0 && rapid.Bool().Draw(t, "release"):
				x.Release(ids[s])
				held[s]--
			default:
				ids[s] = x.Hold(s)
				held[s]++
			}
			if rapid.IntRange(0, 9).Draw(t, "fork") == 0 {
				frozen = x.Freeze()
				x = frozen.Fork()
			}
			count := 0
			for s, holders := range held {
				id := x.Find(s)
				if s == "" || holders == 0 {
					if id != None {
						t.Fatalf("%q has no holder, and is found", s)
					}
					continue
				}
				count++
				if id != ids[s] || x.String(id) != s {
					t.Fatalf("%q is in %d as %q, expected %d", s, id, x.String(id), ids[s])
				}
			}
			if x.Len() != count {
				t.Fatalf("expected %d strings, found %d", count, x.Len())
			}
		}
	})
}

func TestStrings_FrozenVersionStays(t *testing.T) {
	x := NewStrings()
	id := x.Hold("a")
	frozen := x.Freeze()
	x.Release(id)
	if x.Hold("b") != id {
		t.Error("the position of a released string is not reused")
	}
	if frozen.String(id) != "a" || frozen.Find("a") != id || frozen.Find("b") != None {
		t.Errorf("the frozen version has changed: %q", frozen.String(id))
	}
	fork := frozen.Fork()
	fork.Release(id)
	if x.String(id) != "b" || fork.Len() != 0 {
		t.Error("the fork and its origin share strings")
	}
}
