// Package drive plays the instants of a machine in the order that the obligations of a host demand (package core numbers them): the
// clock is set, inputs are applied, and cycles run until the machine has nothing more to do at that time.
//
// The loop of a live host, its recovery, what-ifs, replays and measurements all play instants with it. They call the steps one by one,
// so each can take decisions, count allocations or stop between any two of them. However an instant is cut into cycles, its decisions are equal.
package drive

import (
	"iter"
	"time"

	"github.com/quern-project/quern/core"
)

// NoLimit as the limit of a cycle lets it make all allocations that it can.
const NoLimit = -1

// Deadlines yields the deadlines of a machine that come before a time. The caller must play the instant of each.
func Deadlines(m core.Machine, before time.Duration) iter.Seq[time.Duration] {
	return func(yield func(time.Duration) bool) {
		for at, ok := m.Deadline(); ok && at < before && yield(at); {
			at, ok = m.Deadline()
		}
	}
}

// Answered returns the answers of policies that have to be recorded once an instant is over. A machine that asks no policies has none.
func Answered(m core.Machine) []core.Answers {
	if a, ok := m.(interface{ Answered() []core.Answers }); ok {
		return a.Answered()
	}
	return nil
}
