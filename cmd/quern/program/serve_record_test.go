package program

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
)

// recordLayout is what the tests read of what quern journal stat prints.
type recordLayout struct {
	First     uint64
	Segments  int
	Reserved  int64
	Snapshots []uint64
}

// recordAfter is what the record holds after so many requests of some kilobytes.
func recordAfter(t *testing.T, requests int, flags ...string) (o recordLayout) {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	address, end := hosted(t, append(flags, "--data", data)...)
	for n := range requests {
		body := fmt.Sprintf(`{"type":"app.add","id":"a%d","queue":"root.default","tags":{"x":%q}}`, n, strings.Repeat("x", 20_000))
		if status, text := post(t, address, body); status != http.StatusOK {
			t.Fatalf("%d %s", status, text)
		}
	}
	if code := end(); code != cli.Succeeded {
		t.Errorf("exit code %d", code)
	}
	r := quern("", "journal", "stat", "--json", data)
	if err := json.Unmarshal([]byte(r.out), &o); err != nil {
		t.Fatalf("%v: %s%s", err, r.out, r.err)
	}
	return o
}

// Small segments and frequent snapshots keep the record small while it grows; neither is what a host does unless it is told.
func TestTheRecordIsLaidOutAsSettingsSay(t *testing.T) {
	o := recordAfter(t, 30, "--segment-size", "64KiB", "--snapshot-batches", "10")
	if o.First <= 1 || len(o.Snapshots) != 2 || o.Reserved > int64(o.Segments)*(64<<10) {
		t.Errorf("found %+v", o)
	}
	if o := recordAfter(t, 30); o.First != 1 || len(o.Snapshots) != 1 || o.Segments != 1 || o.Reserved != 64<<20 {
		t.Errorf("without settings, found %+v", o)
	}
}
