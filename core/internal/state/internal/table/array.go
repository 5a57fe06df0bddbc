package table

import "slices"

// pageRows is the number of elements of a page. It is a constant, so that an access needs no bounds check within the page and no
// multiplication with a loaded size.
const (
	pageShift = 6
	pageRows  = 1 << pageShift
)

// array is a growing sequence of elements in pages. Its slice of pages and its pages may be shared with frozen arrays and their forks. If
// their stamp differs from the array's, they are shared, and are copied before a change.
type array[T comparable] struct {
	pages []page[T]
	stamp uint64
	root  uint64 // stamp of the slice of pages
	n     uint32
	loan  loan[T]
}

// page holds elements; items is nil if all are zero, in columns. Among all arrays that can reach the page, it belongs to the one with the same stamp.
type page[T comparable] struct {
	stamp uint64
	items *[pageRows]T
}

func newArray[T comparable]() array[T] { return array[T]{stamp: 1, root: 1} }

func (a *array[T]) at(i uint32) T { return a.pages[i>>pageShift].items[i%pageRows] }

// peek returns a pointer to an element that must not be changed through it.
func (a *array[T]) peek(i uint32) *T { return &a.pages[i>>pageShift].items[i%pageRows] }

// edit returns a pointer to an element for changes. The pointer is valid until the next edit, grow or freeze.
func (a *array[T]) edit(i uint32) *T {
	if p := &a.pages[i>>pageShift]; p.stamp == a.stamp && !poisoning {
		return &p.items[i%pageRows]
	}
	return a.editShared(i)
}

// editShared is edit for a page that may be shared. Inlined into edit, it would cost edit a stack frame.
//
//go:noinline
func (a *array[T]) editShared(i uint32) *T {
	number := i >> pageShift
	a.lend(number)
	p := &a.pages[number]
	if p.stamp != a.stamp {
		p = a.own(number)
	}
	return &p.items[i%pageRows]
}

// editPage is edit for all elements of a page.
func (a *array[T]) editPage(number uint32) *[pageRows]T {
	a.edit(number << pageShift)
	return a.pages[number].items
}

// own copies a shared page, or allocates one without elements. It also copies the slice of pages if that is shared.
func (a *array[T]) own(number uint32) *page[T] {
	if a.root != a.stamp {
		a.pages, a.root = slices.Clone(a.pages), a.stamp
	}
	p := &a.pages[number]
	items := new([pageRows]T)
	if p.items != nil {
		*items = *p.items
	}
	p.stamp, p.items = a.stamp, items
	return p
}

// grow appends a zero element and returns its position.
func (a *array[T]) grow() uint32 {
	a.endLoan()
	i := a.n
	if a.n++; a.n == 0 {
		panic("table: 2^32 elements are the most")
	}
	if int(i>>pageShift) == len(a.pages) {
		a.pages = append(a.pages, page[T]{a.stamp, new([pageRows]T)})
	}
	return i
}

// growPage appends a page of zero elements. The array consists of whole pages.
func (a *array[T]) growPage() {
	a.endLoan()
	a.pages = append(a.pages, page[T]{a.stamp, new([pageRows]T)})
	a.n += pageRows
}

// growEmpty appends pages without elements, which edit allocates on demand. Only Column can read such an array.
func (a *array[T]) growEmpty(pages int) {
	a.endLoan()
	a.pages = append(a.pages, make([]page[T], pages)...)
}

// freeze returns a version of the array that shares all pages, and must not be edited. It clips the slice of pages, so that pages which the
// array appends later do not become visible in the version.
func (a *array[T]) freeze() array[T] {
	a.endLoan()
	a.pages = slices.Clip(a.pages)
	frozen := *a
	a.stamp++
	return frozen
}

// fork returns an array for a frozen one that may be edited.
func (a array[T]) fork() array[T] {
	a.stamp++
	return a
}
