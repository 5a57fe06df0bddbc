package livetest

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

// Machine is where a scheduler runs, ends, and runs again, under a clock that the test sets.
type Machine struct {
	*server.Server // since Start
	Clock          Clock

	disk    *simdisk.Disk
	failing atomic.Bool
	stop    func() error
}

// NewMachine returns a machine with an empty disk.
func NewMachine() *Machine {
	m := &Machine{disk: simdisk.New(1)}
	m.disk.Fault = writeFault(&m.failing)
	return m
}

// FailStore has the disk refuse to be written from now on, or be written again.
func (m *Machine) FailStore(failing bool) { m.failing.Store(failing) }

// Start runs a scheduler that goes on from what the disk has, with changes to its usual options.
func (m *Machine) Start(changes ...func(*server.Options)) error {
	record, found, err := store.Open(m.disk, store.Options{SegmentSize: 64 << 10})
	if err != nil {
		return err
	}
	o := server.Options{Store: record, Found: found, Clock: &m.Clock, Log: slog.New(slog.DiscardHandler), MostEnding: time.Minute}
	for _, change := range changes {
		change(&o)
	}
	m.Server, err = server.New(o)
	if err != nil {
		return errors.Join(err, record.Close())
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	m.stop = func() error {
		cancel()
		return errors.Join(<-ended, record.Close())
	}
	return nil
}

// Present waits until readers see what is at the time of the clock, a minute at most: where a timer is due at exactly that time, and the clock
// stands still, they see what was before. A reader that is to see the present waits for a moment only, since the loop may be unable to go on: on
// a busy machine, that is not long enough.
func (m *Machine) Present() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for seen := false; !seen && ctx.Err() == nil; {
		m.Refresh(ctx)
		m.View().Read(func(s *scheduler.Scheduler) { seen = s.Now() >= m.Clock.Now() })
	}
}

// Stop ends the scheduler in good order.
func (m *Machine) Stop() error { return m.stop() }
