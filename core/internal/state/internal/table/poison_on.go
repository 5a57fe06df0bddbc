//go:build poison

package table

import "slices"

// With the build tag poison, a page moves whenever a pointer into it becomes invalid, and the old page is cleared. So a read through an
// invalid pointer finds zeros, and a write through one causes a panic at the next edit, grow or freeze.
const poisoning = true

type loan[T comparable] struct {
	page  int // number of the page of the last pointer, plus one; 0 if that pointer is invalid
	ended []T // the old page of the pointer before it; all elements must be zero
}

// check panics if the old page of an invalid pointer has changed.
func (l *loan[T]) check() {
	var zero T
	if slices.ContainsFunc(l.ended, func(item T) bool { return item != zero }) {
		panic("table: a row was changed through a pointer that had ended")
	}
}

// move returns a copy of a page, and clears the page.
func (l *loan[T]) move(page []T) []T {
	moved := slices.Clone(page)
	clear(page)
	l.page, l.ended = 0, page
	return moved
}

// lend invalidates the last pointer, and records that a pointer into a page is being returned.
func (a *array[T]) lend(number uint32) {
	a.endLoan()
	a.loan.page = int(number) + 1
}

func (a *array[T]) endLoan() {
	a.loan.check()
	if a.loan.page != 0 {
		p := &a.pages[a.loan.page-1]
		moved := new([pageRows]T)
		copy(moved[:], a.loan.move(p.items[:]))
		p.items = moved
	}
}

func (v *Vectors) lend(number int) {
	v.endLoan()
	v.loan.page = number + 1
}

func (v *Vectors) endLoan() {
	v.loan.check()
	if v.loan.page != 0 {
		p := &v.pages[v.loan.page-1]
		p.lanes = v.loan.move(p.lanes)
	}
}

type denseLoan[T comparable] struct {
	lent  bool
	ended []T // the old memory of the slice before the last one; all elements must be zero
}

func (d *Dense[R]) lend() {
	d.endLoan()
	d.loan.lent = true
}

func (d *Dense[R]) endLoan() {
	var zero R
	if slices.ContainsFunc(d.loan.ended, func(v R) bool { return v != zero }) {
		panic("table: a value was changed through a slice that had ended")
	}
	if d.loan.lent {
		moved := slices.Clone(d.values)
		clear(d.values)
		d.loan.ended, d.loan.lent, d.values = d.values, false, moved
	}
}
