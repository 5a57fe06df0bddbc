package resource

import (
	"math"
	"sort"
	"strings"
)

// Vec is a resource to compute with: the amount of each interned type at its index. Its length is the width of the
// Types table that it belongs to.
type Vec []int64

// Unlimited stands, in a max, for a type that it does not bound. Most is the largest amount there is.
const (
	Unlimited = -1
	Most      = math.MaxInt64
)

// Up to widthStep types the width of vectors is exact, since each more costs at every step; beyond, it grows by so many
// at a time, since growing costs much, too.
const widthStep = 4

// Types gives every resource type an index, in the order in which they are first met.
type Types struct {
	index map[string]int
	names []string
}

// NewTypes makes an empty table.
func NewTypes() *Types { return &Types{index: map[string]int{}} }

// Intern returns the index of a type, which is new if need be.
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

// Find returns the index of a type that is known.
func (t *Types) Find(name string) (int, bool) {
	i, ok := t.index[name]
	return i, ok
}

// Len is the number of types.
func (t *Types) Len() int { return len(t.names) }

// Name returns the type at an index.
func (t *Types) Name(i int) string { return t.names[i] }

// Sorted returns the indexes of all types, bytewise by name.
func (t *Types) Sorted() []int {
	order := make([]int, len(t.names))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool { return t.names[order[i]] < t.names[order[j]] })
	return order
}

// Width is the length that vectors have: at least the number of types.
func (t *Types) Width() int {
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

// Vec returns a set as a vector, with `missing` for the types it does not name. Every type must be known.
func (t *Types) Vec(s Set, missing int64) Vec {
	v := make(Vec, t.Width())
	if missing != 0 {
		v.Fill(missing)
	}
	t.Write(v, s)
	return v
}

// Write sets the amounts that a set names. Every type must be known.
func (t *Types) Write(v Vec, s Set) {
	for _, q := range s {
		v[t.index[q.Type]] = q.Value
	}
}

// Set returns a vector as a set, without the types whose amount is `missing`.
func (t *Types) Set(v Vec, missing int64) Set {
	var s Set
	for i, name := range t.names {
		if v[i] != missing {
			s = append(s, Quantity{name, v[i]})
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
func (v Vec) Add(w Vec) {
	v = v[:len(w)]
	for i, a := range w {
		v[i] = Add(v[i], a)
	}
}

// Sub takes w from v, saturating.
func (v Vec) Sub(w Vec) {
	v = v[:len(w)]
	for i, a := range w {
		v[i] = Sub(v[i], a)
	}
}

// Widen returns v at a new width, with `missing` for what is new.
func (v Vec) Widen(width int, missing int64) Vec {
	w := make(Vec, width)
	n := copy(w, v)
	w[n:].Fill(missing)
	return w
}
