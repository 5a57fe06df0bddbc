package server

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

// witness notes what it is shown.
type witness struct {
	began int // nodes that were there
	seen  []string
}

func (w *witness) Begin(s *scheduler.Scheduler) { w.began = len(s.Dump().Nodes) }

func (w *witness) Step(at time.Duration, in *core.Input, refused core.Reason, decisions []core.Decision) {
	if in != nil {
		w.seen = append(w.seen, fmt.Sprint(at, " ", in.Type(), refused))
	}
	for i := range decisions {
		w.seen = append(w.seen, fmt.Sprint(decisions[i].Seq, " ", decisions[i].Type))
	}
}

func TestAWatcherSeesTheRecordFromTheSnapshotOn(t *testing.T) {
	disk := simdisk.New(1)
	open := func(w *witness) (*store.Log, store.Opened, *loop) {
		t.Helper()
		log, found, err := store.Open(disk, store.Options{SegmentSize: 32 << 10})
		if err != nil {
			t.Fatal(err)
		}
		l, _, err := recoverLoop(log, &found, func(bool) Policies { return noPolicies{} }, w)
		if err != nil {
			t.Fatal(err)
		}
		return log, found, l
	}
	_, _, l := open(&witness{})
	for i, id := range []string{"n1", "n2", "n1"} {
		in := core.Input{Event: &core.AddNode{ID: id}}
		lines, err := encode([]core.Input{in})
		if err != nil {
			t.Fatal(err)
		}
		w := &waiting{Request: &Request{Inputs: []core.Input{in}}, lines: lines, done: make(chan error, 1)}
		if err := l.round(time.Duration(i+1)*time.Hour, []*waiting{w}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.round(4*time.Hour, nil); err != nil {
		t.Fatal(err)
	}
	disk.Crash()
	w := &witness{}
	log, found, _ := open(w)
	if expected := []string{"1h0m0s node.add", "1 node.accepted", "2h0m0s node.add", "2 node.accepted", "3h0m0s node.addduplicate", "3 node.rejected"}; w.began != 0 || !slices.Equal(w.seen, expected) {
		t.Errorf("expected %q from nothing, found %q from %d nodes", expected, w.seen, w.began)
	}
	if _, err := snapshotEnd(log, &found, noPolicies{}); err != nil {
		t.Fatal(err)
	}
	w = &witness{}
	if open(w); w.began != 2 || len(w.seen) != 0 {
		t.Errorf("after a snapshot: %q from %d nodes", w.seen, w.began)
	}
}
