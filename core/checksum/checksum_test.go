package checksum

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quern-project/quern/internal/seeded"
)

func TestTheSmallHashIsSHA256(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 200)).Draw(t, "parts")
		h := newSmall()
		var all []byte
		for _, part := range parts {
			_, _ = h.Write(part)
			all = append(all, part...)
			if want := sha256.Sum256(all); !bytes.Equal(h.Sum(nil), want[:]) {
				t.Fatalf("of %d bytes: expected %x, found %x", len(all), want, h.Sum(nil))
			}
		}
		h.Reset()
		if want := sha256.Sum256(nil); !bytes.Equal(h.Sum(nil), want[:]) {
			t.Fatalf("of nothing: expected %x, found %x", want, h.Sum(nil))
		}
	})
}

func TestEveryLengthAroundABlock(t *testing.T) {
	for n := range 200 {
		data := bytes.Repeat([]byte{'x'}, n)
		h := newSmall()
		_, _ = h.Write(data)
		if want := sha256.Sum256(data); !bytes.Equal(h.Sum(nil), want[:]) {
			t.Errorf("%d bytes: expected %x, found %x", n, want, h.Sum(nil))
		}
	}
}
