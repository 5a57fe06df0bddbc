package rpc

import (
	"fmt"
	"time"

	"github.com/quern-project/quern/core/instant"
)

// defaultMost is how many decisions one call makes at most, if it does not say.
const defaultMost = 2000

// maxHeard is how many bytes for the text of an answer a session keeps from one run to the next.
const maxHeard = 4 << 20

// chunk bounds the allocations of one cycle.
const chunk = 1024

// goal is where a run goes: to a time, to where nothing is worth waiting for, or so many steps.
type goal struct {
	Time  *time.Duration
	Idle  bool
	Steps int
	Unit  string // of steps: decision, instant, input
}

type sessionRunHead struct {
	Op   string
	ID   int
	To   goal
	Most int // decisions
}

// run is a session on its way to a goal, for as long as its budget lasts.
type run struct {
	*session
	budget int  // of work: a decision is 8 of it, every step 1 more
	single bool // one allocation at a time
}

func newRun(s *session, most int) *run {
	if most == 0 {
		most = defaultMost
	}
	return &run{session: s, budget: 8 * most}
}

func (server *Server) sessionRun(h *sessionRunHead, _ []byte) (*statusAnswer, []byte, error) {
	s, err := server.open(h.ID)
	if err != nil {
		return nil, nil, err
	}
	if err := s.checkGoal(&h.To, h.Most); err != nil {
		return nil, nil, err
	}
	s.heard, s.mute = s.heard[:0], false // its text was copied into the last answer
	if cap(s.heard) > maxHeard {
		s.heard = nil
	}
	done := newRun(s, h.Most).to(&h.To)
	if s.failure != nil {
		panic(s.failure) // our bug: what was decided cannot be written
	}
	a := s.status()
	a.Done = done
	return a, s.heard, nil
}

func (s *session) checkGoal(g *goal, most int) error {
	kinds := 0
	for _, said := range []bool{g.Time != nil, g.Idle, g.Steps != 0 || g.Unit != ""} {
		if said {
			kinds++
		}
	}
	switch {
	case most < 0 || most > maxInputs:
		return badKey("most", "a number of decisions", most)
	case kinds != 1:
		return badKey("to", "one of time, idle, and steps with a unit", kinds)
	case g.Time != nil:
		return s.checkTime(*g.Time)
	case g.Unit != "" && g.Unit != "decision" && g.Unit != "instant" && g.Unit != "input":
		return badKey("unit", "decision, instant or input", g.Unit)
	case !g.Idle && (g.Steps < 1 || g.Steps > maxInputs):
		return badKey("steps", fmt.Sprintf("a number from 1 to %d", maxInputs), g.Steps)
	}
	return nil
}

// checkTime checks a time of the session.
func (s *session) checkTime(at time.Duration) error {
	if at < 0 || at > latest || instant.Add(s.base, at) > latest {
		return badTime("time: expected nanoseconds from 0, within 291 years of 1970 or the start, found %d", at)
	}
	return nil
}

// to goes on to a goal, and reports whether it is reached or nothing more is to come.
func (r *run) to(g *goal) bool {
	switch {
	case g.Time != nil:
		return r.toTime(instant.Add(r.base, *g.Time))
	case g.Idle:
		for r.budget > 0 && !r.player.Idle() {
			r.step()
		}
		return r.player.Idle()
	}
	for range g.Steps {
		if !r.unit(g.Unit) {
			return false
		}
		if _, more, _ := r.player.Next(); !more {
			break
		}
	}
	return true
}

// toTime plays every instant up to a time, and then lets the clock go there.
func (r *run) toTime(to time.Duration) bool {
	for {
		next, ok, _ := r.player.Next()
		if !ok || next > to {
			break
		}
		if r.budget <= 0 {
			return false
		}
		r.step()
	}
	if to > r.clock {
		r.player.Wait(to)
		r.clock = to
	}
	return true
}

// unit makes one step of a kind; false: the budget is spent.
func (r *run) unit(unit string) bool {
	seq, inputs := r.log.seq, r.player.Result().Inputs
	r.single = unit != "instant"
	for moved := false; ; moved = true {
		switch _, ok, _ := r.player.Next(); {
		case !ok,
			unit == "input" && r.player.Result().Inputs > inputs,
			unit == "instant" && moved && r.player.Over(),
			(unit == "decision" || unit == "") && r.log.seq > seq:
			return true
		case r.budget <= 0:
			return false
		}
		r.step()
	}
}

// step lets the player do the next thing.
func (r *run) step() {
	limit := max(1, min(chunk, r.budget/8))
	if r.single {
		limit = 1
	}
	seq := r.log.seq
	if err := r.player.Step(limit); err != nil {
		panic(err) // our bug: only a configuration beside the journal can fail
	}
	r.budget -= 1 + 8*int(r.log.seq-seq)
	if r.player.Started() {
		r.clock = max(r.clock, r.player.Last())
	}
	r.mark()
}
