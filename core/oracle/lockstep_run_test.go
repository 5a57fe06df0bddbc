package oracle_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// dumper is a machine whose state can be read.
type dumper interface {
	core.Machine
	Dump() core.Dump
}

// failer is a *rapid.T or a *testing.T.
type failer interface {
	Helper()
	Logf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// lockstepRun runs a scenario through several machines in step, as a host would, and checks after every call.
type lockstepRun struct {
	t        failer
	scenario scenario
	machines []dumper
	check    func(call string, returns []outcome) // after each call; returns has one for each machine
	journal  transcript
	asksByID map[string]core.Ask // what each ask said, by ID
	idle     []bool              // by machine: it did not request an Advance to this instant, which has had no input; nil if unknown
	finished bool                // the steps have been run, or their failure was reported
}

// outcome is the result of one call of one machine.
type outcome struct {
	decisions []core.Decision
	made      int         // allocations, for Cycle
	refused   core.Reason // of the input, for Apply
}

func (r *lockstepRun) run() { r.runSteps(0, len(r.scenario.steps)) }

// runSteps runs some of the steps. The clock starts before the first, and a cycle follows the last.
func (r *lockstepRun) runSteps(from, to int) {
	r.finished = false
	defer r.logUnlessOver()
	if from == 0 {
		r.advance(r.scenario.start)
	}
	for _, s := range r.scenario.steps[from:to] {
		switch s.kind {
		case stepInput:
			r.apply(s)
		case stepWait:
			if to := instant.Add(r.machines[0].Now(), s.wait); to < farthest {
				r.passUntil(to)
			}
		case stepDeadline:
			r.passDeadline()
		case stepCycle:
			if r.scenario.manual {
				r.cycle(s.limit)
			}
		}
	}
	if to == len(r.scenario.steps) {
		r.endInstant()
	}
	r.finished = true
}

// logUnlessOver shows the journal of a panic.
func (r *lockstepRun) logUnlessOver() {
	if !r.finished {
		r.t.Logf("The scenario as a journal:\n%s", r.journal.text())
	}
}

// farthest is an instant that a journal cannot contain. Scenarios end before, although deadlines may be later.
const farthest = 290 * 365 * 24 * time.Hour

// passUntil advances to an instant and stops at every deadline before. The cycle of that instant is not run yet.
func (r *lockstepRun) passUntil(to time.Duration) {
	r.endInstant()
	for {
		at, ok := r.deadline()
		if !ok || at >= to {
			break
		}
		r.advance(at)
		r.endInstant()
	}
	r.advance(to)
}

// passDeadline advances to the next deadline or, if there is none, by a second.
func (r *lockstepRun) passDeadline() {
	r.endInstant()
	at, ok := r.deadline()
	if !ok || at >= farthest {
		at = instant.Add(r.machines[0].Now(), time.Second)
	}
	r.advance(at)
}

// deadline returns the earliest deadline of all machines, since one may request a deadline at which nothing happens.
func (r *lockstepRun) deadline() (at time.Duration, ok bool) {
	for _, m := range r.machines {
		if own, wanted := m.Deadline(); wanted && (!ok || own < at) {
			at, ok = own, true
		}
	}
	return at, ok
}

func (r *lockstepRun) endInstant() {
	if !r.scenario.manual {
		r.cycle(-1)
	}
}

func (r *lockstepRun) advance(to time.Duration) {
	r.idle = nil
	for _, m := range r.machines {
		at, wanted := m.Deadline()
		r.idle = append(r.idle, !r.scenario.manual && (!wanted || at > to))
	}
	r.journal.tick(to)
	r.call(fmt.Sprintf("advance to %s", to), func(m core.Machine) outcome { m.Advance(to); return outcome{} })
}

func (r *lockstepRun) apply(s step) {
	in := s.input.Clone()
	if s.aimed {
		aim(&in, r.machines[0].Dump(), s.target)
	}
	in.At = r.machines[0].Now()
	atPresent(&in)
	r.journal.input(&in)
	r.remember(&in)
	r.idle = nil
	r.call(fmt.Sprintf("%s %s at %s", in.Type(), in.ID(), in.At), func(m core.Machine) outcome {
		own := in
		return outcome{refused: m.Apply(&own)}
	})
}

// checkRefusals compares the results of Apply with the decisions, and the machines with each other.
func (r *lockstepRun) checkRefusals(call string, returns []outcome) {
	for i, o := range returns {
		if o.refused != returns[0].refused {
			r.fail("%s: machine %d returned %q, the first %q", call, i, o.refused, returns[0].refused)
		}
		if found := refusalIn(o.decisions); found != o.refused {
			r.fail("%s: machine %d returned %q, its decisions say %q", call, i, o.refused, found)
		}
	}
}

// refusalIn returns the reason of the decision that refuses the input.
func refusalIn(decisions []core.Decision) core.Reason {
	for _, d := range decisions {
		switch d.Type {
		case core.NodeRejected, core.AppRejected, core.WindowRejected, core.AskRejected, core.Ignored:
			if d.Reason != core.ReasonGangTimeout { // caused by time, not by an input
				return d.Reason
			}
		case core.ConfigRejected:
			return core.ReasonInvalidConfig
		}
	}
	return core.Accepted
}

// remember records the input of a new ask.
func (r *lockstepRun) remember(in *core.Input) {
	if r.asksByID == nil || in.Type() != core.AskAdd && in.Type() != core.AllocationRestore {
		return
	}
	if !slices.Contains(asksOf(r.machines[0].Dump()), in.ID()) {
		r.asksByID[in.ID()] = in.Ask().Ask
	}
}

func (r *lockstepRun) cycle(limit int) {
	if r.scenario.manual {
		r.journal.cycle(limit)
	}
	r.call(fmt.Sprintf("cycle %d at %s", limit, r.machines[0].Now()), func(m core.Machine) outcome { return outcome{made: cycle(m, limit)} })
}

// cycle runs the machine's cycle until it is complete. After an interrupted search, it continues at once.
func cycle(m core.Machine, limit int) int {
	made := m.Cycle(limit)
	for at, ok := m.Deadline(); ok && at <= m.Now() && (limit < 0 || made < limit); at, ok = m.Deadline() {
		made += m.Cycle(0) // must not do anything
		made += m.Cycle(limit - made)
	}
	return made
}

// patience is how long a call may take before it counts as hanging.
const patience = 5 * time.Minute

func (r *lockstepRun) call(name string, f func(core.Machine) outcome) {
	r.t.Helper()
	stuck := time.AfterFunc(patience, func() {
		panic(fmt.Sprintf("%s does not return\n\nThe scenario as a journal:\n%s", name, r.journal.text()))
	})
	defer stuck.Stop()
	returns := make([]outcome, len(r.machines))
	for i, m := range r.machines {
		returns[i] = f(m)
		returns[i].decisions = append(returns[i].decisions, m.Take()...)
	}
	r.journal.decided(returns[0].decisions)
	r.checkRefusals(name, returns)
	if r.check != nil {
		r.check(name, returns)
	}
}

// fail ends the test with the scenario so far as a journal.
func (r *lockstepRun) fail(format string, args ...any) {
	r.t.Helper()
	r.finished = true
	r.t.Fatalf("%s\n\nThe scenario as a journal:\n%s", fmt.Sprintf(format, args...), r.journal.text())
}
