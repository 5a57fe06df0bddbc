package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/host/store"
)

// Placed is how an ask came to be allocated, as far as the record goes back.
type Placed struct {
	Submitted, Allocated time.Duration
	// Before is the explanation of the ask right before its allocation. Members of a gang that was allocated at once have none: it is not
	// pending.
	Before explain.AskExplanation
	Waits  []Waited
	// From is the time from which the waits are known; Submitted, unless the record begins later.
	From time.Duration
}

// Waited is a time from which an ask waited for the same reasons.
type Waited struct {
	From    time.Duration
	Reasons []core.Reason
}

// Errors of Placed.
var (
	// ErrNotKept says that the record was removed up to a later time than that of the allocation.
	ErrNotKept = errors.New("the record does not go back to it any more")
	// ErrNotPlaced says that no cycle has allocated the ask: it came with its node.
	ErrNotPlaced = errors.New("the scheduler did not choose its node")
)

// Placed explains how an ask was allocated at a time. It replays the record from a snapshot before that time, within the bounds of a what-if; the error
// may be ErrBusy, ErrTooMuch, ErrNotKept or ErrNotPlaced. Answers are cached, since the past does not change.
func (s *Server) Placed(ctx context.Context, id string, allocated time.Duration) (*Placed, error) {
	key := placement{id, allocated}
	if known, ok := s.placements.find(key); ok {
		return known.placed, known.err
	}
	p, err := apart(ctx, s, s.trials, func(ctx context.Context) (*Placed, error) { return s.lookBack(ctx, key) })
	if errors.Is(err, errLate) {
		err = fmt.Errorf("%w: the record up to it is not decided again after %s", ErrTooMuch, whatIfTime)
	}
	if err == nil || errors.Is(err, ErrTooMuch) || errors.Is(err, ErrNotKept) || errors.Is(err, ErrNotPlaced) {
		s.placements.add(key, told{p, err})
	}
	return p, err
}

// lookBack decides the record again up to a placement.
func (s *Server) lookBack(ctx context.Context, key placement) (p *Placed, err error) {
	defer func() {
		if bug := recover(); bug != nil {
			s.o.Log.Error("looking back at a placement panicked", "panic", fmt.Sprint(bug), "stack", string(debug.Stack()))
			err = fmt.Errorf("looking back at a placement panicked: %v", bug)
		}
	}()
	snapshot, at, err := s.o.Store.SnapshotBefore(int64(key.allocated) - 1) // one of that very time may have the allocation
	if err != nil {
		return nil, notKept(err)
	}
	policies := s.o.policiesOf(false)
	defer policies.Close()
	f, err := newFollower(snapshot, at, policies)
	if err != nil {
		return nil, err
	}
	r, err := s.o.Store.ReadFrom(at.Batch + 1)
	if err != nil {
		return nil, notKept(err)
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	l := lookingBack{follower: f, placement: key, every: (s.o.Store.End().Batch-at.Batch)/mostLooks + 1, from: time.Duration(at.At)}
	return l.run(ctx, r)
}

func notKept(err error) error {
	if errors.Is(err, store.ErrCompacted) {
		return ErrNotKept
	}
	return err
}

// mostLooks is about how often a wait is looked at.
const mostLooks = 500

// lookingBack is a follower on its way to a placement.
type lookingBack struct {
	*follower
	placement
	every uint64 // batches between two looks at the wait
	since uint64 // batches since the last one
	waits []Waited
	from  time.Duration // where the record begins
}

func (l *lookingBack) run(ctx context.Context, r *store.Reader) (*Placed, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, payload, err := r.Next()
		if err == io.EOF {
			return nil, ErrNotPlaced
		}
		if err == nil {
			err = l.decoded.decode(p.Batch, payload)
		}
		if err != nil {
			return nil, notKept(err)
		}
		if p.At >= int64(l.allocated) {
			if l.stop = stopBefore(l.decoded.decisions, l.id, l.allocated); l.stop == nil && p.At > int64(l.allocated) {
				return nil, ErrNotPlaced
			}
		}
		switch err := l.follow(p, &l.decoded); {
		case errors.Is(err, errStopped):
			return l.placed(), nil
		case err != nil:
			return nil, err
		case l.stop != nil:
			return nil, ErrNotPlaced
		}
		l.look()
	}
}

// look notes why the ask waits, now and then.
func (l *lookingBack) look() {
	if l.since++; len(l.waits) > 0 && l.since < l.every {
		return
	}
	if a, ok := l.scheduler.Ask(l.id); !ok || a.Node != "" {
		return
	}
	l.since = 0
	e, ok := l.scheduler.ExplainAsk(l.id)
	if !ok || !e.Pending {
		return
	}
	if n := len(l.waits); n == 0 || !slices.Equal(l.waits[n-1].Reasons, e.Reasons) {
		l.waits = append(l.waits, Waited{l.scheduler.Now(), e.Reasons})
	}
}

func (l *lookingBack) placed() *Placed {
	p := &Placed{Allocated: l.allocated, Waits: l.waits}
	if e, ok := l.scheduler.ExplainAsk(l.id); ok {
		p.Submitted, p.Before = e.Submitted, e
	}
	p.From = max(p.Submitted, l.from)
	return p
}

// placement names an allocation.
type placement struct {
	id        string
	allocated time.Duration
}

// told is the cached answer about a placement.
type told struct {
	placed *Placed
	err    error
}

// rememberedPlacements bounds what is remembered of placements.
const rememberedPlacements = 200

// placements remembers what was told of the latest placements that were asked for.
type placements struct {
	mu    sync.Mutex
	known map[placement]told
	order []placement // oldest first
}

func (p *placements) find(key placement) (told, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t, ok := p.known[key]
	return t, ok
}

func (p *placements) add(key placement, t told) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known == nil {
		p.known = map[placement]told{}
	}
	if _, ok := p.known[key]; !ok {
		p.order = append(p.order, key)
	}
	p.known[key] = t
	if len(p.order) > rememberedPlacements {
		delete(p.known, p.order[0])
		p.order = p.order[1:]
	}
}
