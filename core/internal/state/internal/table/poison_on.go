//go:build poison

package table

import "slices"

// With the tag poison, a page moves whenever a pointer into it ends, and the page that it leaves is cleared. So a read through a
// stale pointer finds zeros, and a write through one panics at the next edit, grow or freeze.
const poisoning = true

type loan[T comparable] struct {
	page  int // of the pointer that was handed out last, plus one; 0: it has ended
	ended []T // the page that the pointer before it pointed into: all zeros
}

// check panics if the page that the last pointer left has changed since.
func (l *loan[T]) check() {
	var zero T
	if slices.ContainsFunc(l.ended, func(item T) bool { return item != zero }) {
		panic("table: a row was changed through a pointer that had ended")
	}
}

// move copies a page and clears what it was copied from.
func (l *loan[T]) move(page []T) []T {
	moved := slices.Clone(page)
	clear(page)
	l.page, l.ended = 0, page
	return moved
}

// lend ends the last pointer and records that one into a page is handed out.
func (a *array[T]) lend(number uint32) {
	a.endLoan()
	a.loan.page = int(number) + 1
}

func (a *array[T]) endLoan() {
	a.loan.check()
	if a.loan.page != 0 {
		p := &a.pages[a.loan.page-1]
		p.items = a.loan.move(p.items)
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
