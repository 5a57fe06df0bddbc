package policy

import (
	"slices"
	"sync"
	"time"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/wasm/guest"
	"github.com/quern-project/quern/wasm/guest/tables"
)

// Shadow is what came of a module that was asked beside another and decided nothing.
type Shadow struct {
	Name, Of  string
	Point     policy.Point
	Rounds    int // batches that both answered
	Otherwise int // of these, in which the shadow would have put another item first
	Faults    int // calls of the shadow that failed
	Fault     string
	First     []Otherwise // the first few
}

// Otherwise is a round in which the shadow would have put another item first. An item with equals stands for them.
type Otherwise struct {
	At       time.Duration // of the scheduler's clock
	Acting   string        // the item that the acting module puts first
	Shadow   string        // the item that the shadow puts first
	Compared int           // items
}

// mostTold bounds Shadow.First, and waiting the rounds that a shadow may lag behind.
const (
	mostTold = 10
	waiting  = 256
)

// shadowed asks a policy, and beside the caller its shadow, about the same batches.
type shadowed struct {
	acting policy.Evaluator
	behind *behind
	lens   guest.Lenses // through which the shadow sees them
	now    func() time.Duration
}

// Eval answers with the acting module.
func (s *shadowed) Eval(b *policy.Batch) error {
	err := s.acting.Eval(b)
	if err == nil && s.lens[b.Point] != nil && len(b.Rows) > 0 && !s.behind.closed {
		s.behind.take(b, s.lens[b.Point].View(b), s.now())
	}
	return err
}

// behind is the shadow's side: a goroutine that asks it about copies of batches.
type behind struct {
	module *module
	shadow policy.Evaluator
	owed   tables.Of[*debt]
	closed bool // it is told of nothing any more
	rounds chan *round
	done   chan struct{}

	mu     sync.Mutex
	report map[policy.Point]*Shadow
}

// debt is what the shadow was not told of a table, since it lagged behind.
type debt struct {
	changed, dropped map[int32]bool
}

// round is a copy of what changed in a table, and of what the acting module answered.
type round struct {
	seen    chan struct{} // no round: closed when those before it were seen
	table   *policy.Batch // its identity; not read
	at      time.Duration
	head    policy.Batch // everything but rows, columns and answers
	size    int          // rows of the table
	dropped []int32
	changed []int32
	names   []string
	cols    [][]float64 // of the changed rows
	rows    []int32     // asked about
	answers []float64   // of these
}

func newBehind(m *module, shadow policy.Evaluator) *behind {
	b := &behind{module: m, shadow: shadow, rounds: make(chan *round, waiting), done: make(chan struct{}), report: map[policy.Point]*Shadow{}}
	go b.run()
	return b
}

// take copies what changed, as the shadow views it. Where the shadow lags behind, nothing waits: it is told with the next round.
func (h *behind) take(b, view *policy.Batch, now time.Duration) {
	r := h.copy(b, view, now)
	select {
	case h.rounds <- r:
		h.owed.Drop(b)
	default:
		h.owe(b, r)
	}
}

func (h *behind) owe(b *policy.Batch, r *round) {
	d := h.owed.Get(b)
	if d == nil {
		d = &debt{map[int32]bool{}, map[int32]bool{}}
		h.owed.Put(b, d)
	}
	for _, row := range r.dropped {
		d.dropped[row] = true
		delete(d.changed, row)
	}
	for _, row := range r.changed {
		d.changed[row] = true
	}
}

func (h *behind) copy(b, v *policy.Batch, now time.Duration) *round {
	r := &round{table: b, at: now, head: *v, size: len(b.Out) / b.Keys, dropped: slices.Clone(b.Dropped), changed: slices.Clone(b.Changed), rows: b.Rows}
	r.head.Items = nil // the scheduler's own
	h.settle(b, r)
	for _, from := range v.Cols {
		col := make([]float64, len(r.changed))
		for j, row := range r.changed {
			col[j] = from[row]
		}
		r.cols = append(r.cols, col)
	}
	for _, row := range r.changed {
		r.names = append(r.names, b.Items.Name(row))
	}
	for _, row := range r.rows {
		r.answers = append(r.answers, b.Out[int(row)*b.Keys:(int(row)+1)*b.Keys]...)
	}
	return r
}

// settle adds to a round what the shadow was not told of the rounds before.
func (h *behind) settle(b *policy.Batch, r *round) {
	d := h.owed.Get(b)
	r.rows = slices.Clone(b.Rows)
	if d == nil {
		return
	}
	for row := range d.dropped {
		r.dropped = append(r.dropped, row)
	}
	for _, row := range r.dropped {
		delete(d.changed, row)
	}
	for row := range d.changed {
		r.changed = append(r.changed, row)
		r.rows = append(r.rows, row)
	}
	for _, list := range []*[]int32{&r.changed, &r.rows} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
}

// catchUp waits until the shadow has seen all rounds that were taken.
func (h *behind) catchUp() {
	seen := make(chan struct{})
	h.rounds <- &round{seen: seen}
	<-seen
}

// close waits for the rounds that were taken, and ends the goroutine.
func (h *behind) close() {
	h.closed = true
	close(h.rounds)
	<-h.done
}

// run asks the shadow about one round after the other.
func (h *behind) run() {
	defer close(h.done)
	var known tables.Of[*both]
	for r := range h.rounds {
		if r.seen != nil {
			close(r.seen)
			continue
		}
		t := known.Get(r.table)
		if t == nil || t.batch.Epoch != r.head.Epoch {
			t = newBoth(h.module.manifest.Points[r.head.Point])
			known.Put(r.table, t)
		}
		t.update(r)
		err := h.shadow.Eval(&t.batch)
		h.note(r, t, err)
		t.batch.Changed, t.batch.Dropped = nil, nil
	}
}

// note compares, and keeps what came of it.
func (h *behind) note(r *round, t *both, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.report[r.head.Point]
	if s == nil {
		s = &Shadow{Point: r.head.Point}
		h.report[r.head.Point] = s
	}
	if err != nil {
		s.Faults++
		s.Fault = err.Error()
		return
	}
	t.answered()
	s.Rounds++
	acting, shadow, same := t.firsts(r.head.Point)
	if same {
		return
	}
	s.Otherwise++
	if len(s.First) < mostTold {
		s.First = append(s.First, Otherwise{r.at, t.names[acting], t.names[shadow], len(t.live)})
	}
}

// reports lists what came of the shadow, by point.
func (h *behind) reports(of string) []Shadow {
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
