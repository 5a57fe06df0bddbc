package core

import "time"

// Machine is what runs a journal: the Scheduler, and in tests the oracle that judges it.
//
// The host's part: for every instant, Advance to it, Apply its inputs in order, then Cycle. Between inputs it stops
// at every Deadline: Advance to it, then Cycle. Decisions are taken with Take whenever it suits.
type Machine interface {
	// Now is the time of the last Advance.
	Now() time.Duration
	// Deadline is when the machine next wants an Advance, whatever happens; ok is false when nothing is to come.
	// It is never before Now.
	Deadline() (at time.Duration, ok bool)
	// Advance sets the clock and fires the timers that are due. The first call sets the clock's start. `to` must
	// neither go back nor pass over a Deadline.
	Advance(to time.Duration)
	// Apply takes one input of the present instant (its At is Now). It places nothing: Cycle does. It returns Accepted, or the
	// reason for which the input was refused; a refused input changes nothing, and gives one decision, which says why. The machine
	// keeps neither the input nor its event, which may be another one after the call; it keeps what the event refers to.
	Apply(in *Input) Reason
	// Cycle places what can be placed and returns the number of allocations made. It stops after limit of them; a
	// limit below 0 means until nothing more can be placed. Asks then look for victims: while that is not done, Deadline
	// stays at Now, and Cycle goes on with it when it is called again.
	Cycle(limit int) int
	// Take returns the decisions made since the last Take, in order. The slice is valid until the next call of any
	// method; the decisions in it may be copied and kept.
	Take() []Decision
}
