package heap_test

import (
	"slices"
	"testing"

	"github.com/quern-project/quern/core/internal/heap"
	_ "github.com/quern-project/quern/internal/seeded"

	"pgregory.net/rapid"
)

type number int

func (n *number) Before(other *number) bool { return *n < *other }

func TestHeap_EqualsASortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var items []number
		var model []number
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			if len(model) > 0 && rapid.Bool().Draw(t, "pop") {
				var first number
				if first, items = heap.Pop(items); first != model[0] {
					t.Fatalf("the first is %d, want %d", first, model[0])
				}
				model = model[1:]
				continue
			}
			n := number(rapid.IntRange(0, 9).Draw(t, "number"))
			items = heap.Push(items, n)
			at, _ := slices.BinarySearch(model, n)
			model = slices.Insert(model, at, n)
		}
		if len(items) != len(model) {
			t.Fatalf("%d items are left, want %d", len(items), len(model))
		}
	})
}
