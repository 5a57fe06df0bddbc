package registry

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/wasm/module/guest"
)

// Shadow is the result of a module that was asked beside another and decided nothing.
type Shadow struct {
	Name, Of  string
	Point     policy.Point
	Rounds    int // batches that both answered
	Differing int // of these, in which the shadow would have put another item first
	Faults    int // calls of the shadow that failed
	Fault     string
	First     []Difference // the first few
}

// add adds the results of the same shadow at a later time.
func (s *Shadow) add(later *Shadow) {
	s.Rounds, s.Differing, s.Faults = s.Rounds+later.Rounds, s.Differing+later.Differing, s.Faults+later.Faults
	if later.Fault != "" {
		s.Fault = later.Fault
	}
	all := slices.Concat(s.First, later.First)
	s.First = all[:min(len(all), maxDifferences)]
}

// Difference is a round in which the shadow would have put another item first. An item with equals stands for them.
type Difference struct {
	At       time.Duration // of the scheduler's clock
	Acting   string        // the item that the acting module puts first
	Shadow   string        // the item that the shadow puts first
	Compared int           // items
}

// maxDifferences bounds Shadow.First, and maxLag the rounds that a shadow may lag behind.
const (
	maxDifferences = 10
	maxLag         = 256
)

// shadowed evaluates a policy, and passes the same batches to its shadow.
type shadowed struct {
	acting     policy.Evaluator
	shadow     *shadowRunner
	projection guest.Projections // through which the shadow sees them
	now        func() time.Duration
	muted      func() bool // the present changes are passed on later; nil: never
}

// Eval answers with the acting module. Whatever the shadow does, the answers are the same.
func (s *shadowed) Eval(b *policy.Batch) error {
	err := s.acting.Eval(b)
	if err == nil {
		err = b.Check() // the shadow is not compared with an answer that is a fault
	}
	switch {
	case err != nil || s.projection[b.Point] == nil:
	case s.muted != nil && s.muted():
		s.shadow.postpone(b, &round{dropped: b.Dropped, changed: b.Changed})
	default:
		s.shadow.tell(b, s.projection[b.Point], s.now())
	}
	return err
}

// shadowRunner asks a shadow about copies of batches, in a goroutine.
type shadowRunner struct {
	module   *module
	shadow   policy.Evaluator
	waits    bool // the scheduler waits for the shadow rather than leave it behind
	backlogs guest.PerTable[*backlog]
	closed   bool   // nothing is passed on any more
	release  func() // lets the module go that is the shadow
	rounds   chan *round
	done     chan struct{}

	mu     sync.Mutex
	report map[policy.Point]*Shadow
}

// newShadowRunner starts the goroutine, which may lag behind by as many rounds as there is room for.
func newShadowRunner(m *module, shadow policy.Evaluator, waits bool, room int) *shadowRunner {
	b := &shadowRunner{module: m, shadow: shadow, waits: waits, rounds: make(chan *round, room), done: make(chan struct{}), report: map[policy.Point]*Shadow{}}
	go b.run()
	return b
}

// tell passes on what changed in a batch that was answered. A mistake here costs the shadow, and nothing else.
func (h *shadowRunner) tell(b *policy.Batch, projection *guest.Projection, now time.Duration) {
	if h.closed {
		return
	}
	defer func() {
		if bug := recover(); bug != nil {
			h.fault(b.Point, fmt.Errorf("it can no longer follow: %v", bug))
			h.stop()
		}
	}()
	if len(b.Rows) == 0 { // there is nothing to compare, but rows may have gone
		h.postpone(b, &round{dropped: b.Dropped})
		return
	}
	r := h.copy(b, projection.View(b), now)
	if h.waits {
		h.rounds <- r
		h.backlogs.Drop(b)
		return
	}
	select {
	case h.rounds <- r:
		h.backlogs.Drop(b)
	default:
		h.postpone(b, r)
	}
}

// catchUp waits until the shadow has seen all rounds that were taken.
func (h *shadowRunner) catchUp() {
	if h.closed {
		<-h.done
		return
	}
	seen := make(chan struct{})
	h.rounds <- &round{seen: seen}
	<-seen
}

// stop ends the goroutine after the rounds that it has taken. It does not wait.
func (h *shadowRunner) stop() {
	if !h.closed {
		h.closed = true
		close(h.rounds)
	}
}

// close ends the goroutine, after the rounds that were taken.
func (h *shadowRunner) close() {
	h.stop()
	<-h.done
}

// run asks the shadow about one round after the other.
func (h *shadowRunner) run() {
	defer close(h.done)
	var known guest.PerTable[*both]
	broken := false
	for r := range h.rounds {
		switch {
		case r.seen != nil:
			close(r.seen)
		case !broken:
			broken = !h.follow(&known, r)
		}
	}
}

// follow asks the shadow about one round. It reports false where the shadow panicked, and so can answer nothing any more.
func (h *shadowRunner) follow(known *guest.PerTable[*both], r *round) (alive bool) {
	defer func() {
		if bug := recover(); bug != nil {
			h.fault(r.head.Point, fmt.Errorf("it is no longer called: %v", bug))
		}
	}()
	t := known.Get(r.table)
	if t == nil || t.batch.Epoch != r.head.Epoch {
		t = newBoth(h.module.Manifest.Points[r.head.Point])
		known.Put(r.table, t)
	}
	t.update(r)
	if err := h.shadow.Eval(&t.batch); err != nil {
		h.fault(r.head.Point, err)
		return true
	}
	t.answered()
	h.note(r, t)
	return true
}

// reportOf is the result of the shadow at a point. The mutex is held.
func (h *shadowRunner) reportOf(p policy.Point) *Shadow {
	s := h.report[p]
	if s == nil {
		s = &Shadow{Point: p}
		h.report[p] = s
	}
	return s
}

// fault counts a call that failed.
func (h *shadowRunner) fault(p policy.Point, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.reportOf(p)
	s.Faults++
	s.Fault = err.Error()
}

// note compares the answers of a round and records the result.
func (h *shadowRunner) note(r *round, t *both) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.reportOf(r.head.Point)
	s.Rounds++
	acting, shadow, same := t.firsts(r.head.Point)
	if same {
		return
	}
	s.Differing++
	if len(s.First) < maxDifferences {
		s.First = append(s.First, Difference{r.at, t.names[acting], t.names[shadow], len(t.live)})
	}
}

// reports lists the results of the shadow, by point.
func (h *shadowRunner) reports(of string) []Shadow {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []Shadow
	for _, p := range policy.Points() {
		if s := h.report[p]; s != nil {
			out := *s
			out.Name, out.Of = h.module.name, of
			list = append(list, out)
		}
	}
	return list
}
