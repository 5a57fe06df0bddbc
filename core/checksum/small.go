package checksum

import (
	"encoding/binary"
	"math/bits"
)

// small implements SHA-256 as specified in FIPS 180-4.
type small struct {
	state  [8]uint32
	block  [64]byte
	filled int    // bytes in block
	length uint64 // bytes written so far
}

// The first 32 bits of the fractional parts of the square roots of the first 8 primes, and of the cube roots of the first 64.
var (
	initial = [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	rounds  = [64]uint32{
		0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
		0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
		0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
		0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
		0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
		0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
		0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
		0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
	}
)

func newSmall() *small { return &small{state: initial} }

// Reset implements hash.Hash.
func (s *small) Reset() { *s = small{state: initial} }

// Size implements hash.Hash.
func (s *small) Size() int { return 32 }

// BlockSize implements hash.Hash.
func (s *small) BlockSize() int { return len(s.block) }

// Write implements hash.Hash. It never fails.
func (s *small) Write(data []byte) (int, error) {
	n := len(data)
	s.length += uint64(n)
	for len(data) > 0 {
		if s.filled == 0 && len(data) >= len(s.block) {
			s.mix(data)
			data = data[len(s.block):]
			continue
		}
		taken := copy(s.block[s.filled:], data)
		data = data[taken:]
		if s.filled += taken; s.filled == len(s.block) {
			s.mix(s.block[:])
			s.filled = 0
		}
	}
	return n, nil
}

// Sum implements hash.Hash.
func (s *small) Sum(out []byte) []byte {
	end := *s
	padding := make([]byte, 1+(119-s.length%64)%64, 72)
	padding[0] = 0x80
	_, _ = end.Write(binary.BigEndian.AppendUint64(padding, 8*s.length)) // never fails
	for _, v := range end.state {
		out = binary.BigEndian.AppendUint32(out, v)
	}
	return out
}

// mix processes one block.
func (s *small) mix(block []byte) {
	var w [64]uint32
	for i := range 16 {
		w[i] = binary.BigEndian.Uint32(block[4*i:])
	}
	for i := 16; i < 64; i++ {
		x, y := w[i-15], w[i-2]
		w[i] = w[i-16] + w[i-7] + (bits.RotateLeft32(x, -7) ^ bits.RotateLeft32(x, -18) ^ x>>3) +
			(bits.RotateLeft32(y, -17) ^ bits.RotateLeft32(y, -19) ^ y>>10)
	}
	a, b, c, d, e, f, g, h := s.state[0], s.state[1], s.state[2], s.state[3], s.state[4], s.state[5], s.state[6], s.state[7]
	for i := range w {
		t1 := h + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (e&f ^ ^e&g) + rounds[i] + w[i]
		t2 := (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&b ^ a&c ^ b&c)
		a, b, c, d, e, f, g, h = t1+t2, a, b, c, d+t1, e, f, g
	}
	for i, v := range [8]uint32{a, b, c, d, e, f, g, h} {
		s.state[i] += v
	}
}
