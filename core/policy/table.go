package policy

import (
	"cmp"
	"slices"
)

// Source describes items to a table.
type Source interface {
	// Fill writes the columns of one row: cols[i][row] for each declared column i.
	Fill(row int32, columns []Column, cols [][]float64)
	Namer
}

// Table keeps the columns and answers of one batch's items, and knows which of them have to be asked about.
type Table struct {
	acting  *Acting
	epoch   uint64
	fresh   bool // all rows have to be written and asked about
	batch   Batch
	marks   []marks // by row
	rows    int     // live ones
	all     []int32 // to answer, where siblings count
	dropped bool    // siblings of a row that went have to be asked about
	owed    []int32 // rows that changed in this round, and are asked about in the next
	roundAt uint64  // the allocations that had been made when the round began
	settled bool    // no column of what is asked about ever changes
}

// marks are what a table knows of a row.
type marks uint8

const (
	rowLive   marks = 1 << iota
	rowQueued       // it is in batch.Changed
	rowAsked        // the policy knows it
	rowOwed         // it is in owed
)

// NewTable makes a table of items that a policy orders.
func NewTable(a *Acting) *Table {
	return &Table{acting: a, fresh: true, epoch: a.epoch}
}

// Acting is the policy that the table asks.
func (t *Table) Acting() *Acting { return t.acting }

// Keys is the number of keys an item has now.
func (t *Table) Keys() int { return t.acting.Spec().Keys }

// Settled reports whether a row's columns never change, so that it need not be touched again once it was asked about.
func (t *Table) Settled() bool { return t.settled }

// Touch adds a row, or says that it changed.
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

// Asked reports whether the policy has been asked about a row as it is now.
func (t *Table) Asked(row int32) bool {
	return int(row) < len(t.marks) && t.marks[row]&(rowAsked|rowQueued) == rowAsked && t.epoch == t.acting.epoch
}

// TouchAll says that every row changed.
func (t *Table) TouchAll() {
	for row, m := range t.marks {
		if m&rowLive != 0 {
			t.queue(int32(row))
		}
	}
}

// Stale reports whether a flush would ask about anything.
func (t *Table) Stale() bool {
	return len(t.batch.Changed) > 0 || t.dropped && t.rows > 0 || t.epoch != t.acting.epoch
}

// Epoch grows when all rows were asked about because another module answers.
func (t *Table) Epoch() uint64 { return t.batch.Epoch }

// Flush asks about the rows that changed, or about all where siblings count, and calls changed with each row asked about
// and its keys. When another module answers than before, with more or fewer keys perhaps, that is every row.
func (t *Table) Flush(src Source, changed func(row int32, keys []float64)) {
	if !t.Stale() {
		return
	}
	if t.holds() {
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

// FlushWithout is Flush as if some allocations had gone.
func (t *Table) FlushWithout(gone []string, src Source, changed func(row int32, keys []float64)) {
	t.batch.Gone = gone
	t.Flush(src, changed)
	t.batch.Gone = nil
}

// holds reports whether the answers of the round stand: all rows that changed have one, and the round is not over.
func (t *Table) holds() bool {
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

// repeat answers about the rows that changed as they were answered before.
func (t *Table) repeat(changed func(row int32, keys []float64)) {
	k := t.batch.Keys
	for _, row := range t.batch.Changed {
		t.marks[row] &^= rowQueued
		if t.marks[row]&rowLive == 0 {
			continue
		}
		if t.marks[row]&rowOwed == 0 {
			t.marks[row] |= rowOwed
			t.owed = append(t.owed, row)
		}
		changed(row, t.batch.Out[int(row)*k:int(row)*k+k])
	}
	t.batch.Changed = t.batch.Changed[:0]
}

// collect adds the rows that are owed to those that changed: a round begins.
func (t *Table) collect() {
	for _, row := range t.owed {
		t.marks[row] &^= rowOwed
		t.queue(row)
	}
	t.owed = t.owed[:0]
	if t.acting.Symbols != nil {
		t.roundAt = t.acting.Symbols.Made
	}
}

// prepare makes the batch ready: columns of the right shape, changed rows written, rows to ask about listed.
func (t *Table) prepare(src Source) {
	spec := t.acting.Spec()
	begins := t.epoch != t.acting.epoch || t.fresh
	if begins {
		t.begin(spec)
	}
	t.collect()
	t.compact()
	if begins && t.acting.Recorded {
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

// begin makes the batch new, for the module that answers now.
func (t *Table) begin(spec *PointSpec) {
	t.epoch, t.fresh = t.acting.epoch, false
	t.batch.Point, t.batch.Keys, t.batch.Depends = t.acting.Point, spec.Keys, spec.Depends
	t.batch.Columns, t.batch.Cols = spec.Columns, make([][]float64, len(spec.Columns))
	t.batch.Epoch++
	t.settled = spec.settled()
	t.batch.Out = nil
	t.TouchAll()
}

// listAll lists the rows there are.
func (t *Table) listAll() {
	t.all = t.all[:0]
	for row, m := range t.marks {
		if m&rowLive != 0 {
			t.all = append(t.all, int32(row))
		}
	}
}

// grow makes room for so many rows.
func (t *Table) grow(n, keys int) {
	for i, col := range t.batch.Cols {
		t.batch.Cols[i] = append(col, make([]float64, n-len(col))...)
	}
	t.batch.Out = append(t.batch.Out, make([]float64, n*keys-len(t.batch.Out))...)
}

// compact drops rows from the list that were removed after they had changed.
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
