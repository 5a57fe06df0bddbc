package server

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server/view"
	"github.com/quern-project/quern/host/store"
)

// Store is the record that the loop writes to.
type Store interface {
	Record
	// Append makes a batch durable, or refuses it and everything after it until Reopen.
	Append(decision uint64, at int64, payload []byte) (store.Position, error)
	Reopen() error
	// SyncAcknowledged makes durable, in a file of its own, how far batches were acknowledged; AcknowledgedUnsynced reports whether that is
	// still to be done.
	SyncAcknowledged() error
	AcknowledgedUnsynced() bool
	// Prepare makes ready what the next appends need, so that they do not wait for it.
	Prepare() error
	// StreamSnapshot keeps a state that contains every batch up to a position.
	StreamSnapshot(at store.Position, write func(to io.Writer) error) error
	// SnapshotBefore returns the newest state that is kept of a time or before it; nil: the beginning. The error may be store.ErrCompacted.
	SnapshotBefore(at int64) (state []byte, p store.Position, err error)
	Compact(before int64) (removed int, err error)
}

// Record is what a store has to read.
type Record interface {
	ReadFrom(batch uint64) (*store.Reader, error)
	ReadDecisions(seq uint64) (*store.Reader, error)
	First() uint64 // batch that is kept
	End() store.Position
}

// loop is what the goroutine that owns the scheduler has. Nothing else touches it.
type loop struct {
	scheduler *scheduler.Scheduler
	store     Store

	now      time.Duration // the last time that anything was stamped with
	numbers  uint64        // of inputs that were taken
	seq      uint64        // of the last decision made
	keys     *keys
	applied  Applied
	policies Policies
	quiet    view.Quiet
	config   inForce
	names    *names
	health   *configHealth
	last     uint64 // batch

	view          receiver  // of what is durable; nil: there are no readers
	frozen        time.Time // when the last version was made
	versionPeriod time.Duration
	trace         trace
	failing       func(error) // called with the error of the store before requests are refused; may be nil

	decided  *decided   // not durable yet
	awaiting []*waiting // requests that are answered once that is durable
	deferred []*waiting // requests whose turn is the next round
	watch    roundWatch
	batch    []byte // scratch
}

// round serves requests at a time. After ErrStoreFailed the requests were refused, and nothing was applied; no other error can be gone
// on from.
func (l *loop) round(clock time.Duration, requests []*waiting) error {
	at := l.stamp(clock)
	requests = l.ready(at, l.keys.settle(at, requests))
	l.watch.begin(l.seq, requests)
	defer func() { l.watch.end(l.seq) }()
	began := time.Now()
	err := l.serveDeadlines(at)
	l.watch.decided(began, nil)
	if err == nil {
		err = l.commit(at, requests)
	}
	if err != nil {
		if l.failing != nil {
			l.failing(err) // first, so that a refused client finds the host not ready
		}
		requests = append(requests, l.deferred...)
		l.deferred = nil
		l.keys.forget(requests, ErrStoreFailed)
		for _, w := range requests {
			w.finish(ErrStoreFailed)
		}
		return err
	}
	if len(requests) == 0 {
		return nil
	}
	return l.decide(at, requests)
}

// pending reports whether something waits to become durable, or to be answered.
func (l *loop) pending() bool {
	return l.decided.out.Len() > 0 || len(l.awaiting) > 0 || len(l.deferred) > 0
}

// stamp gives a time that is later than every one before: inputs of two rounds at one time would be one instant in a replay.
func (l *loop) stamp(clock time.Duration) time.Duration { return max(clock, instant.Add(l.now, 1)) }

// serveDeadlines has the scheduler do what is due before a time.
func (l *loop) serveDeadlines(before time.Duration) error {
	for at := range drive.Deadlines(l.scheduler, before) {
		if err := l.instant(at, nil); err != nil {
			return err
		}
	}
	return nil
}

// commit writes what was decided and the inputs to come as one batch, and then answers those whose decisions these are.
func (l *loop) commit(at time.Duration, requests []*waiting) error {
	lines, err := l.decided.lines()
	if err != nil {
		return err
	}
	l.batch = append(l.batch[:0], lines...)
	first := l.numbers + 1
	for i, w := range requests {
		if i == 0 || !w.By.is(&requests[i-1].By) {
			if l.batch, err = appendActor(l.batch, requests[i:], first); err != nil {
				return err
			}
		}
		if w.Key != "" {
			if l.batch, err = appendRequest(l.batch, w, first); err != nil {
				return err
			}
		}
		if l.batch, err = appendRegistrations(l.batch, w.Registers); err != nil {
			return err
		}
		first += uint64(len(w.Inputs))
		l.batch = appendStamped(l.batch, w.lines, at)
	}
	if len(l.batch) == 0 {
		l.quiet = view.Quiet{Batch: l.last, Until: at}
		l.now = max(l.now, at-1) // readers may be at that time from now on: nothing comes before it any more
		l.committed(store.Position{}, at, nil)
		return l.handOver(store.Position{}, nil)
	}
	stamp := l.now
	if len(requests) > 0 {
		stamp = at
	}
	began := time.Now()
	p, err := l.store.Append(l.seq, int64(stamp), l.batch)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrStoreFailed, err)
	}
	l.watch.synced(began, len(l.batch))
	l.last = p.Batch
	inputs := stampInputs(at, requests) // before requests are answered
	l.committed(p, at, requests)
	return l.handOver(p, inputs)
}

// stampInputs sets the time of the inputs of requests, and returns copies of all of them.
func stampInputs(at time.Duration, requests []*waiting) (list []core.Input) {
	for _, w := range requests {
		for i := range w.Inputs {
			w.Inputs[i].At = at
		}
		list = append(list, w.Inputs...)
	}
	return list
}

// committed goes on after a batch became durable.
func (l *loop) committed(p store.Position, at time.Duration, requests []*waiting) {
	now := time.Now()
	for _, w := range l.awaiting {
		l.keys.done(w)
		if !w.Durable && !w.undecided {
			w.passage.Published = now
			w.finish(nil)
		}
	}
	l.awaiting = nil
	l.decided.reset()
	for _, w := range requests {
		w.passage.Durable = now
		w.answer.First, w.answer.At, w.answer.Batch = l.numbers+1, at, p.Batch
		l.numbers += uint64(len(w.Inputs))
		w.answer.Last = l.numbers
		if w.Key != "" {
			l.keys.taken(w)
		}
		if w.Durable {
			w.finish(nil)
		}
	}
}

// decide applies the inputs of requests at a time and has the scheduler decide.
func (l *loop) decide(at time.Duration, requests []*waiting) error {
	began := time.Now()
	if err := l.instant(at, requests); err != nil {
		return err
	}
	for _, w := range requests {
		if w.Key != "" {
			if err := l.decided.answer(w); err != nil {
				return err
			}
			l.keys.decided(w)
		}
		if w.Applied.File != "" && !w.refused {
			l.applied = w.Applied
			if err := l.decided.applied(w.Applied); err != nil {
				return err
			}
		}
	}
	l.watch.decided(began, requests)
	l.awaiting = requests
	return nil
}

// instant has the scheduler go through one time.
func (l *loop) instant(at time.Duration, requests []*waiting) error {
	l.now = at
	l.policies.SetTime(at)
	instant := drive.At(l.scheduler, at)
	if err := l.take(nil); err != nil {
		return err
	}
	l.trace.step(at, view.NoInput, core.Accepted)
	number := 0
	for _, w := range requests {
		if w.rewitnesses {
			l.scheduler.RefreshShadows()
		}
		add := func(d *core.Decision, line []byte) {
			l.health.decided(at, w, d)
			w.add(d, line)
		}
		for i := range w.Inputs {
			refused := l.apply(&instant, &w.Inputs[i])
			w.refused = refused != core.Accepted || w.refused
			if err := l.take(add); err != nil {
				return err
			}
			l.trace.step(at, number, refused)
			number++
		}
	}
	concerned := concernedBy(requests)
	for !instant.Decided() {
		instant.Cycle(drive.NoLimit)
		if err := l.take(concerned.add); err != nil {
			return err
		}
	}
	l.trace.step(at, view.NoInput, core.Accepted)
	answered := l.scheduler.Answered()
	l.trace.answered = l.trace.answered || len(answered) > 0
	return l.decided.answers(at, answered)
}

// take takes in what was decided, and shows it.
func (l *loop) take(show func(d *core.Decision, line []byte)) error {
	list := l.scheduler.Take()
	l.trace.decisions = append(l.trace.decisions, list...)
	for i := range list {
		d := &list[i]
		l.seq = d.Seq
		line, err := l.decided.decision(d)
		if err != nil {
			return err
		}
		if show != nil {
			show(d, line)
		}
	}
	return nil
}

// add makes a decision part of the answer.
func (w *waiting) add(d *core.Decision, line []byte) {
	if !w.Durable {
		w.brought = append(w.brought, newDecision(d, line))
	}
	w.seqs = append(w.seqs, d.Seq)
}

// concerned are requests by the IDs that their inputs name.
type concerned map[string][]*waiting

func concernedBy(requests []*waiting) concerned {
	c := concerned{}
	for _, w := range requests {
		for i := range w.Inputs {
			if id := w.Inputs[i].ID(); id != "" && !slices.Contains(c[id], w) {
				c[id] = append(c[id], w)
			}
		}
	}
	return c
}

// add makes a decision part of the answer to each request that named its ID, or the ask that it is made for.
func (c concerned) add(d *core.Decision, line []byte) {
	for _, w := range c[d.ID] {
		w.add(d, line)
	}
	for _, w := range c[d.For] {
		if !slices.Contains(c[d.ID], w) { // once, where it names both
			w.add(d, line)
		}
	}
}
