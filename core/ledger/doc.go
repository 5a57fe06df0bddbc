// Package ledger keeps the books of a run: which asks wait since when, what runs where, what each queue and node uses, and
// the totals and waits that summaries and reports show. It works from inputs, what Apply returned for them, and decisions.
//
// A Ledger is fed by whatever drives the scheduler: Advance when time moves, Applied after an input, Decided after a cycle
// or a timer, Finish at the end. It has to be fed from the scheduler's start, since it counts asks as the scheduler does.
// Watchers that draw curves or compare runs are told of each change. The ledger holds what is alive, and of the past only
// counts, so its memory follows the cluster and not the length of the run.
//
// Queues are known by their shown paths: outside the first partition its name stands before the path, as in [gpu]root.a. Where
// a reload makes another partition the first, the books of its queues restart under the other path.
package ledger
