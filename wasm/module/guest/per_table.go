package guest

import (
	"weak"

	"github.com/quern-project/quern/core/policy"
)

// PerTable holds a value for each of a scheduler's tables without keeping the table alive. A table is identified by the
// batch that it always asks with. Values of collected tables are swept from time to time. The zero value is empty.
type PerTable[V any] struct {
	values  map[weak.Pointer[policy.Batch]]V
	sweepAt int
}

// minSweep is the number of values at which the first sweep happens.
const minSweep = 64

// Get returns the value of a table, or the zero value.
func (t *PerTable[V]) Get(b *policy.Batch) V { return t.values[weak.Make(b)] }

// Put sets the value of a table.
func (t *PerTable[V]) Put(b *policy.Batch, v V) {
	if t.values == nil {
		t.values, t.sweepAt = map[weak.Pointer[policy.Batch]]V{}, minSweep
	}
	if len(t.values) >= t.sweepAt {
		t.sweep()
	}
	t.values[weak.Make(b)] = v
}

// Drop removes the value of a table.
func (t *PerTable[V]) Drop(b *policy.Batch) { delete(t.values, weak.Make(b)) }

// Clear removes all values.
func (t *PerTable[V]) Clear() { clear(t.values) }

// sweep removes the values of collected tables. The next sweep comes when the number of values has doubled.
func (t *PerTable[V]) sweep() {
	for key := range t.values {
		if key.Value() == nil {
			delete(t.values, key)
		}
	}
	t.sweepAt = max(minSweep, 2*len(t.values))
}
