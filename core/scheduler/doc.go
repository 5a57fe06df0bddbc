// Package scheduler is the scheduler as a state machine: inputs in, decisions out. It reads no clock, starts no goroutines, takes no
// locks and does no I/O, so that the same journal gives the same bytes in a host, a browser and a test.
//
// # What the host does
//
//  1. Make a Scheduler with New, or with Restore from a snapshot.
//  2. For each instant: Advance to it, then Apply its inputs in order, then Cycle. One goroutine does all of that.
//  3. Never skip a Deadline: Advance to it first, and Cycle. If Deadline is still Now after a Cycle, Cycle again: a search for victims,
//     or for the nodes of a gang, takes longer than one call should. The instant ends only when Deadline is later, whatever else the
//     host does in between.
//  4. Write inputs to the journal before Apply, and after Cycle the answers that Answered returns, as policy.answers.
//  5. Take the decisions, write them, then act on them. Acting twice on a decision must be harmless.
//  6. Never change the contents of an Input after Apply, nor keep the slice that Take returns.
//  7. After Restore, expect impure policies and host predicates to be asked about everything again: a snapshot holds the decisions
//     that followed from their answers, not the answers. Recovery from a journal uses the recorded answers instead.
//  8. Read with Dump, LimitUsage, Access and the explanations between two calls of the above. Their results share no memory with the
//     scheduler.
//  9. Call one method at a time: a policy must not call the scheduler. After a panic (see Interrupted), do not use the scheduler again.
//
// Package drive plays instants in that order. The scheduler panics with the number of a broken obligation if it detects one (2, 3 and
// 9): timers that fire late, or a state that is half changed, would cause decisions that no journal explains.
//
// # Where things are
//
// A Scheduler is a facade over its partitions. Package state holds the whole state, and only its methods change it: a State is one
// partition, and all of them embed what they share (the clock, the order of decisions, policy modules). Each change is recorded in the
// log of its partition. Package schedule (the walk, reservations) and package preempt (which asks preempt allocations) read the state,
// follow the log, and change the state through its methods. Their searches may take longer than one Cycle; package resumable records
// where the next one resumes them. Package inspect answers questions. Queues, applications and nodes have packages of their own, each
// with the index that keeps its order. Policies compute the keys of the orders (package policy). Package class groups asks of one
// shape, and package pending skips the queues and applications that have no ask that can be allocated now.
package scheduler
