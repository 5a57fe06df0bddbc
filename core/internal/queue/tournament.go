package queue

import "math"

// tournament finds the first of a parent's children. Children compete in pairs, by slot, then the winners in pairs, until one is
// left. After a change of its key, only the games of that child are played again: at most log n of n children, and only up to a
// game that it neither won before nor wins now (BenchmarkFirstChild).
type tournament struct {
	// keys has stride numbers for each slot: keyLen keys of the policy, which the owner writes before it calls play, and, if slots are
	// not in the order of names, the packed name, which breaks ties.
	keys           []int64
	keyLen, stride int
	// games[n:] holds the n children by slot. games[i] is the winner of games[2i] and games[2i+1], and games[1] the first child.
	games []contestant
}

// contestant is a child with the start of its key, as much as two numbers hold. Smaller ones come first. The whole keys are read only if
// these are equal.
type contestant struct {
	lead int64
	rest uint32
	slot int32
}

// absent is the lead of a child that does not compete. No key has it.
const absent = math.MaxInt64

// newTournament makes a tournament for n children, none of which competes yet. nameLen is the number of keys for the name.
func newTournament(n, keyLen, nameLen int) tournament {
	stride := keyLen + nameLen
	t := tournament{keys: make([]int64, n*stride), keyLen: keyLen, stride: stride, games: make([]contestant, max(2*n, 2))}
	for i := range t.games {
		t.games[i] = contestant{lead: absent, slot: int32(max(i-n, 0))}
	}
	return t
}

// key returns the policy's keys of a child.
func (t *tournament) key(slot int32) []int64 {
	at := int(slot) * t.stride
	return t.keys[at : at+t.keyLen]
}

// putName writes the name of a child after its keys.
func (t *tournament) putName(slot int32, name string) {
	at := int(slot) * t.stride
	putName(t.keys[at+t.keyLen:at+t.stride], name)
}

// first returns the first child. ok is false if none competes.
func (t *tournament) first() (slot int32, ok bool) {
	c := &t.games[1]
	return c.slot, c.lead != absent
}

// leave removes a child from the competition.
func (t *tournament) leave(slot int32) { t.play(contestant{lead: absent, slot: slot}) }

// play updates a child after a change of its key.
func (t *tournament) play(c contestant) {
	games, slot := t.games, c.slot
	i := uint(len(games)/2) + uint(slot)
	games[i] = c
	for i > 1 {
		if other := &games[i^1]; other.lead < c.lead || other.lead == c.lead && (other.rest < c.rest || other.rest == c.rest && t.precedes(other.slot, c.slot)) {
			c = *other
		}
		i >>= 1
		game := &games[i]
		if c.slot == game.slot && c.slot != slot {
			return // as before
		}
		*game = c
	}
}

// precedes compares two children by their whole keys, then by name.
func (t *tournament) precedes(a, b int32) bool {
	i, j := int(a)*t.stride, int(b)*t.stride
	for k := range t.stride {
		if v, w := t.keys[i+k], t.keys[j+k]; v != w {
			return v < w
		}
	}
	return a < b
}
