// Package checksum hashes bytes with SHA-256: crypto/sha256 where that costs nothing, and under WebAssembly an implementation
// of its own, since the standard one brings ciphers and self-tests into a module that pages load.
package checksum

import "encoding/hex"

// Hex is the hash of some bytes in hexadecimal.
func Hex(data []byte) string {
	h := New()
	_, _ = h.Write(data) // never fails
	return hex.EncodeToString(h.Sum(nil))
}
