// Package tables keeps something for each table of a scheduler, without keeping the table alive.
package tables

import (
	"weak"

	"github.com/quern-project/quern/core/policy"
)

// Of keeps a value for each table, which is known by the batch that it always asks with. Values of tables that are gone go
// from time to time. The zero value is empty.
type Of[V any] struct {
	values  map[weak.Pointer[policy.Batch]]V
	sweepAt int
}

// fewest is how many there are before any is looked for that is gone.
const fewest = 64

// Get returns what is kept for a table, the zero value where nothing is.
func (t *Of[V]) Get(b *policy.Batch) V { return t.values[weak.Make(b)] }

// Put keeps a value for a table.
func (t *Of[V]) Put(b *policy.Batch, v V) {
	if t.values == nil {
		t.values, t.sweepAt = map[weak.Pointer[policy.Batch]]V{}, fewest
	}
	if len(t.values) >= t.sweepAt {
		t.sweep()
	}
	t.values[weak.Make(b)] = v
}

// Drop forgets a table.
func (t *Of[V]) Drop(b *policy.Batch) { delete(t.values, weak.Make(b)) }

// Clear forgets all.
func (t *Of[V]) Clear() { clear(t.values) }

// sweep forgets tables that are gone, and waits until there are twice as many as are left.
func (t *Of[V]) sweep() {
	for key := range t.values {
		if key.Value() == nil {
			delete(t.values, key)
		}
	}
	t.sweepAt = max(fewest, 2*len(t.values))
}
