// Package scheduler is the scheduler as a state machine: inputs in, decisions out. It reads no clock, starts nothing, locks
// nothing and touches no file, so that the same journal gives the same bytes in a host, a browser and a test.
//
// # What the host does
//
//  1. Make a Scheduler with New, or with Restore from a snapshot.
//  2. For each instant: Advance to it, then Apply its inputs in order, then Cycle. One goroutine does all of that.
//  3. Never pass over a Deadline: Advance to it first, and Cycle. While it is Now after a Cycle, Cycle again: a search for
//     victims, or for the nodes of a gang, was longer than one call should be. Whatever else the host does in between, the
//     instant is not over.
//  4. Write inputs to the journal before Apply, and after Cycle the answers that Answered returns, as policy.answers.
//  5. Take the decisions, write them, then act on them. Acting twice must be harmless.
//  6. Never change what an Input carried, nor keep the slice that Take returned.
//  7. After Restore, expect policies that are not pure, and host predicates, to be asked about everything again: a
//     snapshot holds what they decided, not what they said. Recovery from a journal goes by its decisions instead.
//  8. Read with Dump, LimitUsage, Access and the explanations between two calls of the above; what they return is detached.
//  9. Call one method at a time: a policy must not call the scheduler back, and after a panic (see Interrupted) the scheduler is not used again.
//
// Package drive plays instants in that order. A broken obligation that the scheduler can see (2, 3 and 9) makes it panic with the number: deadlines that fire late, or a
// state that is half changed, would give decisions that no journal explains.
//
// # Where things are
//
// A Scheduler is a facade over its partitions. Package state holds everything that is known and alone changes it: a State is one
// partition, and all of them embed what they share (the clock, the order of decisions, policy modules). Each change goes to the
// log of its partition. Package schedule (the walk, reservations) and package preempt (which asks take room from others) read the
// state, follow the log, and change the state through its methods. Their searches may take longer than one Cycle; package
// resumable says where the next one continues. Package inspect answers questions. Queues, applications and nodes live in
// packages of their own, each with the index that keeps its order; policies answer for the orders (package policy); package
// class groups asks of one shape, and package pending says what is worth a look.
package scheduler
