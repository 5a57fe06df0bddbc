package server

import (
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/store"
)

// View is what readers see: a scheduler that follows the record, so that no reader holds up the loop. It is a moment behind.
type View struct {
	store  Store
	log    *slog.Logger
	retain time.Duration // how long batches are kept that no recovery needs

	mu       sync.Mutex
	follower *follower
	failure  error         // why the store does not write
	changed  chan struct{} // closed when the view has gone on
	idle     uint64        // the inputs of this batch have brought no decisions
	kept     store.Position
	keptAt   time.Time

	wake    chan struct{}
	stopped chan struct{} // the loop has ended
	ended   chan struct{} // the view has, too
}

// newView has readers see what a follower knows.
func newView(o *Options, f *follower) *View {
	return &View{store: o.Store, log: o.Log, retain: o.Retain, follower: f, kept: o.Found.At, keptAt: time.Now(),
		changed: make(chan struct{}), wake: make(chan struct{}, 1), stopped: make(chan struct{}), ended: make(chan struct{})}
}

// Read shows a reader the scheduler. Only what it returns may be kept.
func (v *View) Read(show func(s *core.Scheduler)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	show(v.follower.scheduler)
}

// Failure is why the store does not write, nil while it does.
func (v *View) Failure() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.failure
}

func (v *View) fail(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.failure = err
}

// Changed returns a channel that is closed when the view has gone on from where it is now.
func (v *View) Changed() <-chan struct{} {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.changed
}

// ring tells the view that the record may have grown, and the last batch whose inputs are known to have brought no decisions.
func (v *View) ring(idle uint64) {
	v.mu.Lock()
	v.idle = idle
	v.mu.Unlock()
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

func (v *View) stop() { close(v.stopped) }

// follow goes along with the record until stop, and then to its end.
func (v *View) follow() (err error) {
	defer close(v.ended)
	r, err := v.store.ReadFrom(v.follower.at.Batch + 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for last := false; ; {
		if err := v.read(r); err != nil {
			return err
		}
		if last {
			return nil
		}
		if err := errors.Join(v.keepWhenDue(), v.store.Prepare()); err != nil {
			v.log.Error("the store could not be looked after", "error", err)
		}
		select {
		case <-v.wake:
		case <-v.stopped:
			last = true
		}
	}
}

// read follows what is new in the record.
func (v *View) read(r *store.Reader) error {
	for {
		p, payload, err := r.Next()
		if err == io.EOF {
			return v.change(v.settle)
		}
		if err != nil {
			return err
		}
		if err := v.change(func() error { return v.follower.follow(p, payload) }); err != nil {
			return err
		}
	}
}

// settle decides the inputs of the last batch, if that brings no decisions: otherwise they come with the next one.
func (v *View) settle() error {
	if v.idle != v.follower.at.Batch {
		return nil
	}
	return v.follower.idle()
}

// change has the view go on.
func (v *View) change(step func() error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := step(); err != nil {
		return err
	}
	close(v.changed)
	v.changed = make(chan struct{})
	return nil
}
