package table

import (
	"math/bits"
	"slices"
)

// pageBytes bounds a page. The benchmarks that chose it stand in doc.go.
const pageBytes = 4096

// array is a growing sequence of elements in pages. Its root slice and its pages may be shared with frozen arrays and with
// forks of these; what carries another stamp than the array's is shared and is copied before it changes.
type array[T comparable] struct {
	pages []page[T]
	stamp uint64
	root  uint64 // stamp of the slice of pages
	n     uint32
	mask  uint32
	loan  loan[T]
	shift uint8
}

// page holds 2^shift elements. They belong to the one array whose stamp the page has, among all that can reach it.
type page[T comparable] struct {
	stamp uint64
	items []T
}

func newArray[T comparable](shift uint8) array[T] {
	return array[T]{stamp: 1, root: 1, mask: 1<<shift - 1, shift: shift}
}

// shiftFor is the shift of the largest page of at most so many bytes, and of eight elements at least.
func shiftFor(elementBytes, pageBytes int) uint8 {
	return uint8(max(bits.Len(uint(pageBytes/max(elementBytes, 1))), 4) - 1)
}

func (a *array[T]) at(i uint32) T { return a.pages[i>>(a.shift&31)].items[i&a.mask] }

// edit returns the element to change. The pointer ends at the next edit, grow or freeze.
func (a *array[T]) edit(i uint32) *T {
	if p := &a.pages[i>>(a.shift&31)]; p.stamp == a.stamp && !poisoning {
		return &p.items[i&a.mask]
	}
	return a.editShared(i)
}

// editShared is edit for a page that may be shared. Inlined into edit, it would cost edit a stack frame.
//
//go:noinline
func (a *array[T]) editShared(i uint32) *T {
	number := i >> a.shift
	a.lend(number)
	p := &a.pages[number]
	if p.stamp != a.stamp {
		p = a.own(number)
	}
	return &p.items[i&a.mask]
}

// editPage is edit for all elements of a page.
func (a *array[T]) editPage(number uint32) []T {
	a.edit(number << a.shift)
	return a.pages[number].items
}

// own copies a page that is shared, or fills one that is empty, and copies the slice of pages if that is shared, too.
func (a *array[T]) own(number uint32) *page[T] {
	if a.root != a.stamp {
		a.pages, a.root = slices.Clone(a.pages), a.stamp
	}
	p := &a.pages[number]
	if p.items == nil {
		p.items = make([]T, a.mask+1)
	} else {
		p.items = slices.Clone(p.items)
	}
	p.stamp = a.stamp
	return p
}

// grow appends a zero element and returns its position.
func (a *array[T]) grow() uint32 {
	a.endLoan()
	i := a.n
	if a.n++; a.n == 0 {
		panic("table: 2^32 elements are the most")
	}
	if int(i>>a.shift) == len(a.pages) {
		a.pages = append(a.pages, page[T]{a.stamp, make([]T, a.mask+1)})
	}
	return i
}

// growPage appends a page of zero elements. The array consists of whole pages.
func (a *array[T]) growPage() {
	a.endLoan()
	a.pages = append(a.pages, page[T]{a.stamp, make([]T, a.mask+1)})
	a.n += a.mask + 1
}

// growEmpty appends pages without elements, which get zeros at the first edit. Only Column reads such an array.
func (a *array[T]) growEmpty(pages int) {
	a.endLoan()
	a.pages = append(a.pages, make([]page[T], pages)...)
}

// freeze returns the array as it is now, which must not be edited, and shares all pages with it. The slice of pages has no
// room to append to, so no later page becomes visible.
func (a *array[T]) freeze() array[T] {
	a.endLoan()
	a.pages = slices.Clip(a.pages)
	frozen := *a
	a.stamp++
	return frozen
}

// fork returns an array that may be edited, for a frozen one.
func (a array[T]) fork() array[T] {
	a.stamp++
	return a
}
