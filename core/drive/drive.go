// Package drive plays instants of a machine in the order that the obligations of a host demand (package core numbers them): set the clock,
// apply inputs, and run cycles until the machine has nothing more to do at that time.
//
// The loop of a live host, its recovery, what-ifs, replays and measurements all use it. They call the steps one by one, so that they can
// take decisions, count allocations or stop between any two steps. Decisions do not depend on how an instant is divided into cycles.
package drive

import (
	"iter"
	"time"

	"github.com/quern-project/quern/core"
)

// NoLimit is the limit of a cycle that makes all possible allocations.
const NoLimit = -1

// Deadlines yields the deadlines of a machine before a time. The caller must play the instant at each of them before it continues the loop.
func Deadlines(m core.Machine, before time.Duration) iter.Seq[time.Duration] {
	return func(yield func(time.Duration) bool) {
		for at, ok := m.Deadline(); ok && at < before && yield(at); {
			at, ok = m.Deadline()
		}
	}
}

// Answered returns the answers of policies that must be recorded after an instant. It returns nil for a machine without policies.
func Answered(m core.Machine) []core.Answers {
	if a, ok := m.(interface{ Answered() []core.Answers }); ok {
		return a.Answered()
	}
	return nil
}
