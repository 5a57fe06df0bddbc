package queue

import "math"

// tournament knows which of a parent's children comes first. Children stay where they are, by slot; they play in pairs,
// and the winners again, up to one. Another key replays the games of one child only, as many as the logarithm of their
// number, and only up to a game that it had not won and does not win now (BenchmarkFirstChild).
type tournament struct {
	// keys are the policy's, keyLen of them a slot. They are the owner's to write, before play. Where slots are not in the order
	// of names the name follows, packed, so that stride numbers tell all children apart.
	keys           []int64
	keyLen, stride int
	// games holds the n children from n on, by slot, and in place i the winner of places 2i and 2i+1: in place 1 the
	// first of all.
	games []contestant
}

// contestant is a child with the beginning of its key, as much as two numbers hold: what is larger comes later. Equal ones
// are told apart by their whole keys, so that those are seldom read.
type contestant struct {
	lead int64
	rest uint32
	slot int32
}

// out is the lead of a child that does not compete; no key has it.
const out = math.MaxInt64

// newTournament makes one for n children, none of which competes; after the keys of each there is room for a name of a length.
func newTournament(n, keyLen, nameLen int) tournament {
	stride := keyLen + nameLen
	t := tournament{keys: make([]int64, n*stride), keyLen: keyLen, stride: stride, games: make([]contestant, max(2*n, 2))}
	for i := range t.games {
		t.games[i] = contestant{lead: out, slot: int32(max(i-n, 0))}
	}
	return t
}

// key is the policy's key of a child.
func (t *tournament) key(slot int32) []int64 {
	at := int(slot) * t.stride
	return t.keys[at : at+t.keyLen]
}

// putName writes the name of a child behind its keys.
func (t *tournament) putName(slot int32, name string) {
	at := int(slot) * t.stride
	putName(t.keys[at+t.keyLen:at+t.stride], name)
}

// first is the child that comes first; ok is false when none competes.
func (t *tournament) first() (slot int32, ok bool) {
	c := &t.games[1]
	return c.slot, c.lead != out
}

// leave takes a child out.
func (t *tournament) leave(slot int32) { t.play(contestant{lead: out, slot: slot}) }

// play gives a child the beginning of another key, or the same after its key has changed.
func (t *tournament) play(c contestant) {
	games, slot := t.games, c.slot
	i := uint(len(games)/2) + uint(slot)
	games[i] = c
	for i > 1 {
		other := games[i^1]
		if other.lead < c.lead || other.lead == c.lead && (other.rest < c.rest || other.rest == c.rest && t.precedes(other.slot, c.slot)) {
			c = other
		}
		i >>= 1
		game := &games[i]
		if c.slot != slot && c.slot == game.slot {
			return // as before
		}
		*game = c
	}
}

// precedes orders two children whose keys begin alike: by key, then by name.
func (t *tournament) precedes(a, b int32) bool {
	i, j := int(a)*t.stride, int(b)*t.stride
	for k := range t.stride {
		if v, w := t.keys[i+k], t.keys[j+k]; v != w {
			return v < w
		}
	}
	return a < b
}
