package journal

import "math/bits"

// keySet is a set of keys.
type keySet [2]uint64

func setOf(keys ...key) keySet {
	var s keySet
	for _, k := range keys {
		s.add(k)
	}
	return s
}

func (s *keySet) add(k key) { s[k>>6] |= 1 << (k & 63) }

func (s *keySet) has(k key) bool { return s[k>>6]>>(k&63)&1 != 0 }

func (s keySet) empty() bool { return s == keySet{} }

// or returns the keys that are in s or in t.
func (s keySet) or(t keySet) keySet { return keySet{s[0] | t[0], s[1] | t[1]} }

// and returns the keys that are in s and in t.
func (s keySet) and(t keySet) keySet { return keySet{s[0] & t[0], s[1] & t[1]} }

// without returns the keys of s that are not in t.
func (s keySet) without(t keySet) keySet { return keySet{s[0] &^ t[0], s[1] &^ t[1]} }

// first returns the key of a non-empty set that is declared first.
func (s keySet) first() key {
	if s[0] != 0 {
		return key(bits.TrailingZeros64(s[0]))
	}
	return key(64 + bits.TrailingZeros64(s[1]))
}
