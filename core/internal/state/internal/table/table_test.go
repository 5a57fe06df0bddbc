package table

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestTable_ReusesSlotWithNewGeneration(t *testing.T) {
	rows := New[int64]()
	first := rows.Add(1)
	ref := rows.Ref(first)
	rows.Free(first)
	if id := rows.Resolve(ref); id != None {
		t.Errorf("the reference resolves to %d after the row was freed", id)
	}
	if second := rows.Add(2); second != first || rows.Resolve(ref) != None || rows.Resolve(rows.Ref(second)) != second {
		t.Errorf("the second row has ID %d and references %d, %d, expected ID %d", second, rows.Resolve(ref), rows.Resolve(rows.Ref(second)), first)
	}
}

func TestTable_HasNoRowNone(t *testing.T) {
	rows := New[int64]()
	if rows.Has(None) || rows.Add(1) == None || rows.Has(None) || rows.Has(2) {
		t.Error("a row exists that was not added")
	}
}

func TestTable_RefusesToFreeTwice(t *testing.T) {
	rows := New[int64]()
	id := rows.Add(1)
	rows.Free(id)
	mustPanic(t, func() { rows.Free(id) })
}

func mustPanic(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("expected a panic")
		}
	}()
	f()
}

func TestTable_RefusesRowsWithPointers(t *testing.T) {
	type inner struct{ names [2]string }
	type holder struct {
		n int
		i inner
	}
	_ = holder{n: 1, i: inner{names: [2]string{}}}
	for _, err := range []error{Flat[*int](), Flat[[]int](), Flat[map[int]int](), Flat[func()](), Flat[string](), Flat[any](), Flat[chan int](), Flat[holder]()} {
		if err == nil {
			t.Error("a type with pointers passes")
		}
	}
	if err := Flat[holder](); !strings.Contains(err.Error(), "holder.i.names[]: expected a type without pointers, found string") {
		t.Errorf("the error does not name the field: %v", err)
	}
	if err := Flat[row](); err != nil {
		t.Error(err)
	}
	mustPanic(t, func() { New[holder]() })
}

// A version may be read and forked while its table and other forks of it change.
func TestFrozen_ReadBesideEdits(t *testing.T) {
	l := newLineage()
	random := 1
	draw := func(n int) int { random = (random*1103515245 + 12345) & (1<<31 - 1); return random >> 8 % n }
	for range 2000 {
		l.step(draw)
	}
	v := l.freeze()
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			fork, random := v.fork(), 7
			for range 500 {
				fork.step(func(n int) int { random = (random*1103515245 + 12345) & (1<<31 - 1); return random >> 8 % n })
			}
			if err := v.differs(); err != nil {
				t.Error(err)
			}
		})
	}
	for range 500 {
		l.step(draw)
	}
	wait.Wait()
}

// A slice of pages may have spare capacity, which a table and its forks share.
func TestForks_AppendPagesApart(t *testing.T) {
	a, lanes := newArray[int](), NewVectors(1)
	for i := range ID(3) {
		a.growPage()
		lanes.Edit(i * vectorRows)
	}
	a.pages, lanes.pages = append(make([]page[int], 0, 9), a.pages...), append(make([]vectorPage, 0, 9), lanes.pages...)
	frozen, frozenLanes := a.freeze(), lanes.Freeze()
	b, c := frozen.fork(), frozen.fork()
	x, y := frozenLanes.Fork(), frozenLanes.Fork()
	for i, each := range []*array[int]{&a, &b, &c} {
		each.growPage()
		*each.edit(3 * pageRows) = i
	}
	for i, each := range []*Vectors{lanes, x, y} {
		each.Edit(3 * vectorRows)[0] = int64(i)
	}
	if a.at(3*pageRows) != 0 || b.at(3*pageRows) != 1 || c.at(3*pageRows) != 2 {
		t.Errorf("arrays append %d, %d and %d, expected 0, 1 and 2", a.at(3*pageRows), b.at(3*pageRows), c.at(3*pageRows))
	}
	if i := ID(3 * vectorRows); lanes.At(i, 0) != 0 || x.At(i, 0) != 1 || y.At(i, 0) != 2 {
		t.Errorf("vectors append %d, %d and %d, expected 0, 1 and 2", lanes.At(i, 0), x.At(i, 0), y.At(i, 0))
	}
}

func TestVectors_WidthsGrowInSteps(t *testing.T) {
	for types, want := range map[int]int{0: 4, 4: 4, 5: 8, 9: 16, 16: 16, 17: 32, 33: 48} {
		if got := widthFor(types); got != want {
			t.Errorf("%d types get %d lanes, expected %d", types, got, want)
		}
	}
}

func TestTexts_StayAtTheirPeak(t *testing.T) {
	x := NewTexts()
	const kept = 100
	var ids [kept]ID
	random := uint32(1)
	churn := func(rounds int) uint32 {
		for range rounds {
			random = random*1664525 + 1013904223
			i := random >> 8 % kept
			x.Free(ids[i])
			ids[i] = x.Add(strings.Repeat("y", int(random>>16%200)))
		}
		return x.chunks.n
	}
	const most = kept*(200/chunkBytes+1) + 1
	if n := churn(50_000); n > most {
		t.Errorf("the texts take %d chunks, and %d if all were as long as the longest", n, most)
	}
}

func TestIndex_KeepsKeysThroughGrowthAndRemoval(t *testing.T) {
	x, keys := NewIndex(), make([]string, 20_000)
	for i := range keys {
		keys[i] = fmt.Sprint("key-", i)
		x.Add(keys[i], ID(i+1))
	}
	for i := 0; i < len(keys); i += 2 {
		x.Remove(keys[i], ID(i+1))
	}
	used := 0
	for i := range x.segments.n {
		used += int(x.segments.at(i).used)
	}
	if used != len(keys)/2 || x.Len() != used || int(x.segments.n) > len(keys)/(segmentFull/2)+1 {
		t.Errorf("%d segments count %d entries of %d, expected %d entries", x.segments.n, used, x.Len(), len(keys)/2)
	}
	for i, key := range keys {
		want := None
		if i%2 == 1 {
			want = ID(i + 1)
		}
		if got := x.Find(key, func(id ID) bool { return keys[id-1] == key }); got != want {
			t.Fatalf("%s is %d, expected %d", key, got, want)
		}
	}
}

// Keys with equal hashes are in one segment. Some of their homes are at its end, so their entries wrap around.
func TestIndex_RemoveMovesEntriesAcrossTheEnd(t *testing.T) {
	x := NewIndex()
	last := uint32(0xffff_ffff)
	key := keyWith(x, last>>23)
	for id := ID(1); id <= 5; id++ { // all but the first are at the start of the segment
		insert(x.entries.editPage(0), home(x.hash(key)), entry{x.hash(key), id})
		x.segments.edit(0).used++
	}
	x.Remove(key, 1)
	for id := ID(2); id <= 5; id++ {
		if got := x.Find(key, func(found ID) bool { return found == id }); got != id {
			t.Errorf("row %d is not found after the removal of another", id)
		}
	}
}

// keyWith returns a key with a given home.
func keyWith(x *Index, at uint32) string {
	for i := 0; ; i++ {
		if key := fmt.Sprint(i); home(x.hash(key)) == at {
			return key
		}
	}
}
