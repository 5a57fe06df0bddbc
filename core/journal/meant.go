package journal

import "github.com/quern-project/quern/core/nearest"

// meantKey returns a hint, which follows an error text, with known keys similar to an unknown one. If the type is already known, these
// are keys of the type.
func (d *Decoder) meantKey(name string) string {
	keys := d.shape.required | d.shape.optional
	if keys == 0 {
		keys = 1<<noKey - 1
	}
	return nearest.Hint(nearest.Names(name, keys.names()))
}

// meantType returns a hint with types of lines similar to an unknown one.
func meantType(name string) string {
	search := nearest.For(name)
	for i := range shapes {
		search.Add(string(shapes[i].typ))
	}
	return nearest.Hint(search.Found())
}
