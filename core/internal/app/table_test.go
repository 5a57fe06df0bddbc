package app_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/quern-project/quern/core/internal/app"
)

// TestTheTableFindsWhatItHoldsAndNothingElse adds and removes many asks at a time, and compares with a map.
func TestTheTableFindsWhatItHoldsAndNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table, held := app.NewTable(), map[string]app.Ask{}
		ids := rapid.IntRange(1, 400).Draw(t, "ids")
		for range rapid.IntRange(1, 12).Draw(t, "rounds") {
			add := rapid.Bool().Draw(t, "add")
			for range rapid.IntRange(1, 300).Draw(t, "asks") {
				id := fmt.Sprint("ask-", rapid.IntRange(0, ids).Draw(t, "id"))
				switch ask := held[id]; {
				case add && ask.IsNone():
					held[id] = app.NewAsk(app.NoSlot, &app.Request{ID: id})
					table.Add(held[id])
				case !add && !ask.IsNone():
					table.Remove(ask)
					delete(held, id)
				}
			}
			for i := range ids + 1 {
				id := fmt.Sprint("ask-", i)
				if found := table.Find(id); found != held[id] {
					t.Fatalf("%s: expected %v, found %v", id, held[id], found)
				}
			}
			n := 0
			for ask := range table.All {
				if n++; held[ask.ID()] != ask {
					t.Fatalf("%s is listed, and was removed", ask.ID())
				}
			}
			if n != len(held) {
				t.Fatalf("expected %d asks, found %d", len(held), n)
			}
		}
	})
}
