package server

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/store"
)

// slowDisk waits before the first snapshot is written.
type slowDisk struct {
	store.Disk
	once             sync.Once
	writing, written chan struct{}
}

func (d *slowDisk) Create(name string) (store.File, error) {
	if strings.HasPrefix(name, "snapshot") {
		d.once.Do(func() { close(d.writing); <-d.written })
	}
	return d.Disk.Create(name)
}

// A snapshot that takes its time to be written keeps nobody waiting: inputs are answered, and the view goes on.
func TestTheViewGoesOnWhileASnapshotIsWritten(t *testing.T) {
	for name, due := range map[string]func(*View){
		"after some time":  func(v *View) { v.keptAt = time.Now().Add(-time.Hour) },
		"after some bytes": func(v *View) { v.unsaved.Store(snapshotBytes - 10) },
	} {
		t.Run(name, func(t *testing.T) { goesOnWhileWritten(t, due) })
	}
}

func goesOnWhileWritten(t *testing.T, due func(*View)) {
	disk := &slowDisk{Disk: store.NewMemory(), writing: make(chan struct{}), written: make(chan struct{})}
	record, found, err := store.Open(disk, store.Options{SegmentSize: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Store: record, Found: found, Clock: SystemClock{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	due(s.view)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	source := s.Source()
	submit := func(id string) {
		answer, err := source.Submit(ctx, &Request{Inputs: []core.Input{{Type: core.NodeAdd, ID: id}}})
		if err == nil {
			err = s.View().Await(ctx, answer.Batch)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	submit("n0")
	<-disk.writing
	for n := range 5 {
		id := fmt.Sprintf("n%d", n+1)
		submit(id)
		ok := false
		s.View().Read(func(present *core.Scheduler) { _, ok = present.Node(id) })
		if !ok {
			t.Errorf("the view does not have node %s", id)
		}
	}
	close(disk.written)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if left := s.view.unsaved.Load(); left >= snapshotBytes/2 {
		t.Errorf("after the snapshot %d bytes are left to be in one", left)
	}
}

func TestTheRecordIsKeptForAnotherTimeFromTheNextSnapshotOn(t *testing.T) {
	record, found, err := store.Open(store.NewMemory(), store.Options{SegmentSize: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Store: record, Found: found, Clock: SystemClock{}, Log: slog.New(slog.DiscardHandler), Retain: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	at := s.view.followed.At
	for _, d := range []time.Duration{time.Hour, 3 * time.Hour, 0} {
		s.SetRetain(d)
		if c, err := s.view.capture(); err != nil || c.keep != at-int64(d) {
			t.Errorf("%s: found %s (%v)", d, time.Duration(at-c.keep), err)
		}
	}
}
