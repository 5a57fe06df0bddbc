package table

import "hash/maphash"

// A segment is a page of an index: a hash table with linear probing. A full segment splits in two, so that an Add rarely moves the entries
// of more than one segment, whatever the size of the index.
const (
	segmentShift = 9
	segmentSize  = 1 << segmentShift
	bucketSize   = segmentSize / pageRows
	segmentFull  = segmentSize * 3 / 4
	maxDepth     = 32 - 1 // number of bits of a hash that can select a segment
)

// entry holds the hash of a key and the ID of its row. The ID of an empty entry is None.
type entry struct {
	hash uint32
	id   ID
}

// bucket holds entries that are elements of an array together, so that a segment is a page.
type bucket [bucketSize]entry

// entryOf returns an entry of a segment.
func entryOf(page *[pageRows]bucket, i uint32) *entry {
	return &page[i/bucketSize%pageRows][i%bucketSize]
}

type segment struct {
	used  uint16
	depth uint8 // number of low bits of the hash that all its entries share
}

// Index finds rows by string keys, which the rows hold. Make one with NewIndex. An index has a single owner; it does not lock.
//
// The hash has a random seed. It only affects where entries are stored, which no method reveals.
type Index struct {
	seed      maphash.Seed
	depth     uint8 // number of bits of a hash that select an entry of the directory
	directory array[uint32]
	segments  array[segment]
	entries   array[bucket] // segment i is page i
	len       int
}

// NewIndex makes an empty index.
func NewIndex() *Index {
	x := &Index{
		seed:      maphash.MakeSeed(),
		directory: newArray[uint32](),
		segments:  newArray[segment](),
		entries:   newArray[bucket](),
	}
	x.addSegment(0)
	x.directory.grow()
	return x
}

// Len returns the number of keys.
func (x *Index) Len() int { return x.len }

// Place is where an index will store a key that it does not have: the result of a search that has found nothing. It saves Put the hash and
// the search. It is valid until the next change of the index.
type Place struct{ hash, segment, entry uint32 }

// Find returns the row with a key, or None. It calls has for rows whose keys have the same hash; has reports whether a row has the key.
func (x *Index) Find(key string, has func(ID) bool) ID {
	id, _ := x.Locate(key, has)
	return id
}

// Locate is Find that also returns, if no row has the key, the place for it.
func (x *Index) Locate(key string, has func(ID) bool) (ID, Place) {
	hash := x.hash(key)
	at := x.segmentOf(hash)
	page := x.entries.pages[at].items
	for i := home(hash); ; i = (i + 1) % segmentSize {
		switch e := entryOf(page, i); {
		case e.id == None:
			return None, Place{hash, at, i}
		case e.hash == hash && has(e.id):
			return e.id, Place{}
		}
	}
}

// Add adds a row under a key. No row may have the key yet.
func (x *Index) Add(key string, id ID) {
	hash := x.hash(key)
	x.Put(Place{hash, x.segmentOf(hash), home(hash)}, id)
}

// Put adds a row under the key of which Locate has returned the place.
func (x *Index) Put(p Place, id ID) {
	for x.segments.at(p.segment).used >= segmentFull {
		x.split(p.hash)
		p.segment, p.entry = x.segmentOf(p.hash), home(p.hash)
	}
	insert(x.entries.editPage(p.segment), p.entry, entry{p.hash, id})
	x.segments.edit(p.segment).used++
	x.len++
}

// Remove removes a row and its key. Later entries of the same probe sequence move up, so that searches still find them.
func (x *Index) Remove(key string, id ID) {
	hash := x.hash(key)
	at := x.segmentOf(hash)
	page := x.entries.editPage(at)
	hole := home(hash)
	for entryOf(page, hole).id != id {
		if entryOf(page, hole).id == None {
			panic("table: the index does not hold the row")
		}
		hole = (hole + 1) % segmentSize
	}
	for i := (hole + 1) % segmentSize; entryOf(page, i).id != None; i = (i + 1) % segmentSize {
		if (i-home(entryOf(page, i).hash))%segmentSize >= (i-hole)%segmentSize { // its probe sequence starts at or before the hole
			*entryOf(page, hole), hole = *entryOf(page, i), i
		}
	}
	*entryOf(page, hole) = entry{}
	x.segments.edit(at).used--
	x.len--
}

func (x *Index) hash(key string) uint32 { return uint32(maphash.String(x.seed, key)) }

// home returns the position in a segment at which probing starts. The directory uses the low bits of a hash, segments the high bits.
func home(hash uint32) uint32 { return hash >> (32 - segmentShift) }

func (x *Index) segmentOf(hash uint32) uint32 { return x.directory.at(hash & (1<<x.depth - 1)) }

// insert stores an entry at the first empty position from i on.
func insert(page *[pageRows]bucket, i uint32, e entry) {
	for entryOf(page, i).id != None {
		i = (i + 1) % segmentSize
	}
	*entryOf(page, i) = e
}

func (x *Index) addSegment(depth uint8) uint32 {
	at := x.segments.grow()
	x.segments.edit(at).depth = depth
	x.entries.growPage()
	return at
}

// split moves about half of a full segment to a new one: the entries whose hash has the next bit set.
func (x *Index) split(hash uint32) {
	at := x.segmentOf(hash)
	depth := x.segments.at(at).depth
	if depth == x.depth {
		x.doubleDirectory()
	}
	added := x.addSegment(depth + 1)
	bit := uint32(1) << depth
	for i := hash&(bit-1) | bit; i < 1<<x.depth; i += 2 * bit {
		*x.directory.edit(i) = added
	}
	x.divide(at, added, bit)
}

// divide distributes the entries of a segment between itself and another one.
func (x *Index) divide(at, added, bit uint32) {
	var stays, moves [pageRows]bucket
	moved := uint16(0)
	page := x.entries.pages[at].items
	for i := range page {
		for _, e := range &page[i] {
			switch {
			case e.id == None:
			case e.hash&bit == 0:
				insert(&stays, home(e.hash), e)
			default:
				insert(&moves, home(e.hash), e)
				moved++
			}
		}
	}
	*x.entries.editPage(at) = stays
	*x.entries.editPage(added) = moves
	s := x.segments.edit(at)
	s.depth++
	s.used -= moved
	x.segments.edit(added).used = moved
}

// doubleDirectory lets one more bit of the hash select the segment.
func (x *Index) doubleDirectory() {
	if x.depth == maxDepth {
		panic("table: too many keys have the same hash")
	}
	for i := range uint32(1) << x.depth {
		at := x.directory.grow()
		*x.directory.edit(at) = x.directory.at(i)
	}
	x.depth++
}

// Freeze returns an immutable version of the index. The time does not depend on its size.
func (x *Index) Freeze() FrozenIndex {
	frozen := *x
	frozen.directory, frozen.segments, frozen.entries = x.directory.freeze(), x.segments.freeze(), x.entries.freeze()
	return FrozenIndex{frozen}
}

// FrozenIndex is a version of an index. It never changes, so any goroutines may read it.
type FrozenIndex struct{ x Index }

// Find returns the row with a key, or None.
func (f *FrozenIndex) Find(key string, has func(ID) bool) ID { return f.x.Find(key, has) }

// Len returns the number of keys.
func (f *FrozenIndex) Len() int { return f.x.Len() }

// Fork returns an index that starts with the keys of the version.
func (f *FrozenIndex) Fork() *Index {
	x := f.x
	x.directory, x.segments, x.entries = x.directory.fork(), x.segments.fork(), x.entries.fork()
	return &x
}
