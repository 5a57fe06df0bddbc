// Package ledger records a run: which asks wait and since when, where allocations run, the usage of queues and nodes, and the totals
// and waits of summaries and reports. It reads the scheduler's inputs with the results of Apply, and its decisions.
//
// The driver of the scheduler calls Advance when time advances, Applied after an input, Decided after a cycle or a timer, and Finish at
// the end. It must do so from the scheduler's start, since a Ledger counts asks as the scheduler does. Watchers, which draw curves or
// compare runs, are called for each change. A Ledger holds the present objects, and of the past only counts, so its memory depends on
// the size of the cluster, not on the length of the run.
//
// A Meter measures the run over its time. There is one for summaries, reports, comparisons of runs, and the playground, so their figures
// agree.
//
// Queues are identified by their shown paths: outside the first partition, the partition is a prefix, as in [gpu]root.a. If a reload
// makes another partition the first, the records of its queues start again under the new path.
package ledger
