package server

import (
	"bytes"
	"errors"

	"github.com/quern-project/quern/core"
)

// A what-if is bounded: what is left then is not decided.
const (
	whatIfInputs      = 1_000
	whatIfDeadlines   = 10_000
	whatIfAllocations = 10_000
)

// ErrTooMuch says that a what-if went beyond its bounds.
var ErrTooMuch = errors.New("this is more than a what-if may decide")

// WhatIf returns the lines of the decisions that inputs would bring now. It decides on a copy of the view's scheduler, and nothing of it is
// kept. Decisions that are due by now come before those of the inputs.
func (s *Server) WhatIf(inputs []core.Input) ([][]byte, error) {
	if len(inputs) > whatIfInputs {
		return nil, ErrTooLarge
	}
	copied := s.view.checkpoint(func(*follower) {})
	policies := s.o.policiesOf(false)
	defer policies.Close()
	trial, made := core.Recall(copied, policies.Options()), newDecided()
	now := max(s.o.Clock.Now(), trial.Now()+1)
	for n := 0; ; n++ {
		at, ok := trial.Deadline()
		if !ok || at >= now {
			break
		}
		if n == whatIfDeadlines {
			return nil, ErrTooMuch
		}
		trial.Advance(at)
		trial.Cycle(whatIfAllocations)
	}
	trial.Advance(now)
	for i := range inputs {
		inputs[i].At = now
		trial.Apply(&inputs[i])
	}
	if trial.Cycle(whatIfAllocations) >= whatIfAllocations {
		return nil, ErrTooMuch
	}
	return made.all(trial.Take())
}

// all writes decisions and returns their lines.
func (d *decided) all(list []core.Decision) (lines [][]byte, err error) {
	for i := range list {
		line, err := d.decision(&list[i])
		if err != nil {
			return nil, err
		}
		lines = append(lines, bytes.Clone(line))
	}
	return lines, nil
}
