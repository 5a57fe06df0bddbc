package server

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/store"
)

// Folders below testdata were written by earlier releases, and stay as they are. store-1 is of the first format: a snapshot in JSON,
// and batches behind it that a process left which was killed.
func TestAStoreOfAnEarlierReleaseOpens(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(folder, os.DirFS("testdata/store-1")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	disk, err := store.OpenFolder(folder, true)
	if err != nil {
		t.Fatal(err)
	}
	record, found, err := store.Open(disk, store.Options{SegmentSize: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := record.Close(); err != nil {
			t.Error(err)
		}
	}()
	if found.Snapshot == nil || found.At.Batch != 4 || record.End().Batch != 7 {
		t.Fatalf("found a snapshot at %+v, and batches up to %+v", found.At, record.End())
	}
	s, err := New(Options{Store: record, Found: found, Clock: SystemClock{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	var states []string
	s.View().Read(func(present *core.Scheduler) {
		for _, k := range present.Asks(&core.Page{Limit: 100, Work: 1000}).Items {
			states = append(states, k.ID+" "+k.State()+" "+k.Node)
		}
	})
	const want = "p1 leaving n2, p2 allocated n2, m1 pending , b1 allocated n1, t1 allocated n2, t2 pending , t3 pending "
	if found := strings.Join(states, ", "); found != want {
		t.Errorf("expected %s, found %s", want, found)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	repeat(t, s)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// repeat sends a request of the store again, with its key.
func repeat(t *testing.T, s *Server) {
	const inputs = `{"type":"ask.add","id":"m1","app":"gang","task_group":"g","resources":{"vcore":1}}
{"type":"ask.add","id":"o1","app":"over","resources":{"vcore":1}}
{"type":"app.remove","id":"over"}
{"type":"node.drain","id":"n1"}
`
	r := &Request{Key: "second"}
	for d := journal.NewInputDecoder(strings.NewReader(inputs), "test"); ; {
		e, err := d.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		r.Inputs = append(r.Inputs, e.Input)
	}
	answer, err := s.Source().Submit(context.Background(), r)
	if err != nil || answer.First != 14 || answer.Last != 17 || len(answer.Decisions) != 4 || SeqOf(answer.Decisions[3]) != 22 {
		t.Errorf("found %+v, %v", answer, err)
	}
}
