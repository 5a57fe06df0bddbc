package core

import "time"

// Machine runs a journal: the Scheduler, or in tests the oracle that it is compared with.
//
// For every instant, the host calls Advance, then Apply for each input in order, then Cycle. Between inputs it stops at every Deadline,
// and calls Advance and Cycle there. It may call Take at any time.
type Machine interface {
	// Now returns the time of the last Advance.
	Now() time.Duration
	// Deadline returns the time of the next Advance that the machine needs even without inputs. ok is false if it needs none. It is
	// never before Now.
	Deadline() (at time.Duration, ok bool)
	// Advance sets the clock and fires the timers that are due. The first call sets the start of the clock. `to` must not be before
	// Now, nor after a Deadline.
	Advance(to time.Duration)
	// Apply applies one input of the present instant: in.At must be Now. It places no asks; Cycle does. It returns Accepted, or the
	// reason why the input was refused. A refused input changes nothing and causes one decision, which explains it. The machine does
	// not keep the input or its event, which the caller may reuse, but it does keep what the event refers to.
	Apply(in *Input) Reason
	// Cycle places asks, and returns the number of allocations made. It stops after limit allocations, or after a gang that exceeds the
	// limit; a negative limit means no limit. If it asks allocations to leave that stay after their promised ends, it places nothing, and
	// Deadline stays at Now: releases may be applied before the next call. When nothing more can be placed, asks search for victims. If a search is longer than one
	// call should be, Deadline stays at Now, and the next call of Cycle resumes it.
	Cycle(limit int) int
	// Take returns the decisions made since the last Take, in order. The slice is valid until the next call of any method. The
	// decisions in it may be copied and kept.
	Take() []Decision
}
