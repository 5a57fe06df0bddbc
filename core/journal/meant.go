package journal

import "github.com/quern-project/quern/core/nearest"

// meantKey returns a hint, which follows an error text, with known keys similar to an unknown one. If the type is already known, these
// are keys of the type.
func (d *Decoder) meantKey(name string) string {
	known := d.shape.required.or(d.shape.optional).names()
	if len(known) == 0 {
		known = keyNames[:]
	}
	return nearest.Hint(nearest.Names(name, known))
}

// meantType returns a hint with types of lines similar to an unknown one.
func meantType(name string) string {
	search := nearest.For(name)
	for i := range shapes {
		search.Add(string(shapes[i].typ))
	}
	return nearest.Hint(search.Found())
}
