package gate

import (
	"testing"

	"pgregory.net/rapid"
)

func TestNumbersAreReadAsTheyAreWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u, s := rapid.Uint32().Draw(t, "u"), rapid.Int64().Draw(t, "s")
		b := appendSigned(appendU32(nil, u), s)
		b = appendSigned(b, int64(int32(s)))
		r := &reader{file: b, end: len(b)}
		if gotU, gotS, got32 := r.u32("u"), r.signed(64, "s"), r.signed(32, "s"); gotU != u || gotS != s || got32 != int64(int32(s)) {
			t.Fatalf("%d, %d, %d became %d, %d, %d", u, s, int32(s), gotU, gotS, got32)
		}
		if r.done(); r.err != nil {
			t.Fatal(r.err)
		}
	})
}

func TestNumbersThatEnginesMustRefuse(t *testing.T) {
	for _, c := range []struct {
		bits   int
		signed bool
		bytes  []byte
		want   Code // empty: accepted
	}{
		{32, false, []byte{0x80, 0x80, 0x80, 0x80, 0x00}, ""}, // longer than needed, as linkers write
		{32, false, []byte{0xff, 0xff, 0xff, 0xff, 0x0f}, ""},
		{32, false, []byte{0xff, 0xff, 0xff, 0xff, 0x10}, CodeBadNumber},
		{32, false, []byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x00}, CodeBadNumber},
		{32, false, []byte{0x80, 0x80}, CodeTruncated},
		{32, true, []byte{0x80, 0x80, 0x80, 0x80, 0x78}, ""}, // the smallest
		{32, true, []byte{0xff, 0xff, 0xff, 0xff, 0x0f}, CodeBadNumber},
		{32, true, []byte{0xff, 0xff, 0xff, 0xff, 0x7f}, ""}, // -1
		{33, true, []byte{0x80, 0x80, 0x80, 0x80, 0x70}, ""},
		{33, true, []byte{0x80, 0x80, 0x80, 0x80, 0x60}, CodeBadNumber},
		{64, true, []byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f}, ""},
		{64, true, []byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}, CodeBadNumber},
	} {
		r := &reader{file: c.bytes, end: len(c.bytes)}
		r.leb(c.bits, c.signed, "a number")
		got := Code("")
		if r.err != nil {
			got = r.err.Code
		}
		if got != c.want {
			t.Errorf("% x as %d bits: %q, expected %q", c.bytes, c.bits, got, c.want)
		}
	}
}
