package server

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store"
)

// replica is the scheduler that readers see. It is brought up to date when a reader comes. Until then it keeps the batches that it lacks; if
// they become many, a version of the loop's scheduler replaces them, so that what no reader looks at is decided only once.
//
// The versions come without what policies have answered. While there are policies, the replica decides all batches, with the recorded answers.
type replica struct {
	policies Policies
	verifies bool // it decides each batch when it comes, and compares each decision

	follower *follower         // nil: it is made from the version when a reader comes
	version  *scheduler.Frozen // nil: there is a follower
	at       store.Position    // of the version
	open     []core.Input      // that follow the version
	backlog  []undecided
	work     int // inputs and decisions in the backlog
	most     int // work, before a version is better
}

// undecided is a batch that a replica lacks.
type undecided struct {
	at              store.Position
	inputs, answers []core.Input
}

// mostBacklog is how many inputs and decisions a replica lacks before it wants a version. Deciding them takes about as long as a fork of a
// middling cluster, which a reader waits for either way.
const mostBacklog = 2_000

// newReplica makes the replica that a follower's scheduler becomes.
func newReplica(f *follower, verifies bool) replica {
	if !verifies {
		f.made, f.hostMemory = nil, hostMemory{at: f.at, open: f.open}
	}
	return replica{policies: f.policies, verifies: verifies, follower: f, most: mostBacklog}
}

// add takes in a batch, which was decoded.
func (r *replica) add(h *handover, b *decodedBatch) error {
	if r.verifies {
		return r.follower.follow(h.at, b)
	}
	r.backlog = append(r.backlog, undecided{h.at, b.inputs, b.answers})
	r.work += len(b.inputs) + len(h.decisions)
	switch {
	case !r.wantsVersion(): // a reader may have come meanwhile
	case h.version != nil:
		r.follower, r.version, r.at, r.open = nil, h.version, h.at, b.inputs
		r.backlog, r.work = nil, 0
	case h.unversioned:
		return r.catchUp()
	}
	return nil
}

// wantsVersion reports whether the backlog is so large that a version is better.
func (r *replica) wantsVersion() bool { return r.work > r.most }

// present returns a follower that has decided all batches, and has advanced through the quiet period after the last one.
func (r *replica) present(q quiet) (*follower, error) {
	if err := r.catchUp(); err != nil {
		return nil, err
	}
	if q.batch != r.follower.at.Batch {
		return r.follower, nil
	}
	return r.follower, r.follower.advanceIdle(q.until)
}

// catchUp decides the backlog.
func (r *replica) catchUp() error {
	if r.follower == nil {
		r.follower = &follower{hostMemory: hostMemory{at: r.at, open: r.open}, seq: r.at.Decision, scheduler: r.version.Fork(optionsOf(r.policies)), policies: r.policies}
		r.version, r.open = nil, nil
	}
	for _, b := range r.backlog {
		if err := r.follower.replay(b.at, b.inputs, b.answers); err != nil {
			return err
		}
	}
	r.backlog, r.work = nil, 0
	return nil
}

// interrupted is the method in which the scheduler has panicked, if any.
func (r *replica) interrupted() string {
	if r.follower == nil {
		return ""
	}
	return r.follower.scheduler.Interrupted()
}
