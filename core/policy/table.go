package policy

import (
	"cmp"
	"slices"
)

// Source provides the columns of items.
type Source interface {
	// Fill writes the columns of one row: cols[i][row] for each declared column i.
	Fill(row int32, columns []Column, cols [][]float64)
	Namer
}

// Table keeps the columns and answers of the items of one batch, and which of them the policy has to be asked about.
type Table struct {
	acting   *Acting
	epoch    uint64
	fresh    bool // there was no call yet
	batch    Batch
	marks    []marks // by row
	rows     int     // number of live rows
	all      []int32 // rows to answer, if answers depend on siblings
	dropped  bool    // a row was removed, so its siblings have to be asked about
	deferred []int32 // rows that changed in this round, and will be asked about in the next
	roundAt  uint64  // SymbolTable.Made when the round began
	constant bool    // columns never change, see PointSpec.constant
}

// marks are the flags of a row.
type marks uint8

const (
	rowLive     marks = 1 << iota
	rowQueued         // in batch.Changed
	rowAsked          // the policy has been asked about it
	rowDeferred       // in deferred
)

// NewTable makes an empty table for a policy.
func NewTable(a *Acting) *Table {
	return &Table{acting: a, fresh: true, epoch: a.epoch}
}

// Acting returns the policy that the table asks.
func (t *Table) Acting() *Acting { return t.acting }

// Keys returns the number of keys of an item under the current module.
func (t *Table) Keys() int { return t.acting.Spec().Keys }

// Settled reports whether columns never change, so that a row need not be touched again once the policy was asked about it.
func (t *Table) Settled() bool { return t.constant }

// Touch adds a row, or marks it as changed.
func (t *Table) Touch(row int32) {
	for int(row) >= len(t.marks) {
		t.marks = append(t.marks, 0)
	}
	if t.marks[row]&rowLive == 0 {
		t.marks[row] |= rowLive
		t.rows++
	}
	t.queue(row)
}

func (t *Table) queue(row int32) {
	if t.marks[row]&rowQueued == 0 {
		t.marks[row] |= rowQueued
		t.batch.Changed = append(t.batch.Changed, row)
	}
}

// Drop removes a row.
func (t *Table) Drop(row int32) {
	if int(row) < len(t.marks) && t.marks[row]&rowLive != 0 {
		t.rows--
		if t.marks[row]&rowAsked != 0 {
			t.batch.Dropped = append(t.batch.Dropped, row)
		}
		t.marks[row] &^= rowLive | rowAsked
		if t.acting.Spec().Depends == OnSiblings {
			t.dropped = true
		}
	}
}

// Asked reports whether the policy has been asked about the current state of a row.
func (t *Table) Asked(row int32) bool {
	return int(row) < len(t.marks) && t.marks[row]&(rowAsked|rowQueued) == rowAsked && t.epoch == t.acting.epoch
}

// Retouch marks a row as changed, if there is one.
func (t *Table) Retouch(row int32) {
	if int(row) < len(t.marks) && t.marks[row]&rowLive != 0 {
		t.queue(row)
	}
}

// TouchAll marks all rows as changed.
func (t *Table) TouchAll() {
	for row, m := range t.marks {
		if m&rowLive != 0 {
			t.queue(int32(row))
		}
	}
}

// Stale reports whether Flush would do anything.
func (t *Table) Stale() bool {
	return len(t.batch.Changed) > 0 || t.dropped && t.rows > 0 || t.epoch != t.acting.epoch
}

// Epoch is incremented when all rows are asked about again because another module answers.
func (t *Table) Epoch() uint64 { return t.batch.Epoch }

// Flush asks about the changed rows, or about all if answers depend on siblings, and calls changed with each of them and its keys. If
// another module answers than before, it asks about all rows, and the number of keys may differ.
func (t *Table) Flush(src Source, changed func(row int32, keys []float64)) {
	if !t.Stale() {
		return
	}
	if t.answersHold() {
		t.repeat(changed)
		return
	}
	t.prepare(src)
	if err := t.acting.ask(&t.batch); err != nil {
		t.acting.OnFault(t.acting, err)
		t.prepare(src)
		if err := t.acting.ask(&t.batch); err != nil {
			panic("policy: a built-in policy failed: " + err.Error())
		}
	}
	for _, row := range t.batch.Changed {
		t.marks[row] = t.marks[row]&^rowQueued | rowAsked
	}
	t.batch.Changed, t.batch.Dropped, t.dropped = t.batch.Changed[:0], t.batch.Dropped[:0], false
	k := t.batch.Keys
	for _, row := range t.batch.Rows {
		changed(row, t.batch.Out[int(row)*k:int(row)*k+k])
	}
}

// FlushWithout is Flush with Batch.Gone set.
func (t *Table) FlushWithout(gone []string, src Source, changed func(row int32, keys []float64)) {
	t.batch.Gone = gone
	t.Flush(src, changed)
	t.batch.Gone = nil
}

// answersHold reports whether the answers of the round are still valid: it is not over, and all changed rows have an answer.
func (t *Table) answersHold() bool {
	round := t.acting.round()
	if round <= 1 || t.fresh || t.epoch != t.acting.epoch || t.acting.Symbols.Made-t.roundAt >= round {
		return false
	}
	for _, row := range t.batch.Changed {
		if t.marks[row]&(rowLive|rowAsked) == rowLive {
			return false
		}
	}
	return true
}

// repeat calls changed with the previous answers of the changed rows, and defers these rows to the next round.
func (t *Table) repeat(changed func(row int32, keys []float64)) {
	k := t.batch.Keys
	for _, row := range t.batch.Changed {
		t.marks[row] &^= rowQueued
		if t.marks[row]&rowLive == 0 {
			continue
		}
		if t.marks[row]&rowDeferred == 0 {
			t.marks[row] |= rowDeferred
			t.deferred = append(t.deferred, row)
		}
		changed(row, t.batch.Out[int(row)*k:int(row)*k+k])
	}
	t.batch.Changed = t.batch.Changed[:0]
}

// queueDeferred begins a round: it queues the deferred rows.
func (t *Table) queueDeferred() {
	for _, row := range t.deferred {
		t.marks[row] &^= rowDeferred
		t.queue(row)
	}
	t.deferred = t.deferred[:0]
	if t.acting.Symbols != nil {
		t.roundAt = t.acting.Symbols.Made
	}
}

// prepare prepares the batch for a call: it writes the changed rows, and lists the rows to answer.
func (t *Table) prepare(src Source) {
	spec := t.acting.Spec()
	begins := t.epoch != t.acting.epoch || t.fresh
	if begins {
		t.restart(spec)
	}
	t.queueDeferred()
	t.compact()
	if (begins || spec.ofOtherNodes) && t.acting.Recorded {
		byName(src, t.batch.Changed)
	}
	t.batch.Items = src
	if n := len(t.marks); len(t.batch.Out) < n*spec.Keys {
		t.grow(n, spec.Keys)
	}
	for _, row := range t.batch.Changed {
		src.Fill(row, spec.Columns, t.batch.Cols)
	}
	if t.acting.Symbols != nil {
		t.batch.Texts = t.acting.Symbols.texts
	}
	t.batch.Rows = t.batch.Changed
	if spec.Depends == OnSiblings {
		t.listAll()
		if t.acting.Recorded {
			byName(src, t.all)
		}
		t.batch.Rows = t.all
	}
}

func byName(src Namer, rows []int32) {
	slices.SortFunc(rows, func(a, b int32) int { return cmp.Compare(src.Name(a), src.Name(b)) })
}

// restart initializes the batch for the current module.
func (t *Table) restart(spec *PointSpec) {
	t.epoch, t.fresh = t.acting.epoch, false
	t.batch.Point, t.batch.Keys, t.batch.Depends = t.acting.Point, spec.Keys, spec.Depends
	t.batch.Columns, t.batch.Cols = spec.Columns, make([][]float64, len(spec.Columns))
	t.batch.Epoch++
	t.constant = spec.constant()
	t.batch.Out = nil
	t.TouchAll()
}

// listAll lists all live rows.
func (t *Table) listAll() {
	t.all = t.all[:0]
	for row, m := range t.marks {
		if m&rowLive != 0 {
			t.all = append(t.all, int32(row))
		}
	}
}

// grow extends columns and answers to n rows.
func (t *Table) grow(n, keys int) {
	for i, col := range t.batch.Cols {
		t.batch.Cols[i] = append(col, make([]float64, n-len(col))...)
	}
	t.batch.Out = append(t.batch.Out, make([]float64, n*keys-len(t.batch.Out))...)
}

// compact removes rows from Changed that were dropped after they had changed.
func (t *Table) compact() {
	kept := t.batch.Changed[:0]
	for _, row := range t.batch.Changed {
		if t.marks[row]&rowLive != 0 {
			kept = append(kept, row)
		} else {
			t.marks[row] &^= rowQueued
		}
	}
	t.batch.Changed = kept
}
