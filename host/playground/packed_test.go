package playground

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func TestAShortJournalIsPackedForAnAddress(t *testing.T) {
	g := &Given{name: "a <b> & c", Journal: []byte("{\"at\":\"0s\",\"type\":\"tick\"}\n")}
	data, err := base64.RawURLEncoding.DecodeString(g.Packed(90 * time.Second))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
	if err != nil {
		t.Fatal(err)
	}
	var found map[string]any
	if err := json.Unmarshal(text, &found); err != nil {
		t.Fatal(err)
	}
	if found["t"] != g.name || found["j"] != string(g.Journal) || found["b"] != 90.0 || len(found) != 3 {
		t.Errorf("found %v", found)
	}
}

func TestAJournalThatIsTooLongForALinkIsNotPacked(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var b strings.Builder
	for b.Len() < LongestLink {
		b.WriteByte(byte('!' + random.IntN(90)))
	}
	if packed := (&Given{Journal: []byte(b.String())}).Packed(0); packed != "" {
		t.Errorf("%d characters were packed into %d", b.Len(), len(packed))
	}
	if packed := (&Given{Journal: bytes.Repeat([]byte("{}\n"), 100_000)}).Packed(0); packed == "" || len(packed) > LongestLink {
		t.Errorf("a long journal that packs well has %d characters", len(packed))
	}
}
