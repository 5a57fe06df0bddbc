package resource

import (
	"math"
	"sort"
	"strings"
)

// Vec holds an amount for each type, at the index of the type. Its length is the width of the Types table.
type Vec []int64

// Unlimited marks a type that a max does not limit. Most is the largest amount.
const (
	Unlimited = -1
	Most      = math.MaxInt64
)

// widthStep is the largest number of types for which the width of vectors is exact, since each extra element costs time everywhere.
// Beyond it, the width grows in steps, since growing is expensive.
const widthStep = 4

// Types assigns an index to each resource type, in the order of their first use.
type Types struct{ typeView }

// TypeView reads a table of types. It cannot add a type.
type TypeView struct{ *typeTable }

// typeView is the name of TypeView for embedding, which would be exported otherwise.
type typeView = TypeView

type typeTable struct {
	index map[string]int
	names []string
	milli []bool // by type: it is stored in thousandths of a device; nil without devices
}

// NewTypes makes an empty table.
func NewTypes() *Types { return &Types{TypeView{&typeTable{index: map[string]int{}}}} }

// View returns the reader of the table.
func (t *Types) View() TypeView { return t.typeView }

// Clone returns a table with the same types.
func (t *Types) Clone() *Types {
	c := NewTypes()
	for _, name := range t.names {
		c.Intern(name)
	}
	c.milli = append(c.milli, t.milli...)
	return c
}

// Intern returns the index of a type. It adds the type if it is unknown.
func (t *Types) Intern(name string) int {
	i, ok := t.index[name]
	if !ok {
		i = len(t.names)
		name = strings.Clone(name)
		t.index[name] = i
		t.names = append(t.names, name)
	}
	return i
}

// Find returns the index of a type, if it is known.
func (t *typeTable) Find(name string) (int, bool) {
	i, ok := t.index[name]
	return i, ok
}

// Len returns the number of types.
func (t *typeTable) Len() int { return len(t.names) }

// Name returns the type at an index.
func (t *typeTable) Name(i int) string { return t.names[i] }

// IsMilli reports whether amounts of the type at an index are thousandths of a device.
func (t *typeTable) IsMilli(i int) bool { return i < len(t.milli) && t.milli[i] }

// SetMilli says which types are types of devices. All must be known. Vectors are not converted.
func (t *Types) SetMilli(types ...string) {
	t.milli = nil
	for _, name := range types {
		i := t.index[name]
		if i >= len(t.milli) {
			t.milli = append(t.milli, make([]bool, i+1-len(t.milli))...)
		}
		t.milli[i] = true
	}
}

// Sorted returns the indexes of all types, bytewise by name.
func (t *typeTable) Sorted() []int {
	order := make([]int, len(t.names))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool { return t.names[order[i]] < t.names[order[j]] })
	return order
}

// Width returns the length of vectors, which is at least the number of types.
func (t *typeTable) Width() int {
	n := max(1, len(t.names))
	if n <= widthStep {
		return n
	}
	return (n + widthStep - 1) / widthStep * widthStep
}

// Admit interns every type of the sets and reports whether the width grew.
func (t *Types) Admit(sets ...Set) (grew bool) {
	before := t.Width()
	for _, s := range sets {
		for _, q := range s {
			t.Intern(q.Type)
		}
	}
	return t.Width() != before
}

// Vec converts a set to a vector, with missing for types that it does not name. All types must be known.
func (t *typeTable) Vec(s Set, missing int64) Vec {
	v := make(Vec, t.Width())
	if missing != 0 {
		v.Fill(missing)
	}
	t.Write(v, s)
	return v
}

// Write writes the amounts of a set to a vector. All types must be known.
func (t *typeTable) Write(v Vec, s Set) {
	for _, q := range s {
		v[t.index[q.Type]] = q.Value
	}
}

// Set converts a vector to a set, without types whose amount is missing.
func (t *typeTable) Set(v Vec, missing int64) Set {
	var s Set
	for i, name := range t.names {
		if v[i] != missing {
			s = append(s, Quantity{Type: name, Value: v[i], Milli: t.IsMilli(i)})
		}
	}
	return NewSet(s...)
}

// Fill sets every amount.
func (v Vec) Fill(amount int64) {
	for i := range v {
		v[i] = amount
	}
}

// Add adds w to v, saturating.
func (v Vec) Add(w Amounts) {
	v = v[:len(w.vec)]
	for i, a := range w.vec {
		v[i] = Add(v[i], a)
	}
}

// Sub subtracts w from v, saturating.
func (v Vec) Sub(w Amounts) {
	v = v[:len(w.vec)]
	for i, a := range w.vec {
		v[i] = Sub(v[i], a)
	}
}

// Widen returns a copy of v with a new width, with missing for new types.
func (v Vec) Widen(width int, missing int64) Vec {
	w := make(Vec, width)
	n := copy(w, v)
	w[n:].Fill(missing)
	return w
}
