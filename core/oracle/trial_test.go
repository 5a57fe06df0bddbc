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

// failer is what a property is told by: *rapid.T, *testing.T.
type failer interface {
	Helper()
	Logf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// trial runs a scenario through machines in step, as a host would, and has every call checked.
type trial struct {
	t        failer
	scenario scenario
	machines []dumper
	check    func(call string, returns []outcome) // after each call; returns has one for each machine
	journal  transcript
	said     map[string]core.Ask // what each ask said, by ID
	asleep   []bool              // by machine: it wanted no Advance to this instant, and no input has come in it; nil: not known
	over     bool                // the steps have been run, or have failed and said so
}

// outcome is what one machine did in one call.
type outcome struct {
	decisions []core.Decision
	made      int         // allocations, for Cycle
	refused   core.Reason // of the input, for Apply
}

func (r *trial) run() { r.runSteps(0, len(r.scenario.steps)) }

// runSteps runs some of the steps; the first starts the clock and the last is followed by a cycle.
func (r *trial) runSteps(from, to int) {
	r.over = false
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
	r.over = true
}

// logUnlessOver shows the journal of a panic.
func (r *trial) logUnlessOver() {
	if !r.over {
		r.t.Logf("The scenario as a journal:\n%s", r.journal.text())
	}
}

// farthest is beyond what a journal can say: scenarios end before, though a deadline may lie there.
const farthest = 290 * 365 * 24 * time.Hour

// passUntil stops at every deadline on the way; the instant it comes to has not had its cycle yet.
func (r *trial) passUntil(to time.Duration) {
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

// passDeadline goes to the next deadline or, where there is none, to another instant.
func (r *trial) passDeadline() {
	r.endInstant()
	at, ok := r.deadline()
	if !ok || at >= farthest {
		at = instant.Add(r.machines[0].Now(), time.Second)
	}
	r.advance(at)
}

// deadline is the earliest of all machines: one may want to wake for what turns out to be nothing.
func (r *trial) deadline() (at time.Duration, ok bool) {
	for _, m := range r.machines {
		if own, wanted := m.Deadline(); wanted && (!ok || own < at) {
			at, ok = own, true
		}
	}
	return at, ok
}

func (r *trial) endInstant() {
	if !r.scenario.manual {
		r.cycle(-1)
	}
}

func (r *trial) advance(to time.Duration) {
	r.asleep = nil
	for _, m := range r.machines {
		at, wanted := m.Deadline()
		r.asleep = append(r.asleep, !r.scenario.manual && (!wanted || at > to))
	}
	r.journal.tick(to)
	r.call(fmt.Sprintf("advance to %s", to), func(m core.Machine) outcome { m.Advance(to); return outcome{} })
}

func (r *trial) apply(s step) {
	in := s.input.Clone()
	if s.aimed {
		aim(&in, r.machines[0].Dump(), s.target)
	}
	in.At = r.machines[0].Now()
	r.journal.input(&in)
	r.remember(&in)
	r.asleep = nil
	r.call(fmt.Sprintf("%s %s at %s", in.Type(), in.ID(), in.At), func(m core.Machine) outcome {
		own := in
		return outcome{refused: m.Apply(&own)}
	})
}

// checkRefusals holds what Apply returned against the decisions, and one machine against another.
func (r *trial) checkRefusals(call string, returns []outcome) {
	for i, o := range returns {
		if o.refused != returns[0].refused {
			r.fail("%s: machine %d returned %q, the first %q", call, i, o.refused, returns[0].refused)
		}
		if found := refusalIn(o.decisions); found != o.refused {
			r.fail("%s: machine %d returned %q, its decisions say %q", call, i, o.refused, found)
		}
	}
}

// refusalIn is the reason for which decisions say that their input was refused.
func refusalIn(decisions []core.Decision) core.Reason {
	for _, d := range decisions {
		switch d.Type {
		case core.NodeRejected, core.AppRejected, core.AskRejected, core.Ignored:
			if d.Reason != core.ReasonGangTimeout { // of time, not of an input
				return d.Reason
			}
		case core.ConfigRejected:
			return core.ReasonInvalidConfig
		}
	}
	return core.Accepted
}

// remember keeps what an ask says that is not there yet.
func (r *trial) remember(in *core.Input) {
	if r.said == nil || in.Type() != core.AskAdd && in.Type() != core.AllocationRestore {
		return
	}
	if !slices.Contains(asksOf(r.machines[0].Dump()), in.ID()) {
		r.said[in.ID()] = in.Ask().Ask
	}
}

func (r *trial) cycle(limit int) {
	if r.scenario.manual {
		r.journal.cycle(limit)
	}
	r.call(fmt.Sprintf("cycle %d at %s", limit, r.machines[0].Now()), func(m core.Machine) outcome { return outcome{made: cycle(m, limit)} })
}

// cycle has the machine place and preempt until it is done: after a search that was cut short it goes on at once.
func cycle(m core.Machine, limit int) int {
	made := m.Cycle(limit)
	for at, ok := m.Deadline(); ok && at <= m.Now() && (limit < 0 || made < limit); at, ok = m.Deadline() {
		made += m.Cycle(0) // does nothing
		made += m.Cycle(limit - made)
	}
	return made
}

// patience is how long a call may take before it counts as one that never returns.
const patience = 5 * time.Minute

func (r *trial) call(name string, f func(core.Machine) outcome) {
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
func (r *trial) fail(format string, args ...any) {
	r.t.Helper()
	r.over = true
	r.t.Fatalf("%s\n\nThe scenario as a journal:\n%s", fmt.Sprintf(format, args...), r.journal.text())
}
