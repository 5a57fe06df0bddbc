package demandrow_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"

	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/resource"
)

// wait is a plain model of a row.
type wait struct {
	bit      uint64
	demand   resource.Vec
	oldest   time.Duration
	reserves bool
	started  bool
	failed   uint64
	changed  uint64
	priority int32
}

func (w *wait) row() demandrow.Row {
	r := demandrow.NewRow(len(w.demand))
	r.Class(w.bit, w.demand.Amounts(), w.oldest, w.priority)
	if !w.reserves {
		r.NoReserve()
	}
	if !w.started {
		r.NotStarted()
	}
	r.Failed(w.failed)
	r.SetChanged(w.changed)
	return r
}

func (w *wait) within(room resource.Vec) bool {
	for t, d := range w.demand {
		if d > room[t] {
			return false
		}
	}
	return true
}

// passes is the obvious implementation of Search.Pass.
func (w *wait) passes(s *demandrow.Search) bool {
	if w.failed >= s.ShrinkEpoch || s.NoNew && !w.started {
		return false
	}
	due := w.reserves && w.bit&s.Reserve != 0 && int64(w.oldest) <= s.DueBy
	for t, d := range w.demand {
		if d > s.Headroom[t] {
			return due && w.within(s.Beyond) && s.Overtaken(w.oldest, w.priority)
		}
	}
	if due {
		return true
	}
	b := s.Grown
	if s.Open || w.changed > s.Exhausted {
		b = s.Any
	}
	for t, d := range w.demand {
		if d > b.Room[t] {
			return false
		}
	}
	return w.bit&b.Bits != 0
}

func TestASearchFindsTheFirstThatPassesAndSkipsNone(t *testing.T) {
	const width = 4
	rapid.Check(t, func(t *rapid.T) {
		vec := func(what string) resource.Vec {
			v := make(resource.Vec, width)
			for i := range 2 {
				v[i] = rapid.Int64Range(0, 4).Draw(t, what)
			}
			return v
		}
		x := demandrow.NewIndex(2, width)
		waits := make([]wait, rapid.IntRange(0, 60).Draw(t, "waits"))
		for i := range waits {
			w := &waits[i]
			w.bit, w.demand = 1<<rapid.IntRange(0, 3).Draw(t, "bit"), vec("demand")
			w.oldest = time.Duration(rapid.IntRange(0, 5).Draw(t, "oldest"))
			w.reserves, w.started = rapid.Bool().Draw(t, "reserves"), rapid.Bool().Draw(t, "started")
			w.priority = rapid.Int32Range(0, 3).Draw(t, "priority")
			w.failed, w.changed = uint64(rapid.IntRange(0, 9).Draw(t, "failed")), uint64(rapid.IntRange(0, 9).Draw(t, "changed"))
			r := w.row()
			r.Put(x, int32(i), []int64{int64(i), 0})
		}
		bound := func(what string) demandrow.Bound {
			return demandrow.Bound{Bits: rapid.Uint64Range(0, 15).Draw(t, what), Room: vec(what)}
		}
		s := &demandrow.Search{ShrinkEpoch: uint64(rapid.IntRange(1, 10).Draw(t, "shrinkEpoch")), Exhausted: uint64(rapid.IntRange(0, 9).Draw(t, "settled")),
			Open: rapid.Bool().Draw(t, "open"), NoNew: rapid.Bool().Draw(t, "no new"), Any: bound("any"), Grown: bound("grown"), Headroom: vec("headroom"),
			Reserve: rapid.Uint64Range(0, 15).Draw(t, "reserve"), DueBy: rapid.Int64Range(-1, 5).Draw(t, "due by")}
		s.Beyond = s.Headroom
		if rapid.Bool().Draw(t, "beyond") {
			s.Beyond = vec("beyond")
			for i := range s.Beyond {
				s.Beyond[i] += s.Headroom[i]
			}
		}
		lowest := rapid.Int32Range(0, 3).Draw(t, "lowest allocated")
		s.Overtaken = func(came time.Duration, priority int32) bool { return priority > lowest && came < 4 }
		s.Grown.Bits &= s.Any.Bits // a node that grew is some node
		for i := range s.Grown.Room {
			s.Grown.Room[i] = min(s.Grown.Room[i], s.Any.Room[i])
		}
		expected := index.None
		for i := range waits {
			if waits[i].passes(s) {
				expected = int32(i)
				break
			}
		}
		if found := x.First(s.Pass, nil); found != expected {
			t.Fatalf("found %d, expected %d of %+v by %+v", found, expected, waits, s)
		}
	})
}

func TestARowSumsUpAnIndex(t *testing.T) {
	x := demandrow.NewIndex(2, 4)
	for i, w := range []wait{
		{bit: 1, demand: resource.Vec{5, 1, 0, 0}, oldest: 7, reserves: true, started: true},
		{bit: 4, demand: resource.Vec{2, 3, 0, 0}, oldest: 9, reserves: true},
	} {
		w.priority = int32(i - 5)
		r := w.row()
		r.Put(x, int32(i), []int64{int64(i), 0})
	}
	r := demandrow.NewRow(4)
	r.Of(x)
	if r.Bits() != 5 || r.Priority() != -4 || demandrow.HighestPriority(x) != -4 {
		t.Errorf("bits %b, priority %d", r.Bits(), r.Priority())
	}
	for _, tc := range []struct {
		room    resource.Vec
		exceeds bool
	}{{resource.Vec{2, 1, 0, 0}, false}, {resource.Vec{1, 9, 9, 9}, true}, {resource.Vec{9, 0, 9, 9}, true}} {
		if r.Exceeds(tc.room) != tc.exceeds {
			t.Errorf("%v: exceeds is %v", tc.room, !tc.exceeds)
		}
	}
	r.Changed(5)
	r.Changed(3)
	if r.ChangedAt() != 5 {
		t.Errorf("the last change was %d", r.ChangedAt())
	}
	r.SetChanged(2)
	if r.ChangedAt() != 2 {
		t.Errorf("the change was replaced by %d", r.ChangedAt())
	}
	r.Hide()
	if r.Bits() != 0 {
		t.Errorf("hidden, but for %b", r.Bits())
	}
}

func TestABitOfEveryClassSurvives(t *testing.T) {
	for i := range 64 {
		w := wait{bit: 1 << i, demand: make(resource.Vec, 4), started: i%2 == 0}
		r := w.row()
		if r.Bits() != 1<<i {
			t.Errorf("bit %d became %b", i, r.Bits())
		}
	}
}
