package server

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

func TestAnExportBeginsWithWhatBroughtADecision(t *testing.T) {
	record, _, err := store.Open(simdisk.New(1), store.Options{SegmentSize: 4 << 10})
	if err != nil {
		t.Fatal(err)
	}
	filler := strings.Repeat("x", 1000)
	var last store.Position
	for n := range uint64(20) { // batch n+1 has input n+1, and the two decisions that input n brought
		lines := fmt.Sprintf(`{"at":"2026-11-23T06:00:%02dZ","type":"app.add","id":"a%d","queue":"%s"}`+"\n", n, n+1, filler)
		if n > 0 {
			lines = fmt.Sprintf(`{"seq":%d,"id":"a%d"}`+"\n"+`{"seq":%d,"id":"a%d"}`+"\n", 2*n-1, n, 2*n, n) + lines
		}
		if last, err = record.Append(2*n, int64(n), []byte(lines)); err != nil {
			t.Fatal(err)
		}
	}
	first := func(seq uint64) uint64 {
		t.Helper()
		batch, err := (&Begin{Decision: seq}).batch(record)
		if err != nil {
			t.Fatal(err)
		}
		return batch
	}
	for seq, want := range map[uint64]uint64{1: 1, 2: 1, 3: 2, 20: 10, 38: 19} {
		if batch := first(seq); batch != want {
			t.Errorf("decision %d: it begins with batch %d, expected %d", seq, batch, want)
		}
	}
	var undecided *UndecidedError
	if _, err := Export(record, unpolitical, Begin{Decision: 39}, &bytes.Buffer{}); !errors.As(err, &undecided) || undecided.Last != 38 {
		t.Errorf("found %v", err)
	}
	for _, p := range []store.Position{{Batch: last.Batch - 2, Decision: last.Decision - 4, At: last.At - 2}, last} {
		if err := record.WriteSnapshot(p, []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	if removed, err := record.Compact(last.At); err != nil || removed == 0 {
		t.Fatalf("removed %d: %v", removed, err)
	}
	var gone *CompactedError
	if _, err := Export(record, unpolitical, Begin{Decision: 3}, &bytes.Buffer{}); !errors.As(err, &gone) || gone.First < 4 {
		t.Errorf("found %v", err)
	}
	if batch := first(38); batch != 19 {
		t.Errorf("what is kept begins with batch %d", batch)
	}
}

// unpolitical makes policies for a record without modules.
func unpolitical() (Policies, error) { return noPolicies{}, nil }
