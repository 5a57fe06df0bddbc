package table

// chunkBytes is the number of bytes of a text in one chunk. Most IDs need one chunk, and a UUID needs two.
const chunkBytes = 24

// chunk is a part of a text. All chunks have the same size, so a freed one serves any later text, and memory stays at its peak whatever
// lengths are added and freed.
type chunk struct {
	next ID // the rest of the text; for a free chunk, the next free one
	left uint32
	data [chunkBytes]byte
}

// Texts holds the strings that rows own: IDs from outside, which are freed with their rows. Make one with NewTexts. It has a single owner;
// it does not lock.
type Texts struct {
	chunks array[chunk]
	free   ID
}

// NewTexts makes an empty store.
func NewTexts() *Texts {
	x := &Texts{chunks: newArray[chunk]()}
	x.chunks.grow() // for None
	return x
}

// Add stores a text and returns its ID. The ID of the empty text is None.
func (x *Texts) Add(s string) ID {
	id := None
	for at := (len(s) - 1) / chunkBytes * chunkBytes; at >= 0 && s != ""; at -= chunkBytes {
		c := chunk{next: id, left: uint32(len(s) - at)}
		copy(c.data[:], s[at:])
		if id = x.free; id == None {
			id = ID(x.chunks.grow())
		} else {
			x.free = x.chunks.at(uint32(id)).next
		}
		*x.chunks.edit(uint32(id)) = c
	}
	return id
}

// Free removes a text.
func (x *Texts) Free(id ID) {
	if id == None {
		return
	}
	last := id
	for c := x.chunks.at(uint32(last)); c.next != None; c = x.chunks.at(uint32(last)) {
		last = c.next
	}
	x.chunks.edit(uint32(last)).next, x.free = x.free, id
}

// Append appends a text to a slice of bytes.
func (x *Texts) Append(to []byte, id ID) []byte {
	for id != None {
		c := x.chunks.at(uint32(id))
		to = append(to, c.data[:min(c.left, chunkBytes)]...)
		id = c.next
	}
	return to
}

// Text returns a text as a newly allocated string.
func (x *Texts) Text(id ID) string {
	var room [4 * chunkBytes]byte
	return string(x.Append(room[:0], id))
}

// Is reports whether a text equals s, without allocating.
func (x *Texts) Is(id ID, s string) bool {
	for id != None {
		c := x.chunks.at(uint32(id))
		part := c.data[:min(c.left, chunkBytes)]
		if int(c.left) != len(s) || string(part) != s[:len(part)] {
			return false
		}
		id, s = c.next, s[len(part):]
	}
	return s == ""
}

// Freeze returns an immutable version of the texts, in constant time.
func (x *Texts) Freeze() FrozenTexts { return FrozenTexts{Texts{x.chunks.freeze(), x.free}} }

// FrozenTexts is a version of texts. It never changes, so any goroutines may read it.
type FrozenTexts struct{ x Texts }

// Append appends a text to a slice of bytes.
func (f *FrozenTexts) Append(to []byte, id ID) []byte { return f.x.Append(to, id) }

// Text returns a text as a newly allocated string.
func (f *FrozenTexts) Text(id ID) string { return f.x.Text(id) }

// Is reports whether a text equals s, without allocating.
func (f *FrozenTexts) Is(id ID, s string) bool { return f.x.Is(id, s) }

// Fork returns a store that starts with the texts of the version.
func (f *FrozenTexts) Fork() *Texts { return &Texts{f.x.chunks.fork(), f.x.free} }
