// Package checksum computes SHA-256. It uses crypto/sha256, except under WebAssembly, where that would add ciphers and self-tests to a
// module that pages load. There it has a small implementation of its own.
package checksum

import "encoding/hex"

// Hex returns the hash of data in hexadecimal.
func Hex(data []byte) string {
	h := New()
	_, _ = h.Write(data) // never fails
	return hex.EncodeToString(h.Sum(nil))
}
