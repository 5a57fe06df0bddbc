package server

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/scheduler"
)

// WhatIfInputs is how many inputs a what-if has at most.
const WhatIfInputs = 1_000

// A what-if is bounded: beyond that it is not answered.
const (
	whatIfDeadlines   = 10_000
	whatIfAllocations = 10_000
	whatIfTime        = 5 * time.Second

	// whatIfsAtOnce is how many are decided at a time: each has orders of its own.
	whatIfsAtOnce = 2
	// whatIfSlice is how many allocations are made between two checks of whether the caller still waits.
	whatIfSlice = 200
)

// ErrTooMuch says that a what-if went beyond its bounds.
var ErrTooMuch = errors.New("the what-if is too large")

// WhatIf returns the decisions that inputs would bring now. It decides on a fork of the view's scheduler, and nothing of it is
// kept. Decisions that are due by now come before those of the inputs.
func (s *Server) WhatIf(ctx context.Context, inputs []core.Input) ([]Decision, error) {
	if len(inputs) > WhatIfInputs {
		return nil, ErrTooLarge
	}
	list, err := apart(ctx, s, s.trials, func(ctx context.Context) ([]Decision, error) { return s.try(ctx, inputs) })
	if errors.Is(err, errLate) {
		err = fmt.Errorf("%w: it is not decided after %s", ErrTooMuch, whatIfTime)
	}
	return list, err
}

// try decides inputs on a fork.
func (s *Server) try(ctx context.Context, inputs []core.Input) (list []Decision, err error) {
	defer s.contain("a what-if", &err)
	frozen, err := s.view.freeze(func(*follower) {})
	if err != nil {
		return nil, err
	}
	defer frozen.Release()
	policies := s.o.policiesOf(false)
	defer policies.Close()
	t := trial{ctx: ctx, Scheduler: frozen.Fork(optionsOf(policies))}
	known := newNames(s.o.Names, t.Scheduler)
	for i := range inputs {
		if err := known.admit(i, &inputs[i]); err != nil {
			return nil, err
		}
	}
	if err := t.decide(inputs, max(s.o.Clock.Now(), instant.Add(t.Now(), 1))); err != nil {
		return nil, err
	}
	return newDecided().all(t.Take())
}

// contain turns a panic of work on forks into an error: a bug there affects only these forks.
func (s *Server) contain(what string, err *error) {
	if bug := recover(); bug != nil {
		s.o.Log.Error(what+" panicked", "panic", fmt.Sprint(bug), "stack", string(debug.Stack()))
		*err = fmt.Errorf("%s panicked: %v", what, bug)
	}
}

// trial is a scheduler that decides while its caller waits, within bounds.
type trial struct {
	*scheduler.Scheduler
	ctx  context.Context
	made int // allocations
}

// decide has the scheduler go on to a time, take inputs, and decide all that it can.
func (t *trial) decide(inputs []core.Input, now time.Duration) error {
	served := 0
	for at := range drive.Deadlines(t, now) {
		if served == whatIfDeadlines {
			return fmt.Errorf("%w: more than %d times are due by now", ErrTooMuch, whatIfDeadlines)
		}
		served++
		if err := t.instant(at, nil); err != nil {
			return err
		}
	}
	return t.instant(now, inputs)
}

// instant plays one time, unless that takes too long or makes too much.
func (t *trial) instant(at time.Duration, inputs []core.Input) error {
	instant := drive.At(t, at)
	for i := range inputs {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		inputs[i].At = at
		instant.Apply(&inputs[i])
	}
	for !instant.Decided() {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		if t.made += instant.Cycle(whatIfSlice); t.made > whatIfAllocations {
			return fmt.Errorf("%w: it makes more than %d allocations", ErrTooMuch, whatIfAllocations)
		}
	}
	return nil
}

// all returns decisions with their lines.
func (d *decided) all(list []core.Decision) (all []Decision, err error) {
	for i := range list {
		line, err := d.decision(&list[i])
		if err != nil {
			return nil, err
		}
		all = append(all, newDecision(&list[i], line))
	}
	return all, nil
}
