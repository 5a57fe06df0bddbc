package server

import (
	"errors"

	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server/view"
	"github.com/quern-project/quern/host/store"
)

// ErrHeld ends a reader that has held a version for too long.
var ErrHeld = view.ErrHeld

// replicates has readers see a follower, or those that are forked from later versions.
func (v *View) replicates(f *follower, verifies bool) {
	if !verifies {
		f.made, f.hostMemory = nil, hostMemory{at: f.at, open: f.open}
	}
	v.policies, v.verifies = f.policies, verifies
	v.replica = view.NewReplica(f, func(s view.Start) *follower {
		return &follower{hostMemory: hostMemory{at: s.At, open: s.Open}, seq: s.At.Decision, scheduler: s.Version.Fork(optionsOf(v.policies)), policies: v.policies, frozen: &s}
	})
}

// replicate has the replica go on with a handover that was decoded.
func (v *View) replicate(h *view.Handover) error {
	if v.verifies {
		f, err := v.replica.CatchUp()
		if err != nil {
			return err
		}
		return f.follow(h.At, &v.decoded)
	}
	return v.replica.Add(v.decoded.batch(h.At, len(h.Decisions)), h.Version, h.Unversioned)
}

// batch is what a replica receives of a batch with so many decisions.
func (b *decodedBatch) batch(at store.Position, decisions int) view.Batch {
	return view.Batch{At: at, Inputs: b.inputs, Answers: b.answers, Work: len(b.inputs) + decisions}
}

// Scheduler implements view.Decider.
func (f *follower) Scheduler() *scheduler.Scheduler { return f.scheduler }

// Freeze implements view.Decider: readers that come one after the other share a version.
func (f *follower) Freeze() (view.Start, error) {
	if f.frozen == nil {
		frozen, err := f.scheduler.Freeze()
		if err != nil {
			return view.Start{}, err
		}
		f.frozen = &view.Start{Version: frozen, At: f.at, Open: f.open}
	}
	return *f.frozen, nil
}

// freeze returns a version of the view's scheduler, which a reader forks in its own goroutine and releases. It holds the view for a moment, in
// which also reads from the follower what belongs to the same state.
func (v *View) freeze(also func(f *follower)) (*view.Held, error) {
	var start view.Start
	var err error
	bug := v.present(func(f *follower) {
		if start, err = f.Freeze(); err == nil {
			also(f)
		}
	})
	if err := errors.Join(bug, err); err != nil {
		return nil, err
	}
	return v.versions.Hold(start.Version), nil
}
