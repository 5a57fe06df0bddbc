package scheduler_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/quern-project/quern/core/scheduler"
	"pgregory.net/rapid"
)

// place is the position of a value in decoded JSON.
type place struct {
	object map[string]any
	key    string
	list   []any
	index  int
}

func (p place) value() any {
	if p.object != nil {
		return p.object[p.key]
	}
	return p.list[p.index]
}

func (p place) set(v any) {
	if p.object != nil {
		p.object[p.key] = v
	} else {
		p.list[p.index] = v
	}
}

// places lists all positions below a value, in a fixed order.
func places(v any) []place {
	var out []place
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = append(append(out, place{object: v, key: k}), places(v[k])...)
		}
	case []any:
		for i := range v {
			out = append(append(out, place{list: v, index: i}), places(v[i])...)
		}
	}
	return out
}

// changed generates another value for a position: a value of the same kind from elsewhere, a bound, or a longer or shorter list.
func changed(t *rapid.T, from any, all []place) any {
	switch v := from.(type) {
	case json.Number:
		n, _ := v.Int64()
		return rapid.SampledFrom([]int64{n + 1, n - 1, 0, 1, -1, n * 2, math.MaxInt64, math.MinInt64}).Draw(t, "number")
	case string:
		var texts []string
		for _, p := range all {
			if s, ok := p.value().(string); ok {
				texts = append(texts, s)
			}
		}
		return rapid.SampledFrom(append(texts, "", "root", "other")).Draw(t, "text")
	case bool:
		return !v
	case []any:
		if len(v) == 0 {
			return nil
		}
		i := rapid.IntRange(0, len(v)-1).Draw(t, "item")
		if rapid.Bool().Draw(t, "twice") {
			return append(slices.Clone(v), v[i])
		}
		return slices.Delete(slices.Clone(v), i, i+1)
	case map[string]any:
		return nil
	default:
		return rapid.SampledFrom([]any{[]any{}, map[string]any{}, nil}).Draw(t, "instead of null")
	}
}

func TestNoContentOfASnapshotMakesAPanic(t *testing.T) {
	snapshots := [][]byte{eventful(t).Snapshot(), gangs(t).Snapshot(), snapshotOfDynamicQueues(t), overMax(t).Snapshot()}
	taken := 0
	rapid.Check(t, func(t *rapid.T) {
		var root any
		d := json.NewDecoder(bytes.NewReader(content(rapid.SampledFrom(snapshots).Draw(t, "snapshot"))))
		d.UseNumber()
		if err := d.Decode(&root); err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 3).Draw(t, "edits") {
			all := places(root)
			p := all[rapid.IntRange(0, len(all)-1).Draw(t, "place")]
			p.set(changed(t, p.value(), all))
		}
		body, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if p := recover(); p != nil {
				t.Fatalf("panic: %v, on\n%s\n%s", p, body, debug.Stack())
			}
		}()
		s, err := scheduler.Restore(sealed(body), unsteadyOptions())
		if err != nil {
			return
		}
		taken++
		again, err := scheduler.Restore(s.Snapshot(), unsteadyOptions())
		if err != nil {
			t.Fatalf("what was restored once is refused: %v\n%s", err, body)
		}
		if !bytes.Equal(s.Snapshot(), again.Snapshot()) {
			t.Fatalf("restored once\n%s\ntwice\n%s", s.Snapshot(), again.Snapshot())
		}
		goOn(s)
	})
	if taken == 0 {
		t.Error("every content was refused: nothing was shown")
	}
}
