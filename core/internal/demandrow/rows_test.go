package demandrow_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/resource"
)

// everything is a search that passes all rows that its bits and room permit.
func everything(bits uint64, room resource.Vec) *demandrow.Search {
	all := demandrow.Bound{Bits: bits, Room: room}
	return &demandrow.Search{ShrinkEpoch: 100, Open: true, Any: all, Grown: all, Headroom: room, Beyond: room, Reserve: bits, DueBy: 3}
}

func TestRowsAreJudgedAndSummedUpAsInAnIndex(t *testing.T) {
	const width = 3
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 2, 16, 17, 40, 300}).Draw(t, "slots")
		rows, x := demandrow.NewRows(n, width), demandrow.NewIndex(2, width)
		inside, summary := demandrow.NewRow(width), fmt.Sprint(rows.Summary())
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			slot := rapid.Int32Range(0, int32(n-1)).Draw(t, "slot")
			w := &wait{bit: 1 << rapid.IntRange(0, 3).Draw(t, "bit"), oldest: time.Duration(rapid.IntRange(0, 5).Draw(t, "oldest")), reserves: true}
			w.demand = resource.Vec{rapid.Int64Range(0, 4).Draw(t, "demand"), rapid.Int64Range(0, 4).Draw(t, "demand"), 0}
			w.started, w.changed = rapid.Bool().Draw(t, "started"), uint64(rapid.IntRange(0, 9).Draw(t, "changed"))
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0:
				rows.Clear(slot)
				if x.Has(slot) {
					x.Remove(slot)
				}
			case 1:
				if x.Has(slot) {
					rows.SetFailed(slot, 100)
					x.Put(slot, x.Key(slot), rows.Of(slot))
				}
			default:
				inside = w.row()
				o := demandrow.Outside{Priority: rapid.Int32().Draw(t, "priority"), Failed: uint64(rapid.IntRange(0, 9).Draw(t, "failed")),
					Changed: uint64(rapid.IntRange(0, 9).Draw(t, "changed")), Started: rapid.Uint64Range(0, 15).Draw(t, "classes"), Fresh: math.MaxUint64}
				rows.Set(slot, &inside, o)
				w.priority, w.failed, w.changed = o.Priority, o.Failed, max(w.changed, o.Changed)
				if w.started {
					w.bit &= o.Started
				}
				expected := w.row()
				expected.Put(x, slot, []int64{int64(slot), 0})
				if rows.Priority(slot) != o.Priority {
					t.Fatalf("the priority is %d, expected %d", rows.Priority(slot), o.Priority)
				}
			}
			found := rows.Summary()
			expected := demandrow.NewRow(width)
			expected.Of(x)
			if expected.Of(x) {
				t.Fatal("a row changes when the same is copied again")
			}
			if changed := fmt.Sprint(found) != summary; changed != rows.TakeChanged() {
				t.Fatalf("the summary changed from %s to %v: the rows say otherwise", summary, found)
			}
			summary = fmt.Sprint(found)
			if fmt.Sprint(found) != fmt.Sprint(expected) {
				t.Fatalf("the summary is %v, expected %v", found, expected)
			}
		}
		s := everything(rapid.Uint64Range(0, 15).Draw(t, "bits"), resource.Vec{rapid.Int64Range(0, 4).Draw(t, "room"), 4, 4})
		s.Overtaken = func(time.Duration, int32) bool { return false }
		first := index.None
		for slot := range int32(n) {
			if first == index.None && s.Pass(rows.Of(slot)) {
				first = slot
			}
		}
		if expected := x.First(s.Pass, nil); first != expected {
			t.Fatalf("the first that passes is %d, expected %d", first, expected)
		}
		if sum := rows.Summary(); first != index.None && !s.PassRow(&sum) {
			t.Fatal("the summary is passed over, a row in it is not")
		}
	})
}
