package registry

import (
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core/policy"
)

// round is a copy of what changed in a table, and of what the acting module answered.
type round struct {
	seen    chan struct{} // no round: closed when those before it were seen
	table   *policy.Batch // its identity; not read
	at      time.Duration
	head    policy.Batch // everything but rows, columns and answers
	size    int          // rows of the table
	dropped []int32      // before rows changed: one that is in both came again
	changed []int32
	names   []string
	cols    [][]float64 // of the changed rows
	rows    []int32     // asked about
	answers []float64   // of these
}

// debt is what the shadow was not told of a table: since it lagged behind, or since there was nothing to compare.
type backlog struct {
	epoch            uint64 // of the batch; with another one every row is written again, and the debt is void
	changed, dropped map[int32]bool
}

// owe keeps what a round would have told. Every row that is owed as changed exists: one that goes is taken out.
func (h *shadowRunner) postpone(b *policy.Batch, r *round) {
	d := h.backlogOf(b)
	if d == nil {
		d = &backlog{b.Epoch, map[int32]bool{}, map[int32]bool{}}
		h.backlogs.Put(b, d)
	}
	for _, row := range r.dropped {
		d.dropped[row] = true
		delete(d.changed, row)
	}
	for _, row := range r.changed {
		d.changed[row] = true
	}
}

// backlogOf is what the shadow is owed of a table.
func (h *shadowRunner) backlogOf(b *policy.Batch) *backlog {
	if d := h.backlogs.Get(b); d != nil && d.epoch == b.Epoch {
		return d
	}
	h.backlogs.Drop(b)
	return nil
}

// copy makes a round of a batch b, of which the shadow sees the columns of v, and of what is owed.
func (h *shadowRunner) copy(b, v *policy.Batch, now time.Duration) *round {
	r := &round{table: b, at: now, head: *v, size: len(b.Out) / b.Keys, dropped: slices.Clone(b.Dropped), changed: slices.Clone(b.Changed), rows: slices.Clone(b.Rows)}
	r.head.Items = nil // the scheduler's own
	r.settle(h.backlogOf(b))
	for _, from := range v.Cols {
		col := make([]float64, len(r.changed))
		for j, row := range r.changed {
			col[j] = from[row]
		}
		r.cols = append(r.cols, col)
	}
	for _, row := range r.changed {
		r.names = append(r.names, b.Items.Name(row))
	}
	for _, row := range r.rows {
		r.answers = append(r.answers, b.Out[int(row)*b.Keys:(int(row)+1)*b.Keys]...)
	}
	return r
}

// settle adds to a round what the shadow is owed, except rows that went since then.
func (r *round) settle(d *backlog) {
	if d == nil {
		return
	}
	for _, row := range r.dropped {
		delete(d.changed, row)
	}
	for row := range d.changed {
		r.changed = append(r.changed, row)
		r.rows = append(r.rows, row)
	}
	r.dropped = slices.AppendSeq(r.dropped, maps.Keys(d.dropped))
	for _, list := range []*[]int32{&r.dropped, &r.changed, &r.rows} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
}
