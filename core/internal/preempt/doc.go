// Package preempt looks for victims: for an ask that waits, the least harmful lawful set of allocations on one node that
// makes room for it, over all nodes.
//
// Finder is the way in. It keeps, by node, who may be a victim at all, and remembers for the last few questions what
// every node has to offer, so that asking again costs what has changed since. A question becomes a problem
// (problem.go): up to which priority each leaf's allocations may be taken, which queues guard how much, how much is
// lacking below which max. Nodes are then looked over (scan.go), and only those that may have the best set are
// searched through (solve.go).
//
// Nothing here changes the cluster, and nothing here decides otherwise for having been interrupted or asked before.
package preempt
