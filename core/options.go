package core

import (
	"time"

	"github.com/quern-project/quern/core/policy"
)

// Options are what a Scheduler is made with.
type Options struct {
	// Evaluator returns what answers for a policy module that a policy.set announces, or for a host predicate (with
	// neither hash nor manifest). Where it is nil, or returns nil, nothing answers: the policy's fallback does, unless
	// the journal has recorded answers.
	Evaluator func(Announcement) policy.Evaluator
	// Impure says which of them are not pure functions although their manifest does not say so: their answers are
	// recorded (see Answered). Host predicates always are.
	Impure func(name string) bool
	// Witness is shown each built-in policy that comes into force at a point, and returns what answers for it: the same,
	// or a module of its name with the same keys and the same answers that shadows it, and may have more columns. nil
	// disables shadowing of built-ins.
	Witness func(policy.Point, *policy.Module) *policy.Module
	// Placements is told of every allocation when it is made, tried or restored, and when it ends or is taken back: for what answers for
	// host predicates that depend on placements, which are asked only afterwards. It may be told of one twice. It decides nothing, and
	// must not call the scheduler back. nil: no notification.
	Placements func(Placed)
	// Words says for explanations what a host predicate means by a code, such as "the host port 80 is taken"; empty: the code stands for
	// itself. It decides nothing. nil: no code has words.
	Words func(predicate string, code float64) string
	// Moment writes an instant for explanations, in the form of the journal. It decides nothing. nil: they say how long it is until then.
	Moment func(at time.Duration) string
	// SearchSteps is how many steps one Cycle may search for victims; a step takes about 10 ns. The next Cycle goes on
	// where it stopped; decisions do not depend on it. 0: 500,000 steps.
	SearchSteps int
}

// Announcement is a policy module as a scheduler was told of it, with its manifest also as it was parsed.
type Announcement struct {
	PolicyModule
	Parsed *policy.Manifest // nil for a host predicate
}

// Placed tells of an ask that counts on a node, or no longer does.
type Placed struct {
	Ask, Node string
	Ended     bool
}
