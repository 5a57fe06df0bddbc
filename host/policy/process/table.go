package process

import (
	"container/list"
	"slices"
	"weak"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/sdk/abi"
	"github.com/quern-project/quern/sdk/goplugin/wire"
)

// table is what the host knows of a batch: which part of it was sent to which instance.
type table struct {
	key    weak.Pointer[policy.Batch]
	id     uint64    // on the wire
	holder *instance // has its columns; nil: none
	epoch  uint64    // of the batch, as sent
	rows   int       // there were; there are never fewer in an epoch
	unsent []int32   // rows that were written since
	queued []bool    // the row is in unsent
}

// tables finds tables by the address of their batch. It does not keep batches alive; one that is gone is the first to go
// from here, as no reader asks for it. The bound is that of the plugin, which forgets the same ones.
type tables struct {
	byBatch map[weak.Pointer[policy.Batch]]*list.Element
	order   *list.List // of *table, the latest first
	last    uint64     // id that was given out
}

func newTables() tables {
	return tables{byBatch: map[weak.Pointer[policy.Batch]]*list.Element{}, order: list.New()}
}

// of is the table of a batch, new where there was none.
func (ts *tables) of(b *policy.Batch) *table {
	key := weak.Make(b)
	if e, ok := ts.byBatch[key]; ok {
		ts.order.MoveToFront(e)
		return e.Value.(*table)
	}
	if ts.order.Len() >= wire.MaxTables {
		delete(ts.byBatch, ts.order.Remove(ts.order.Back()).(*table).key)
	}
	ts.last++
	t := &table{key: key, id: ts.last}
	ts.byBatch[key] = ts.order.PushFront(t)
	return t
}

// follow takes in what the batch says about itself, in every call about it, asked or not.
func (t *table) follow(b *policy.Batch, running *instance, rows int) {
	if t.holder != running || t.epoch != b.Epoch || rows < t.rows {
		t.sent(nil)
	}
	t.epoch, t.rows = b.Epoch, rows
	if t.holder == nil {
		return // all of it will be sent
	}
	for _, row := range b.Changed {
		t.queued = lengthen(t.queued, int(row)+1)
		if !t.queued[row] {
			t.queued[row] = true
			t.unsent = append(t.unsent, row)
		}
	}
}

// sent notes who has the columns as they are now.
func (t *table) sent(holder *instance) {
	t.holder = holder
	for _, row := range t.unsent {
		t.queued[row] = false
	}
	t.unsent = t.unsent[:0]
}

// delta is the request about a batch: what changed, or all of it if no instance has it.
func (t *table) delta(b *policy.Batch, rows int) wire.Delta {
	d := wire.Delta{Header: wire.Header{Table: t.id, Epoch: b.Epoch, Point: pointNumber(b.Point), Keys: uint32(b.Keys), Rows: uint32(rows)},
		Cols: b.Cols, Changed: t.unsent, Asked: b.Rows}
	if t.holder == nil {
		d.Flags, d.Changed, d.Descriptors = wire.Full, nil, descriptors(b.Columns)
	}
	if dense(b.Rows, rows) {
		d.Flags |= wire.Dense
	}
	return d
}

// dense reports whether the rows are all there are, in order.
func dense(asked []int32, rows int) bool {
	if len(asked) != rows {
		return false
	}
	for i, row := range asked {
		if int(row) != i {
			return false
		}
	}
	return true
}

func descriptors(columns []policy.Column) []wire.Column {
	out := make([]wire.Column, len(columns))
	for i, c := range columns {
		out[i] = wire.Column{ID: abi.ColumnID(c.Kind), Arg: c.ArgCode}
	}
	return out
}

func pointNumber(name policy.Point) uint32 {
	return uint32(1 + slices.IndexFunc(abi.Points[:], func(p abi.Point) bool { return p.Name == string(name) }))
}

func lengthen[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	return append(s, make([]T, n-len(s))...)
}
