package server

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/clients"
	"github.com/quern-project/quern/host/store"
)

// View is what readers see: a scheduler that follows the record, so that no reader holds up the loop. It is a moment behind.
type View struct {
	store  Store
	log    *slog.Logger
	retain atomic.Int64  // how long batches are kept that no recovery needs, in nanoseconds
	every  atomic.Uint64 // a snapshot is kept after so many batches

	mu        sync.Mutex
	follower  *follower
	bug       error         // why the follower's scheduler cannot be read any more; nil: it can
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
	quiet   quiet
	behind  behind

	endings      *ledger.Endings
	explanations *clients.Shares

	wake     chan struct{}
	caughtUp chan struct{} // has a value when the end of the record was reached
	stopped  chan struct{} // the loop has ended
	ended    chan struct{} // the view has, too
}

// newView has readers see what a follower knows.
func newView(o *Options, f *follower) *View {
	f.published, f.shown = o.Observer.Published, true
	f.scheduler.PrepareReads()
	v := &View{explanations: clients.NewShares(explanationsASecond, explanationsAtOnce, time.Now), store: o.Store, log: o.Log, follower: f, tail: newTail(f.at), behind: behind{followed: f.at}, kept: o.Found.At, keptAt: time.Now(),
		changed: make(chan struct{}), wake: make(chan struct{}, 1), caughtUp: make(chan struct{}, 1), stopped: make(chan struct{}), ended: make(chan struct{})}
	v.retain.Store(int64(o.Retain))
	v.every.Store(cmp.Or(o.SnapshotBatches, snapshotBatches))
	v.unsaved.Store(f.behind)
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

// Explain is Read for a question of a client that takes longer than a state. The error is ErrBusy when the client puts too many.
func (v *View) Explain(client string, show func(s *scheduler.Scheduler)) error {
	if !v.explanations.Allow(client) {
		return ErrBusy
	}
	return v.show(show)
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
	f := v.follower
	return Version{f.at.Batch, f.at.Decision, f.scheduler.Now()}
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

// quiet says that nothing was decided since a batch, up to a time: neither about its inputs, nor because of what was due.
type quiet struct {
	batch uint64
	until time.Duration
}

// ring tells the view that the record may have grown up to a batch, and what is not in it because nothing was decided.
func (v *View) ring(written uint64, q quiet) {
	v.told.Lock()
	v.quiet, v.behind.written = q, written
	v.behind.note()
	v.told.Unlock()
	notify(v.wake)
}

// notify has a channel of one place have a value.
func notify(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
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
		notify(v.caughtUp)
		select {
		case <-v.wake:
		case <-v.stopped:
			last = true
		}
	}
}

// read follows what is new in the record. It is decoded before the view is held.
func (v *View) read(r *store.Reader) error {
	for {
		p, payload, err := r.Next()
		if err == io.EOF {
			return v.change(v.settle)
		}
		if err != nil {
			return err
		}
		if err := v.follower.decoded.decode(p.Batch, payload); err != nil {
			return err
		}
		if err := v.change(func() error { return v.goOn(p, len(payload)) }); err != nil {
			return err
		}
		if err := v.captureRenewed(); err != nil {
			return err
		}
	}
}

// goOn follows a batch that was decoded, and of so many bytes.
func (v *View) goOn(p store.Position, size int) error {
	if err := v.follower.follow(p, &v.follower.decoded); err != nil {
		return err
	}
	v.tail.add(p, v.follower.decoded.decisions, v.follower.takeValues())
	v.unsaved.Add(int64(size))
	return nil
}

// settle goes on to where nothing was decided: what was comes with the next batch.
func (v *View) settle() error {
	v.told.Lock()
	q := v.quiet
	v.told.Unlock()
	if q.batch != v.follower.at.Batch {
		return nil
	}
	return v.follower.advanceIdle(q.until)
}

// mostPatience is how long a reader waits for the present: a loop that cannot write does not go on.
const mostPatience = 100 * time.Millisecond

// Refresh has readers see what is now, where they else see what was when something last came or was decided: ages and what is due are
// told from there.
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
	v.behind.followed = v.follower.at
	v.behind.note()
	v.told.Unlock()
	close(v.changed)
	v.changed = make(chan struct{})
	return nil
}
