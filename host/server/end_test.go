package server

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store/simdisk"
)

// slowEnding runs a server on a disk that is held, until it has done something and is told to end. It returns how the server ended. The tests
// run in a bubble: the time that an ending may take passes once nothing else can go on.
func slowEnding(t *testing.T, disk *simdisk.Disk, do func(s *Server, held *heldDisk)) error {
	t.Helper()
	held := &heldDisk{Disk: disk.Mount()}
	s, _ := opened(t, held, 1<<20, func(o *Options) { o.MostEnding = 50 * time.Millisecond })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	source := s.Source()
	if _, err := source.Submit(ctx, &Request{Inputs: []core.Input{{Event: &core.AddNode{ID: "n1"}}}}); err != nil {
		t.Fatal(err)
	}
	do(s, held)
	t.Cleanup(held.let)
	cancel()
	return <-ended
}

// recoversNode fails unless a server finds its one node on a disk after a crash.
func recoversNode(t *testing.T, disk *simdisk.Disk) {
	t.Helper()
	disk.Crash()
	s, _ := opened(t, disk, 1<<20)
	s.View().Read(func(present *scheduler.Scheduler) {
		if _, ok := present.Node("n1"); !ok {
			t.Error("the node is not there")
		}
	})
}

func TestStop_DoesNotWaitForALongSnapshot(t *testing.T) {
	synctest.Test(t, snapshotThatTakesTooLong)
}

func snapshotThatTakesTooLong(t *testing.T) {
	disk := simdisk.New(1)
	err := slowEnding(t, disk, func(_ *Server, held *heldDisk) { held.hold() })
	if !errors.Is(err, ErrNoSnapshot) {
		t.Errorf("found %v", err)
	}
	recoversNode(t, disk)
}

func TestASnapshotThatIsFinishedAfterTheEndIsHarmless(t *testing.T) {
	synctest.Test(t, snapshotThatIsFinishedLate)
}

func snapshotThatIsFinishedLate(t *testing.T) {
	disk := simdisk.New(1)
	var held *heldDisk
	var record Store
	err := slowEnding(t, disk, func(s *Server, h *heldDisk) {
		held, record = h, s.o.Store
		held.hold()
	})
	if !errors.Is(err, ErrNoSnapshot) {
		t.Fatalf("found %v", err)
	}
	held.let()
	synctest.Wait()
	if state, _, err := record.SnapshotBefore(1 << 62); err != nil || state == nil {
		t.Fatalf("there is no snapshot: %v", err)
	}
	recoversNode(t, disk)
}

func TestARoundThatTakesTooLongIsNotWaitedForAtTheEnd(t *testing.T) {
	synctest.Test(t, roundThatTakesTooLong)
}

func roundThatTakesTooLong(t *testing.T) {
	disk := simdisk.New(1)
	err := slowEnding(t, disk, func(s *Server, held *heldDisk) {
		if err := s.o.Store.Prepare(); err != nil { // so that no sync but that of the batch is waited for
			t.Fatal(err)
		}
		held.hold()
		if _, err := s.Source().Enqueue(t.Context(), &Request{Inputs: []core.Input{{Event: &core.AddNode{ID: "n2"}}}}); err != nil {
			t.Fatal(err)
		}
		<-held.waiting
	})
	if !errors.Is(err, ErrUnfinished) {
		t.Errorf("found %v", err)
	}
	recoversNode(t, disk)
}
