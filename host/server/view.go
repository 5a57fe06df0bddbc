package server

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/clients"
	"github.com/quern-project/quern/host/server/view"
	"github.com/quern-project/quern/host/store"
)

// View is what readers see: all that is durable, so that no reader holds up the loop. It is a moment behind.
type View struct {
	store  Store
	log    *slog.Logger
	retain atomic.Int64  // how long batches are kept that no recovery needs, in nanoseconds
	every  atomic.Uint64 // a snapshot is kept after so many batches

	mu        sync.Mutex
	memory    hostMemory
	replica   *view.Replica[*follower]
	policies  Policies      // of the replica
	verifies  bool          // it decides each batch when it comes, and compares each decision
	quiet     view.Quiet    // what follows the last batch
	now       time.Duration // of the scheduler, once the replica is up to date
	versions  view.Versions
	bug       error         // why the scheduler cannot be read any more; nil: it can
	changed   chan struct{} // closed when the view has gone on
	tail      *tail         // decisions that it has gone on to
	readers   atomic.Int64  // of decisions, that are open
	holding   sync.Mutex    // guards holders, and is held while the record is cut off
	holders   []*Decisions  // readers that the record is kept for
	renew     func([]core.Input) error
	renewing  atomic.Bool // it has been asked for, so that a snapshot can be kept
	renewed   atomic.Pointer[capture]
	renewedAt time.Time
	unsaved   atomic.Int64 // bytes of batches that came since the last snapshot
	kept      store.Position
	keptAt    time.Time

	told    sync.Mutex // guards what follows. It is not held while the scheduler is read, so that the loop does not wait for readers
	failure error      // why the store does not write
	behind  behind
	inbox   view.Inbox
	wants   bool // a version

	decoded      decodedBatch // scratch of the goroutine that follows
	watcher      Watcher      // nil: none
	observer     Observer
	endings      *Endings
	runTimes     *runTimes
	explanations *clients.Shares

	wake     chan struct{}
	caughtUp chan struct{} // has a value when the end of the record was reached
	stopped  chan struct{} // the loop has ended
	ended    chan struct{} // the view has, too
}

// newView has readers see what a follower knows, which belongs to the view from now on.
func newView(o *Options, f *follower) *View {
	v := &View{explanations: clients.NewShares(explanationsASecond, explanationsAtOnce, time.Now), store: o.Store, log: o.Log, observer: o.Observer,
		now: f.scheduler.Now(), tail: newTail(f.at), behind: behind{followed: f.at}, kept: o.Found.At, keptAt: time.Now(),
		changed: make(chan struct{}), wake: make(chan struct{}, 1), caughtUp: make(chan struct{}, 1), stopped: make(chan struct{}), ended: make(chan struct{})}
	v.retain.Store(int64(o.Retain))
	v.every.Store(cmp.Or(o.SnapshotBatches, snapshotBatches))
	v.unsaved.Store(f.behind)
	f.scheduler.PrepareReads()
	v.memory = f.clone()
	v.replicates(f, o.VerifyView)
	return v
}

// Read shows a reader the scheduler, and holds it meanwhile: it is to be short. Only what it returns may be kept. It panics where a
// reader has panicked inside the scheduler before: then the server is about to end.
func (v *View) Read(show func(s *scheduler.Scheduler)) {
	if err := v.show(show); err != nil {
		panic(err)
	}
}

// Explanations are bounded in number, since each may look at all that waits. Clients that ask at the same time have equal shares.
const (
	explanationsASecond = 50
	explanationsAtOnce  = 20
)

// Explain is Borrow for a question of a client. The error is ErrBusy when the client puts too many.
func (v *View) Explain(client string, show func(s *scheduler.Scheduler)) error {
	if !v.explanations.Allow(client) {
		return ErrBusy
	}
	return v.lend(show)
}

// Version is a state of the view: two that are equal are of the same state, also when the host was restarted in between.
type Version struct {
	Batch    uint64        // the last one
	Decision uint64        // the last one
	Now      time.Duration // of the scheduler
}

// Version is where the view is.
func (v *View) Version() Version {
	v.mu.Lock()
	defer v.mu.Unlock()
	return Version{v.memory.at.Batch, v.memory.at.Decision, v.now}
}

// position is that of the last batch that readers see.
func (v *View) position() store.Position {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.memory.at
}

// Failure is why the store does not write, nil while it does.
func (v *View) Failure() error {
	v.told.Lock()
	defer v.told.Unlock()
	return v.failure
}

func (v *View) fail(err error) {
	v.told.Lock()
	defer v.told.Unlock()
	v.failure = err
}

// Changed returns a channel that is closed when the view has gone on from where it is now.
func (v *View) Changed() <-chan struct{} {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.changed
}

// hand implements receiver.
func (v *View) hand(h *view.Handover) {
	v.told.Lock()
	v.inbox.Put(h)
	v.wants = v.wants && h.Version == nil // one is enough until it is received
	v.behind.written = max(v.behind.written, h.At.Batch)
	v.behind.note()
	v.told.Unlock()
	notify(v.wake)
}

// wantsVersion implements receiver.
func (v *View) wantsVersion() bool {
	v.told.Lock()
	defer v.told.Unlock()
	return v.wants
}

// unpack returns what was handed over since the last call.
func (v *View) unpack() ([]*view.Handover, *view.Remainder) {
	v.told.Lock()
	defer v.told.Unlock()
	return v.inbox.Take()
}

// notify has a channel of one place have a value.
func notify(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (v *View) stop() { close(v.stopped) }

// follow goes along with the loop until stop, and then to its end.
func (v *View) follow() error {
	defer close(v.ended)
	for last := false; ; {
		if err := v.receive(); err != nil {
			return err
		}
		if last {
			return nil
		}
		notify(v.caughtUp)
		select {
		case <-v.wake:
		case <-v.stopped:
			last = true
		}
	}
}

// receive goes on with what the loop has handed over. Batches are decoded before the view is held.
func (v *View) receive() error {
	list, rest := v.unpack()
	for _, h := range list {
		if err := v.decode(h); err != nil {
			return err
		}
		if err := v.change(func() error { return v.goOn(h) }); err != nil {
			return err
		}
		if err := v.captureRenewed(); err != nil {
			return err
		}
	}
	if rest != nil {
		return v.readRemainder(rest)
	}
	return v.change(func() error { return nil }) // if a reader has ended the view
}

// decode takes a batch apart. Its inputs are decoded only to verify them, or for the answers of policies that stand between them.
func (v *View) decode(h *view.Handover) error {
	if v.verifies || h.Answered {
		return v.decoded.decode(h.At.Batch, h.Payload)
	}
	err := v.decoded.split(h.At.Batch, h.Payload, false)
	v.decoded.inputs = h.Inputs
	return err
}

// goOn goes on with a handover that was decoded.
func (v *View) goOn(h *view.Handover) error {
	v.watch(h)
	v.quiet = h.Quiet
	if h.Payload == nil {
		if v.quiet.Batch == v.memory.at.Batch {
			v.memory.open, v.now = nil, max(v.now, v.quiet.Until)
		}
		return nil
	}
	if err := v.memory.follow(h.At, &v.decoded); err != nil {
		return err
	}
	if err := v.replicate(h); err != nil {
		return err
	}
	v.publish(h.At, h.Decisions, len(h.Payload))
	return nil
}

// publish passes the decisions of a batch to the followers of decisions.
func (v *View) publish(at store.Position, decisions []core.Decision, size int) {
	for i := range decisions {
		decisions[i] = inRecord(&decisions[i])
	}
	v.tail.add(at, v.decoded.decisions, decisions)
	v.unsaved.Add(int64(size))
}

// watch passes the steps of a batch to the watcher.
func (v *View) watch(h *view.Handover) {
	decisions := h.Decisions
	for _, s := range h.Steps {
		var in *core.Input
		if s.Input != view.NoInput {
			in = &v.memory.open[s.Input]
		}
		brought := decisions[:s.Decisions]
		decisions = decisions[s.Decisions:]
		v.step(s.At, in, s.Refused, brought)
	}
	if len(h.Decisions) > 0 {
		v.observer.Published(h.Decisions)
	}
}

// step passes a step to the watcher.
func (v *View) step(at time.Duration, in *core.Input, refused core.Reason, brought []core.Decision) {
	v.memory.decided(in, refused, brought)
	if v.watcher != nil {
		v.watcher.Step(at, in, refused, brought)
	}
	v.now = max(v.now, at)
}

// mostPatience is how long a reader waits for the present: a loop that cannot write does not go on.
const mostPatience = 100 * time.Millisecond

// Refresh advances the state that readers see to the present. Otherwise they see the time of the last input or decision, from which ages and due times
// are computed.
func (s *Server) Refresh(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, mostPatience)
	defer cancel()
	now := s.o.Clock.Now()
	s.intake.ring()
	for {
		changed := s.view.Changed()
		var seen time.Duration
		s.view.Read(func(present *scheduler.Scheduler) { seen = present.Now() })
		if seen >= now {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// change has the view go on.
func (v *View) change(step func() error) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.bug != nil {
		return v.bug
	}
	if err := step(); err != nil {
		return err
	}
	v.told.Lock()
	v.behind.followed, v.wants = v.memory.at, v.replica.WantsVersion()
	v.behind.note()
	v.told.Unlock()
	close(v.changed)
	v.changed = make(chan struct{})
	return nil
}
