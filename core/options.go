package core

import (
	"time"

	"github.com/quern-project/quern/core/policy"
)

// Options configure a Scheduler.
type Options struct {
	// Evaluator returns the evaluator of a policy module that a policy.set announces, or of a host predicate, which has neither hash
	// nor manifest. If Evaluator is nil or returns nil, the answers come from the journal, or else from the policy's fallback.
	Evaluator func(Announcement) policy.Evaluator
	// Impure reports whether a module's answers must be recorded (see Answered), since it is not a pure function although its manifest
	// does not say so. The answers of host predicates are always recorded.
	Impure func(name string) bool
	// Witness is called for each built-in policy that comes into force at a point, and returns the module that answers for it: the
	// built-in itself, or a shadow with the same name, keys and answers, which may have more columns. nil disables shadowing of
	// built-ins.
	Witness func(policy.Point, *policy.Module) *policy.Module
	// Placements is called for every allocation when it is made, tried or restored, and when it ends or is taken back, possibly twice
	// for the same one. Host predicates that depend on placements are evaluated only afterwards. It must not affect decisions nor call
	// the scheduler. nil disables notifications.
	Placements func(Placed)
	// Words returns, for explanations, what a host predicate means by a code, such as "the host port 80 is taken". For an empty string,
	// the explanation contains the code. It must not affect decisions. nil returns no text for any code.
	Words func(predicate string, code float64) string
	// Moment formats an instant for explanations, in the form of the journal. It must not affect decisions. If it is nil, explanations
	// contain the remaining time instead.
	Moment func(at time.Duration) string
	// SearchSteps is the number of steps that one Cycle may spend on searches; a step takes about 10 ns. The next Cycle resumes a
	// search that has stopped, and decisions do not depend on SearchSteps. 0 is 500,000 steps.
	SearchSteps int
}

// Announcement is an announced policy module, together with its parsed manifest.
type Announcement struct {
	PolicyModule
	Parsed *policy.Manifest // nil for a host predicate
}

// Placed is the placement of an ask on a node, or its end.
type Placed struct {
	Ask, Node string
	Ended     bool
}
