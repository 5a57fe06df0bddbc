package ledger

import (
	"fmt"
	"maps"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"
)

func TestATableFindsTheAsksThatAreAlive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table askTable
		alive := map[uint64]*Ask{}
		for range rapid.IntRange(1, 400).Draw(t, "steps") {
			if len(alive) == 0 || rapid.Float64Range(0, 1).Draw(t, "add") < 0.6 {
				a := &Ask{}
				table.add(a)
				a.ID = fmt.Sprint(table.last)
				alive[table.last] = a
				continue
			}
			// Several asks in a row are removed at once, so that whole pages are.
			for n := min(rapid.Uint64Range(1, 90).Draw(t, "gone"), table.last); n > 0; n-- {
				if a := alive[table.last+1-n]; a != nil {
					table.remove(a)
					delete(alive, table.last+1-n)
				}
			}
		}
		named := map[string]*Ask{}
		for submission, a := range alive {
			named[a.ID] = a
			if found := table.at(submission); found != a {
				t.Fatalf("%d: expected %p, found %p", submission, a, found)
			}
		}
		if table.alive != len(alive) || !maps.Equal(table.byID(), named) {
			t.Fatalf("expected %d asks, found %d, by ID %d", len(alive), table.alive, len(table.byID()))
		}
		if len(table.pages) > 0 && table.pages[0] == nil || len(alive) == 0 && len(table.pages) > 0 {
			t.Fatalf("%d pages are kept in front of %d asks", len(table.pages), len(alive))
		}
	})
}
