package journal

import "github.com/quern-project/quern/core/nearest"

// meantKey proposes, in words that follow an error, the keys that an unknown one may have been meant to be: those of the line's type, if
// the type stands before it.
func (d *Decoder) meantKey(name string) string {
	keys := d.shape.required | d.shape.optional
	if keys == 0 {
		keys = 1<<noKey - 1
	}
	return nearest.Hint(nearest.Names(name, keys.names()))
}

// meantType proposes the types of lines that an unknown one may have been meant to be.
func meantType(name string) string {
	search := nearest.For(name)
	for i := range shapes {
		search.Look(string(shapes[i].typ))
	}
	return nearest.Hint(search.Found())
}
