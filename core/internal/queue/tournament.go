package queue

import "math"

// tournament knows which of a parent's children comes first. Children stay where they are, by slot; they play in pairs,
// and the winners again, up to one. Another key replays the games of one child only, as many as the logarithm of their
// number, and only up to a game that it had not won and does not win now (BenchmarkFirstChild).
type tournament struct {
	// keys are the policy's, keyLen of them a slot. They are the owner's to write, before play.
	keys   []int64
	keyLen int
	// games holds the n children from n on, by slot, and in place i the winner of places 2i and 2i+1: in place 1 the
	// first of all.
	games []contestant
}

// contestant is a child with as much of its key as one number holds: what is larger comes later. Equal ones are told apart
// by their whole keys.
type contestant struct {
	lead int64
	slot int32
}

// out is the lead of a child that does not compete; no key has it.
const out = math.MaxInt64

// newTournament makes one for n children, none of which competes.
func newTournament(n, keyLen int) tournament {
	t := tournament{keys: make([]int64, n*keyLen), keyLen: keyLen, games: make([]contestant, max(2*n, 2))}
	for i := range t.games {
		t.games[i] = contestant{out, int32(max(i-n, 0))}
	}
	return t
}

// key is the policy's key of a child.
func (t *tournament) key(slot int32) []int64 {
	at := int(slot) * t.keyLen
	return t.keys[at : at+t.keyLen]
}

// first is the child that comes first; ok is false when none competes.
func (t *tournament) first() (slot int32, ok bool) {
	c := &t.games[1]
	return c.slot, c.lead != out
}

// leave takes a child out.
func (t *tournament) leave(slot int32) { t.play(slot, out) }

// play gives a child another lead, or the same after its key has changed.
func (t *tournament) play(slot int32, lead int64) {
	i, winner := len(t.games)/2+int(slot), slot
	t.games[i] = contestant{lead, slot}
	for i > 1 {
		other := &t.games[i^1]
		if other.lead < lead || other.lead == lead && t.precedes(other.slot, winner) {
			lead, winner = other.lead, other.slot
		}
		i >>= 1
		game := &t.games[i]
		if winner != slot && winner == game.slot {
			return // as before
		}
		game.lead, game.slot = lead, winner
	}
}

// precedes orders two children with the same lead: by key, then by slot, which is by name.
func (t *tournament) precedes(a, b int32) bool {
	i, j := int(a)*t.keyLen, int(b)*t.keyLen
	for k := range t.keyLen {
		if v, w := t.keys[i+k], t.keys[j+k]; v != w {
			return v < w
		}
	}
	return a < b
}
