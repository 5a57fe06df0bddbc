package resource

// Amounts reads a vector that belongs to someone else, as the demand of a class does. Nothing can be written through it.
type Amounts struct{ vec Vec }

// Amounts returns the reader of a vector.
func (v Vec) Amounts() Amounts { return Amounts{v} }

// Len returns the number of types.
func (a Amounts) Len() int { return len(a.vec) }

// At returns the amount of a type.
func (a Amounts) At(t int) int64 { return a.vec[t] }

// All calls yield with each type and its amount.
func (a Amounts) All(yield func(t int, amount int64) bool) {
	for t, amount := range a.vec {
		if !yield(t, amount) {
			return
		}
	}
}

// Clone returns a copy that may be changed.
func (a Amounts) Clone() Vec { return append(Vec(nil), a.vec...) }
