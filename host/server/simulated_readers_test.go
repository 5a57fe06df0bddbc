package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store"
)

// simulatedReader follows decisions and looks at the state, through every end of the server.
type simulatedReader struct {
	*simulatedServer
	decisions *Decisions
	next      uint64 // seq
	holds     bool   // the record is kept for it
}

// open begins where the reader was when the last server ended.
func (r *simulatedReader) open() {
	follow := r.server.Decisions
	if r.holds {
		follow = r.server.FollowDecisions
	}
	var err error
	var gone *CompactedError
	if r.decisions, err = follow(r.next); errors.As(err, &gone) {
		r.skip(gone)
		r.decisions, err = follow(r.next)
	}
	if err != nil {
		r.Fatal(err)
	}
}

// skip goes on with what is kept.
func (r *simulatedReader) skip(gone *CompactedError) {
	if r.holds || gone.First <= r.next {
		r.Fatalf("decision %d is not there, the first one is %d (the record is held for the reader: %t)", r.next, gone.First, r.holds)
	}
	r.count["readers that came late"]++
	r.next = gone.First
}

// act reads what is new, or looks at the state.
func (r *simulatedReader) act() {
	if r.chance(3) {
		r.look()
		return
	}
	for {
		d, err := r.decisions.Next()
		var gone *CompactedError
		switch {
		case err == io.EOF:
			return
		case errors.As(err, &gone):
			if err := r.decisions.Close(); err != nil {
				r.Fatal(err)
			}
			r.skip(gone)
			r.open()
			continue
		case err != nil:
			r.Fatal(err)
		case d == nil:
			continue
		}
		if d.Seq() != r.next {
			r.Fatalf("expected decision %d, found %s", r.next, d)
		}
		r.tell(d)
		r.next++
		r.count["decisions read"]++
	}
}

// look checks that no node has more than it can, and nothing twice; it asks why something waits, and what else would do.
func (r *simulatedReader) look() {
	r.count["looks at the state"]++
	pending := ""
	r.server.view.Read(func(s *scheduler.Scheduler) {
		placed := map[string]string{}
		d := s.Read(core.OfNodes)
		for i := range d.Nodes {
			n := &d.Nodes[i]
			for _, q := range n.Used {
				if q.Value > 4_000 {
					r.Errorf("%d thousandths of a vcore of %s are in use", q.Value, n.ID)
				}
			}
			for _, id := range n.Allocations {
				if placed[id] != "" {
					r.Errorf("%s runs on %s and %s", id, placed[id], n.ID)
				}
				placed[id] = n.ID
			}
		}
		for _, k := range s.Asks(&core.Page{Limit: 100, Work: 1000}).Items {
			if k.Node == "" {
				pending = k.ID
			}
		}
		s.ExplainAsk(pending)
		s.ExplainPreemption(pending)
	})
	if r.Failed() {
		r.FailNow()
	}
	if r.chance(4) {
		r.foresee()
	}
}

// foresee decides the next deadline on two forks, on one of them in the smallest slices, and runs a what-if.
func (r *simulatedReader) foresee() {
	version, err := r.server.view.freeze(func(*follower) {})
	if err != nil {
		r.Fatal(err)
	}
	defer version.Release()
	whole, _ := decideNext(version.Frozen, core.Options{})
	sliced, slices := decideNext(version.Frozen, core.Options{SearchSteps: 1})
	if !reflect.DeepEqual(whole, sliced) {
		r.Fatalf("in slices it is decided\n%+v\nand at once\n%+v", sliced, whole)
	}
	r.count["slices of searches"] += slices
	r.count["what-ifs"]++
	if _, err := r.server.try(r.Context(), []core.Input{{Event: &core.ReleaseAllocation{ID: fmt.Sprint("k", r.random.IntN(40))}}}); err != nil {
		r.Fatal(err)
	}
}

// decideNext decides what is due next, and counts the slices that searches were cut in.
func decideNext(c *scheduler.Frozen, o core.Options) (made []core.Decision, slices int) {
	s := c.Fork(o)
	due, ok := s.Deadline()
	if !ok {
		return nil, 0
	}
	s.Advance(max(due, s.Now()))
	for {
		s.Cycle(-1)
		if next, ok := s.Deadline(); !ok || next > s.Now() {
			return s.Take(), slices
		}
		slices++
	}
}

// check reads the whole record, as far as it is kept, and has another scheduler decide it where it is whole.
func (s *simulatedServer) check() {
	r, err := s.record.ReadFrom(s.record.First())
	if err != nil {
		s.Fatal(err)
	}
	f, err := newFollower(nil, store.Position{}, s.policy.of(false))
	if err != nil {
		s.Fatal(err)
	}
	c := checkedRecord{simulatedServer: s, whole: s.record.First() == 1, keys: map[string]time.Duration{}}
	if s.keeps && !c.whole {
		s.Fatalf("the record begins with batch %d", s.record.First())
	}
	for {
		p, payload, err := r.Next()
		if err == io.EOF {
			break
		}
		if err == nil && c.whole {
			err = f.read(p, payload)
		}
		if err != nil {
			s.Fatal(err)
		}
		for line := range bytes.Lines(payload) {
			c.line(time.Duration(p.At), string(line))
		}
	}
	s.exports()
	for seq := range s.told {
		if c.first == 0 || seq >= c.first {
			c.found--
		}
	}
	if last := s.server.view.memory.numbers; c.found != 0 || last < s.last || c.whole && c.number != last {
		s.Fatalf("input %d was acknowledged, and the record has %d; %d decisions that were told are not in it", s.last, last, -c.found)
	}
}

// checkedRecord is a record as far as it was read.
type checkedRecord struct {
	*simulatedServer
	whole  bool
	number uint64                   // of the last input
	first  uint64                   // decision
	seq    uint64                   // of the last decision
	found  int                      // decisions that were told
	keys   map[string]time.Duration // when each was used last
}

// line holds a line against what clients were told.
func (c *checkedRecord) line(at time.Duration, line string) {
	switch {
	case strings.HasPrefix(line, decisionPrefix):
		c.decision(strings.TrimSuffix(line, "\n"))
	case strings.HasPrefix(line, requestPrefix):
		var r requestLine
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			c.Fatal(err)
		}
		if before, ok := c.keys[r.Request]; ok && at <= before+keyLife {
			c.Fatalf("the request %q was applied at %s and at %s", r.Request, before, at)
		}
		c.keys[r.Request] = at
	case strings.HasPrefix(line, `{"at":"`) && !strings.Contains(line, string(core.PolicyAnswers)):
		c.number++
		_, unstamped, _ := strings.Cut(line[len(`{"at":"`):], `"`)
		if known, ok := c.inputs[c.number]; c.whole && ok && known != unstamped {
			c.Fatalf("input %d was acknowledged as %s and stands in the record as %s", c.number, known, line)
		}
	}
}

func (c *checkedRecord) decision(line string) {
	seq := SeqOf([]byte(line))
	if c.first == 0 {
		c.first = seq
	} else if seq != c.seq+1 {
		c.Fatalf("decision %d is followed by %s", c.seq, line)
	}
	c.seq = seq
	if told, ok := c.told[seq]; ok {
		if c.found++; told != line {
			c.Fatalf("decision %d was told as\n%s\nand stands in the record as\n%s", seq, told, line)
		}
	}
}

// simulatedPolicy answers for a policy whose answers depend on how often it was asked, and which fails now and then.
type simulatedPolicy struct {
	*simulatedServer
	calls int
	steps int // of a slice of a search for victims
}

// of implements Options.Policies.
func (p *simulatedPolicy) of(decides bool) Policies {
	return &simulatedAnswers{simulatedPolicy: p, decides: decides}
}

type simulatedAnswers struct {
	*simulatedPolicy
	decides, serves bool
}

// Options implements Policies.
func (a *simulatedAnswers) Options() core.Options {
	return core.Options{SearchSteps: a.steps, Evaluator: func(core.Announcement) policy.Evaluator { return a }}
}

// Serve implements Policies.
func (a *simulatedAnswers) Serve() { a.serves = a.decides }

// SetTime implements Policies.
func (*simulatedAnswers) SetTime(time.Duration) {}

// Missing implements Policies.
func (*simulatedAnswers) Missing() error { return nil }

// Close implements Policies.
func (*simulatedAnswers) Close() {}

// Eval implements policy.Evaluator.
func (a *simulatedAnswers) Eval(b *policy.Batch) error {
	if !a.serves {
		return errors.New("only the loop's scheduler may ask")
	}
	a.calls++
	a.count["policy answers"]++
	if a.calls%97 == 0 {
		return errors.New("out of order")
	}
	for i, row := range b.Rows {
		b.Out[int(row)*b.Keys] = float64((a.calls*7 + i*3) % 5)
	}
	return nil
}
