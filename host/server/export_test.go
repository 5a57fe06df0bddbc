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
	first := func(seq uint64) (string, bool) {
		t.Helper()
		var out bytes.Buffer
		x, err := Export(record, Begin{Decision: seq}, &out)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(out.String(), `"id":"`)
		id, _, _ := strings.Cut(rest, `"`)
		return id, x.Whole
	}
	for seq, want := range map[uint64]string{1: "a1 true", 2: "a1 true", 3: "a2 false", 20: "a10 false", 38: "a19 false"} {
		if id, whole := first(seq); fmt.Sprint(id, " ", whole) != want {
			t.Errorf("decision %d: it begins with %s (%v), expected %s", seq, id, whole, want)
		}
	}
	var undecided *UndecidedError
	if _, err := Export(record, Begin{Decision: 39}, &bytes.Buffer{}); !errors.As(err, &undecided) || undecided.Last != 38 {
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
	if _, err := Export(record, Begin{Decision: 3}, &bytes.Buffer{}); !errors.As(err, &gone) || gone.First < 4 {
		t.Errorf("found %v", err)
	}
	if id, whole := first(38); id != "a19" || whole {
		t.Errorf("what is kept begins with %s (%v)", id, whole)
	}
}
