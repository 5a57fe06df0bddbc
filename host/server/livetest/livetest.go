// Package livetest runs live schedulers for the tests of what serves them.
package livetest

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

// Live is a scheduler that runs until the test ends.
type Live struct {
	*server.Server
	failing atomic.Bool
	end     func()
}

// End ends the scheduler before the test does, and waits until it has ended.
func (l *Live) End() { l.end() }

// FailStore has the store refuse to write from now on, or write again.
func (l *Live) FailStore(failing bool) { l.failing.Store(failing) }

// Start runs a scheduler on a simulated disk, with changes to its usual options.
func Start(t testing.TB, changes ...func(*server.Options)) *Live {
	t.Helper()
	l, disk := &Live{}, simdisk.New(1)
	disk.Fault = writeFault(&l.failing)
	record, found, err := store.Open(disk, store.Options{SegmentSize: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	o := server.Options{Store: record, Found: found, Clock: server.NewSystemClock(0), Log: slog.New(slog.DiscardHandler), MostEnding: time.Minute}
	for _, change := range changes {
		change(&o)
	}
	if l.Server, err = server.New(o); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx) }()
	l.end = sync.OnceFunc(func() {
		l.FailStore(false)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(l.end)
	return l
}

// writeFault is the fault of a disk that refuses to be written while it is failing.
func writeFault(failing *atomic.Bool) func(operation, name string) error {
	return func(operation, _ string) error {
		if failing.Load() && (operation == "write" || operation == "sync" || operation == "create") {
			return errors.New("no space is left")
		}
		return nil
	}
}
