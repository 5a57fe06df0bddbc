package program

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/store"
)

// lostRecords are records of an earlier release whose end was lost, and what is said of it.
var lostRecords = map[string]struct{ fault, missing string }{
	"record-behind-snapshot": {"00000000000000000745.log: damaged at offset 1264: batch 748 is incomplete, and 00000000000000000754.snap shows that batch 754 was acknowledged",
		"00000000000000000745.log: offset 1264: batches 748 to 754 are missing"},
	"page-of-zeros": {"00000000000000000745.log: damaged at offset 21352: batch 790 is damaged", "00000000000000000745.log: offset 21352: batch 790, and what may have followed, is missing"},
}

// lostRecord is a copy of one of them.
func lostRecord(t *testing.T, name string) string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(data, os.DirFS(filepath.Join("../../../host/store/testdata", name))); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(data, 0o700); err != nil {
		t.Fatal(err)
	}
	return data
}

func TestLostTail_ErrorNamesTheRemedy(t *testing.T) {
	for name, want := range lostRecords {
		data := lostRecord(t, name)
		for range 2 { // a start must not make a loss look like a record that is whole
			for _, args := range [][]string{{"serve", "--data", data, "--http", "127.0.0.1:0", "--grpc", "127.0.0.1:0"}, {"journal", "verify", data}, {"journal", "stat", data}, {"journal", "compact", data}} {
				r := quern("", args...)
				r.want(t, cli.Failed, "", want.fault)
				r.want(t, cli.Failed, "", "quern journal salvage")
			}
		}
		quern("", "journal", "verify", data).want(t, cli.Failed, "", want.missing)
	}
}

func TestSalvageWritesWhatCanBeRead(t *testing.T) {
	for name, want := range lostRecords {
		data := lostRecord(t, name)
		quern("", "journal", "salvage", data).want(t, cli.Succeeded, `{"missing":{"first":7`, want.missing)
		r := quern("", "journal", "salvage", "--inputs", data)
		r.want(t, cli.Succeeded, "# missing: "+want.missing, "snapshots that can be read: 2")
		quern(r.out, "replay", "--json", "-").want(t, cli.Succeeded, `"rejected": 0`, "")
	}
	quern("", "journal", "salvage", "nowhere").want(t, cli.BadInput, "", "nowhere")
}

// longRecord is a folder whose record has many segments behind the newest snapshot.
func longRecord(t *testing.T) (data string) {
	t.Helper()
	data = filepath.Join(t.TempDir(), "data")
	address, end := hosted(t, "--data", data, "--segment-size", "64KiB", "--snapshot-batches", "30", "--retain", "24h")
	for n := range 40 {
		body := fmt.Sprintf(`{"type":"app.add","id":"a%d","queue":"root.default","tags":{"x":%q}}`, n, strings.Repeat("x", 10_000))
		if status, text := post(t, address, body); status != http.StatusOK {
			t.Fatalf("%d %s", status, text)
		}
	}
	end()
	return data
}

// What a start does not need is read at the start all the same: a reader of the past is not the first to meet the damage.
func TestStart_ReportsDamageBehindTheSnapshot(t *testing.T) {
	data := longRecord(t)
	segment := filepath.Join(data, "00000000000000000001.log")
	text := []byte(read(t, segment))
	text[30_000] ^= 1
	if err := os.WriteFile(segment, text, 0o600); err != nil {
		t.Fatal(err)
	}
	quern("", "journal", "verify", data).want(t, cli.Failed, "", "00000000000000000001.log: damaged at offset")
	h := hostedWith(t, "--data", data)
	if said := h.said(); !strings.Contains(said, "the record is damaged behind the newest snapshot") || !strings.Contains(said, "00000000000000000001.log: damaged at offset") {
		t.Errorf("the host said %s", said)
	}
	h.end()
}

// Commands that only read see what a live scheduler had acknowledged.
func TestJournalCommandsReadALiveFolder(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	address, end := hosted(t, "--data", data)
	defer end()
	for n := range 5 {
		if status, text := post(t, address, fmt.Sprintf(`{"type":"node.add","id":"n%d","capacity":{"vcore":1}}`, n)); status != http.StatusOK {
			t.Fatalf("%d %s", status, text)
		}
		note := fmt.Sprintf("note: process %d has %s open", os.Getpid(), data)
		quern("", "journal", "verify", data).want(t, cli.Succeeded, "undamaged: batches 1 to", note)
		quern("", "journal", "stat", "--json", data).want(t, cli.Succeeded, fmt.Sprintf(`"decisions":%d`, n+1), note)
		quern("", "journal", "export", data).want(t, cli.Succeeded, fmt.Sprintf(`"id":"n%d"`, n), note)
		quern("", "journal", "salvage", data).want(t, cli.Succeeded, fmt.Sprintf(`"id":"n%d"`, n), "missing: 0")
	}
	quern("", "journal", "compact", data).want(t, cli.BadInput, "", "has it open")
}

func TestVerifySaysThatAFolderHoldsNoRecord(t *testing.T) {
	quern("", "journal", "verify", t.TempDir()).want(t, cli.Succeeded, "the folder holds no record yet", "")
}

// A record that is undamaged, but that no start could go on from, is not called so.
func TestVerifyFindsARecordThatDoesNotStart(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	writeRecord(t, data, `{"at":"2026-01-01T00:00:00Z","type":"nonsense"}`+"\n")
	quern("", "journal", "verify", data).want(t, cli.Failed, "", data+": a start would fail: batch 1:1: type: expected a type of input, found \"nonsense\"")
}

// writeRecord writes a record of one batch into a folder.
func writeRecord(t *testing.T, data, payload string) {
	t.Helper()
	disk, err := store.OpenFolder(data, true)
	if err != nil {
		t.Fatal(err)
	}
	record, _, err := store.Open(disk, store.Options{SegmentSize: 64 << 10})
	if err == nil {
		_, err = record.Append(0, 1, []byte(payload))
	}
	if err == nil {
		err = record.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}
