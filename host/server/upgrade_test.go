package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
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
	clock := stillClock(record.End().At) + stillClock(time.Minute) // its keys have not expired
	s, err := New(Options{Store: record, Found: found, Clock: clock, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	var states []string
	s.View().Read(func(present *scheduler.Scheduler) {
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

// stillClock is a time that does not go on.
type stillClock time.Duration

// Now implements Clock.
func (c stillClock) Now() time.Duration { return time.Duration(c) }

// Wake implements Clock.
func (stillClock) Wake(time.Duration) (<-chan time.Time, func()) { return nil, func() {} }

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
	if err != nil || answer.First != 14 || answer.Last != 17 || len(answer.Decisions) != 4 || answer.Decisions[3].Seq() != 22 {
		t.Errorf("found %+v, %v", answer, err)
	}
}

// preempting are inputs that make an ask preempt another one.
func preempting() []core.Input {
	room := resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000})
	ask := func(id, node string, priority int32) core.Input {
		return core.Input{Event: &core.AddAsk{ID: id, App: "app-of-" + id, Resources: room, Ask: core.Ask{Node: node, Priority: priority}}}
	}
	return []core.Input{
		{Event: &core.AddNode{ID: "n", Capacity: room}},
		{Event: &core.AddApp{ID: "app-of-low", Queue: "root.default"}}, ask("low", "", 0),
		{Event: &core.AddApp{ID: "app-of-daemon", Queue: "root.default"}}, ask("daemon", "n", 1),
	}
}

// copyRecord copies the batches of a record, each changed by a function.
func copyRecord(t *testing.T, from, to *simdisk.Disk, change func(payload []byte) []byte) {
	t.Helper()
	old, _, err := store.Open(from, store.Options{SegmentSize: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	record, _, err := store.Open(to, store.Options{SegmentSize: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	batches, err := old.ReadFrom(1)
	if err != nil {
		t.Fatal(err)
	}
	for {
		at, payload, err := batches.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			_, err = record.Append(at.Decision, at.At, change(payload))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(batches.Close(), record.Close(), old.Close()); err != nil {
		t.Fatal(err)
	}
}

// Decisions did not always name the right to preempt.
func TestARecordWithoutRightsToPreemptOpens(t *testing.T) {
	disk := simdisk.New(1)
	driven(t, hostOf(t, disk, &atomic.Int64{}), func(source *Source) {
		inputs := preempting()
		submit(t, source, inputs[:3]...)
		submit(t, source, inputs[3:]...)
	})
	for name, c := range map[string]struct {
		change func([]byte) []byte
		opens  bool
	}{
		"as it is": {func(b []byte) []byte { return b }, true},
		"without rights": {func(b []byte) []byte {
			return bytes.ReplaceAll(b, []byte(`,"right":"required-node"`), nil)
		}, true},
		"with another right": {func(b []byte) []byte {
			return bytes.ReplaceAll(b, []byte(`"right":"required-node"`), []byte(`"right":"guarantee"`))
		}, false},
	} {
		copied := simdisk.New(2)
		copyRecord(t, disk, copied, c.change)
		record, found, err := store.Open(copied, store.Options{SegmentSize: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		_, err = New(Options{Store: record, Found: found, Clock: NewSystemClock(0), Log: slog.New(slog.DiscardHandler)})
		var diverged *DivergedError
		if c.opens && err != nil || !c.opens && !errors.As(err, &diverged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
