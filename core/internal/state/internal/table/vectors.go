package table

import "slices"

// vectorRows is the number of vectors in a page: 2 KiB with 4 lanes, 8 KiB with 16.
const (
	vectorShift = 6
	vectorRows  = 1 << vectorShift
)

// Vectors holds a vector of amounts for each ID of a table, in lanes by resource type. Vectors that were never set are zero, as are lanes
// beyond the width of their page. Make one with NewVectors. It has a single owner; it does not lock.
type Vectors struct {
	pages []vectorPage
	stamp uint64
	root  uint64 // stamp of the slice of pages
	width int
	loan  loan[int64]
}

type vectorPage struct {
	stamp uint64
	width int
	lanes []int64 // of vectorRows vectors; nil if all are zero
}

// NewVectors makes a column of zero vectors for a number of resource types.
func NewVectors(types int) *Vectors { return &Vectors{stamp: 1, root: 1, width: widthFor(types)} }

// widthFor returns the number of lanes for a number of resource types: 4, 8, 16, and then multiples of 16.
func widthFor(types int) int {
	switch {
	case types <= 4:
		return 4
	case types <= 8:
		return 8
	}
	return (types + 15) / 16 * 16
}

// Widen makes vectors wide enough for a number of resource types. The next Edit of a page widens it.
func (v *Vectors) Widen(types int) { v.width = max(v.width, widthFor(types)) }

// At returns one amount of a vector.
func (v *Vectors) At(id ID, lane int) int64 {
	number := int(id >> vectorShift)
	if number >= len(v.pages) {
		return 0
	}
	p := &v.pages[number]
	if lane >= p.width {
		return 0
	}
	return p.lanes[int(id%vectorRows)*p.width+lane]
}

// Group returns the lanes of count consecutive vectors for reading, and how many of them each vector has. Lanes beyond that are zero. The
// first ID must be a multiple of count, a power of 2, so that all are in one page. The slice is valid until the next Edit or Freeze.
func (v *Vectors) Group(first ID, count int) (lanes []int64, width int) {
	number := int(first >> vectorShift)
	if number >= len(v.pages) {
		return nil, 0
	}
	p := &v.pages[number]
	i := int(first%vectorRows) * p.width
	return p.lanes[i : i+count*p.width], p.width
}

// Edit returns all lanes of a vector for changes, at least one per resource type. The slice is valid until the next Edit or Freeze.
func (v *Vectors) Edit(id ID) []int64 {
	number := int(id >> vectorShift)
	if number >= len(v.pages) {
		v.grow(number + 1)
	}
	if poisoning {
		v.lend(number)
	}
	p := &v.pages[number]
	if p.stamp != v.stamp || p.width != v.width {
		p = v.own(number)
	}
	i := int(id%vectorRows) * p.width
	return p.lanes[i : i+p.width : i+p.width]
}

func (v *Vectors) grow(pages int) {
	v.pages = append(v.pages, make([]vectorPage, pages-len(v.pages))...)
}

// own copies a page that is shared or too narrow, and the slice of pages if that is shared.
func (v *Vectors) own(number int) *vectorPage {
	if v.root != v.stamp {
		v.pages, v.root = slices.Clone(v.pages), v.stamp
	}
	p := &v.pages[number]
	old := *p
	*p = vectorPage{v.stamp, v.width, make([]int64, vectorRows*v.width)}
	for i := range len(old.lanes) / max(old.width, 1) {
		copy(p.lanes[i*p.width:], old.lanes[i*old.width:(i+1)*old.width])
	}
	return p
}

// Freeze returns an immutable version of the vectors, in constant time.
func (v *Vectors) Freeze() FrozenVectors {
	v.endLoan()
	v.pages = slices.Clip(v.pages)
	frozen := FrozenVectors{*v}
	v.stamp++
	return frozen
}

// FrozenVectors is a version of vectors. It never changes, so any goroutines may read it.
type FrozenVectors struct{ v Vectors }

// At returns one amount of a vector.
func (f *FrozenVectors) At(id ID, lane int) int64 { return f.v.At(id, lane) }

// Fork returns vectors that start with the amounts of the version.
func (f *FrozenVectors) Fork() *Vectors {
	v := f.v
	v.stamp++
	return &v
}
