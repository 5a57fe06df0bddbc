package registry

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/policy"
)

// both is a table with the answers of both modules.
type both struct {
	spec    *policy.PointSpec // of the shadow
	batch   policy.Batch      // as the shadow gets it
	live    map[int32]bool
	unheard []int32 // rows that the shadow was asked about in a call that failed
	names   map[int32]string
	acting  map[int32][]float64
	shadow  map[int32][]float64
}

func newBoth(spec *policy.PointSpec) *both {
	return &both{spec: spec, live: map[int32]bool{}, names: map[int32]string{}, acting: map[int32][]float64{}, shadow: map[int32][]float64{}}
}

// update writes a round into the table.
func (t *both) update(r *round) {
	cols, out := t.batch.Cols, t.batch.Out
	if cols == nil {
		cols = make([][]float64, len(r.cols))
	}
	for i := range cols {
		cols[i] = widened(cols[i], r.size)
		for j, row := range r.changed {
			cols[i][row] = r.cols[i][j]
		}
	}
	keys := r.head.Keys
	t.batch = r.head
	t.batch.Keys, t.batch.Depends = t.spec.Keys, t.spec.Depends
	t.batch.Cols, t.batch.Out = cols, widened(out, r.size*t.spec.Keys)
	for _, row := range r.dropped {
		t.forget(row)
	}
	for j, row := range r.changed {
		t.live[row], t.names[row] = true, r.names[j]
	}
	t.batch.Changed = t.withUnheard(r.changed)
	t.batch.Rows, t.batch.Dropped = t.batch.Changed, r.dropped
	if t.spec.Depends == policy.OnSiblings {
		t.batch.Rows = make([]int32, 0, len(t.live))
		for row := range t.live {
			t.batch.Rows = append(t.batch.Rows, row)
		}
		slices.Sort(t.batch.Rows)
	}
	for i, row := range r.rows {
		t.acting[row] = r.answers[i*keys : (i+1)*keys]
	}
}

// forget lets a row go, whose number another item may get.
func (t *both) forget(row int32) {
	delete(t.live, row)
	delete(t.names, row)
	delete(t.acting, row)
	delete(t.shadow, row)
}

// withUnheard adds to rows that changed those that are still there and that the shadow did not answer about.
func (t *both) withUnheard(changed []int32) []int32 {
	if len(t.unheard) > 0 {
		changed = append(slices.DeleteFunc(t.unheard, func(row int32) bool { return !t.live[row] }), changed...)
		slices.Sort(changed)
		changed = slices.Compact(changed)
	}
	t.unheard = changed // until it has answered
	return changed
}

func widened(col []float64, n int) []float64 {
	if len(col) >= n {
		return col
	}
	return append(col, make([]float64, n-len(col))...)
}

// answered keeps what the shadow said.
func (t *both) answered() {
	t.unheard = nil
	k := t.batch.Keys
	for _, row := range t.batch.Rows {
		t.shadow[row] = slices.Clone(t.batch.Out[int(row)*k : (int(row)+1)*k])
	}
}

// firsts finds which items come first for either. They choose alike where some item comes first for both.
func (t *both) firsts(p policy.Point) (acting, shadow int32, same bool) {
	a, s := bestOf(t.acting, t.live, p), bestOf(t.shadow, t.live, p)
	if len(a) == 0 || len(s) == 0 {
		return 0, 0, true
	}
	for _, row := range a {
		if _, found := slices.BinarySearch(s, row); found {
			return row, row, true
		}
	}
	return a[0], s[0], false
}

// bestOf lists the rows that come first, all that are equal, by row.
func bestOf(answers map[int32][]float64, live map[int32]bool, p policy.Point) []int32 {
	var best []int32
	var keys []float64
	for row := range live {
		found := answers[row]
		if found == nil {
			continue
		}
		order := compare(found, keys, p)
		if keys == nil || order < 0 {
			best, keys = append(best[:0], row), found
		} else if order == 0 {
			best = append(best, row)
		}
	}
	slices.Sort(best)
	return best
}

// compare orders answers: the largest score first, the smallest keys, and what passes a filter before what does not.
func compare(a, b []float64, p policy.Point) int {
	switch {
	case b == nil:
		return -1
	case p == policy.NodeScore:
		return slices.Compare(b, a)
	case p == policy.NodeFilter:
		return slices.Compare([]float64{math.Min(math.Abs(a[0]), 1)}, []float64{math.Min(math.Abs(b[0]), 1)})
	}
	return slices.Compare(a, b)
}
