package server

import (
	"errors"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server/view"
	"github.com/quern-project/quern/host/store"
)

// readRemainder goes on with batches that were more than the inbox keeps. They are read from the record, and the replica decides them, which shows how
// their decisions were made.
func (v *View) readRemainder(rest *view.Remainder) (err error) {
	if err := v.present(func(*follower) {}); err != nil { // up to where watchers are
		return err
	}
	if at := v.memory.at.Batch; at < rest.Last {
		r, err := v.store.ReadFrom(at + 1)
		if err == nil {
			err = errors.Join(v.readBatches(r, rest.Last), r.Close())
		}
		if err != nil {
			return err
		}
	}
	return v.change(func() error {
		v.quiet = rest.Quiet
		if v.quiet.Batch != v.memory.at.Batch {
			return nil
		}
		err := v.watched(func(f *follower) error { return f.DecideIdle(v.quiet) })
		v.memory.open, v.now = nil, max(v.now, v.quiet.Until)
		return err
	})
}

// readBatches goes on with the batches of a record up to one.
func (v *View) readBatches(r *store.Reader, last uint64) error {
	for v.memory.at.Batch < last {
		at, payload, err := r.Next()
		if err != nil {
			return err
		}
		if err := v.decoded.decode(at.Batch, payload); err != nil {
			return err
		}
		if err := v.change(func() error { return v.goOnRead(at, len(payload)) }); err != nil {
			return err
		}
		if err := v.captureRenewed(); err != nil {
			return err
		}
	}
	return nil
}

// goOnRead goes on with a batch of the record that was decoded.
func (v *View) goOnRead(at store.Position, size int) error {
	var decisions []core.Decision
	err := v.watched(func(f *follower) error {
		err := v.decideRead(f, at)
		decisions = f.watcher.(*rereading).decisions
		return err
	})
	if err != nil {
		return err
	}
	if err := v.memory.follow(at, &v.decoded); err != nil {
		return err
	}
	v.publish(at, decisions, size)
	return nil
}

func (v *View) decideRead(f *follower, at store.Position) error {
	if v.verifies {
		return f.follow(at, &v.decoded)
	}
	b := v.decoded.batch(at, 0)
	return f.Decide(&b)
}

// watched lets the replica decide, and passes its steps to the watcher.
func (v *View) watched(decide func(f *follower) error) error {
	f, err := v.replica.CatchUp()
	if err != nil {
		return err
	}
	w := &rereading{view: v}
	f.watcher = w
	defer func() { f.watcher, f.watched = nil, nil }()
	if err := decide(f); err != nil {
		return err
	}
	if len(w.decisions) > 0 {
		v.observer.Published(w.decisions)
	}
	return nil
}

// rereading shows a view what its own replica decides.
type rereading struct {
	view      *View
	decisions []core.Decision
}

// Begin implements Watcher.
func (*rereading) Begin(*scheduler.Scheduler) {}

// Step implements Watcher. Answers of policies are no inputs of clients.
func (w *rereading) Step(at time.Duration, in *core.Input, refused core.Reason, brought []core.Decision) {
	if in != nil && in.Type() == core.PolicyAnswers {
		in = nil
	}
	w.view.step(at, in, refused, brought)
	w.decisions = append(w.decisions, brought...)
}
