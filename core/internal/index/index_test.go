package index

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"

	"github.com/quern-project/quern/core/internal/readonly"
)

type entry struct {
	slot  int32
	key   []int64
	lanes []int64
	word  int64
}

func (e *entry) data() []int64 { return append(slices.Clone(e.lanes), e.word) }

// model is an obvious implementation of the index.
type model []entry

func (m model) sorted() model {
	s := slices.Clone(m)
	slices.SortFunc(s, func(a, b entry) int { return compare(a.key, b.key) })
	return s
}

func TestAnIndexAnswersLikeASortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := New(2, 2, 1)
		var m model
		steps := rapid.IntRange(1, 300).Draw(t, "steps")
		slots := rapid.IntRange(1, 200).Draw(t, "slots")
		for range steps {
			slot := int32(rapid.IntRange(0, slots).Draw(t, "slot"))
			i := slices.IndexFunc(m, func(e entry) bool { return e.slot == slot })
			if i >= 0 && rapid.IntRange(0, 2).Draw(t, "remove") == 0 {
				x.Remove(slot)
				m = slices.Delete(m, i, i+1)
				continue
			}
			e := entry{slot, []int64{rapid.Int64Range(0, 9).Draw(t, "k"), int64(slot)},
				[]int64{rapid.Int64Range(-3, 9).Draw(t, "a"), rapid.Int64Range(-3, 9).Draw(t, "b")},
				1 << rapid.IntRange(0, 5).Draw(t, "bit")}
			x.Put(e.slot, e.key, e.data())
			if i >= 0 {
				m[i] = e
			} else {
				m = append(m, e)
			}
			if rapid.IntRange(0, 7).Draw(t, "look") == 0 {
				check(t, x, m)
			}
		}
		check(t, x, m)
	})
}

func check(t *rapid.T, x *Index, m model) {
	s := m.sorted()
	var got []int32
	x.Each(func(slot int32) bool { got = append(got, slot); return true })
	var want []int32
	for _, e := range s {
		want = append(want, e.slot)
	}
	if !slices.Equal(got, want) || x.Len() != len(m) {
		t.Fatalf("order %v, want %v", got, want)
	}
	needs := readonly.Of([]Need{{0, rapid.Int64Range(-4, 10).Draw(t, "n0")}, {1, rapid.Int64Range(-4, 10).Draw(t, "n1")}})
	mask := rapid.Int64Range(0, 63).Draw(t, "mask")
	first, masked := None, None
	for _, e := range s {
		if reaches(e.lanes, needs) && first == None {
			first = e.slot
		}
		if reaches(e.lanes, needs) && e.word&mask != 0 && masked == None {
			masked = e.slot
		}
	}
	pass := func(data []int64) bool { return reaches(data, needs) && data[2]&mask != 0 }
	switch rapid.IntRange(0, 2).Draw(t, "first search") { // whichever it is, it sees what was added since the last one
	case 0:
		checkFrom(t, x, s, pass)
	case 1:
		if f := x.FirstPassing(passFunc(pass)); f != masked {
			t.Fatalf("first passing is %d, want %d", f, masked)
		}
	}
	if f := x.FirstReaching(needs); f != first {
		t.Fatalf("first reaching %v is %d, want %d", needs, f, first)
	}
	if f, without := x.First(pass, nil), x.FirstPassing(passFunc(pass)); f != masked || without != masked {
		t.Fatalf("first passing is %d, without the summary %d, want %d", f, without, masked)
	}
	checkFrom(t, x, s, pass)
}

// BenchmarkMove measures one step of an allocation: find the first entry that fits, and give it a later key and less room.
func BenchmarkMove(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(name(n), func(b *testing.B) {
			x := New(2, 4, 0)
			for i := range n {
				x.Put(int32(i), []int64{0, int64(i)}, []int64{1 << 40, 1 << 40, 0, 0})
			}
			b.ReportAllocs()
			k, needs := []int64{0, 0}, readonly.Of([]Need{{0, 1}, {1, 10}})
			for i := 0; b.Loop(); i++ {
				s := x.FirstReaching(needs)
				copy(k, x.Key(s))
				k[0] += 3
				x.Put(s, k, []int64{1<<40 - k[0], 1<<40 - k[0]*10, 0, 0})
			}
		})
	}
}

func name(n int) string {
	return map[int]string{1_000: "1k", 10_000: "10k", 100_000: "100k"}[n]
}

type passFunc Pass

func (f passFunc) Pass(data []int64) bool { return f(data) }

// checkFrom compares a search from a random key with the list.
func checkFrom(t *rapid.T, x *Index, s model, pass Pass) {
	key := []int64{rapid.Int64Range(-1, 10).Draw(t, "from"), rapid.Int64Range(-1, 201).Draw(t, "slot")}
	want := None
	for _, e := range s {
		if want == None && compare(e.key, key) >= 0 && pass(e.data()) {
			want = e.slot
		}
	}
	if got := x.FirstPassingFrom(key, passFunc(pass)); got != want {
		t.Fatalf("first passing from %v is %d, want %d", key, got, want)
	}
}
