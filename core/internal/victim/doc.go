// Package victim looks for victims: for a pending ask, the least harmful lawful set of allocations on one node that makes room
// for it, over all nodes.
//
// Finder is the way in; the core asks it in the order of the walk. A Question is an ask and the cluster around it. It
// becomes a problem (problem.go): the priority up to which allocations of each leaf may be victims, the guarantees that
// guard them, and what has to be freed below each max. Branch and bound over the nodes finds the best set. Each node is a
// candidate; a summary of its allocations bounds it (bound.go), its possible victims bound it more closely (examine.go), and
// only candidates that the incumbent does not dominate are made exact, by trying all combinations of a few victims
// (combinations.go) or by a search through the node (solver.go).
//
// Nothing here changes the cluster. No answer depends on earlier questions, and a search that is interrupted finds what it
// would have found in one call.
//
// # Laws
//
// The ask and a victim meet at the lowest queue that contains both of their leaves, or at the leaf that they share. Usage counts
// what is allocated, leaving allocations too, unless a law says otherwise. A guarantee of 0 counts as none.
//
// The laws that the documents number:
//
//  1. Opted-out allocations and originators are victims only where no set without them is enough (protection; Set.compare
//     puts them first).
//  2. No queue between a victim's leaf and the meeting queue falls below its guarantee for a type that victims use, once the
//     set and all leaving allocations have left (allowBelow makes the guards; guardBinds checks one victim, spared a set).
//  3. The ask never preempts its own application (preemptable).
//  4. For some type that the ask needs, a queue of its path below the meeting queue has a guarantee, and all that have one use
//     less; asks that wait for victims count as used (entitled).
//  5. Only a queue above its guarantee loses anything: the guards of law 2, seen from the other side.
//  6. A victim's priority is at most the ask's, both as seen just below the meeting queue (allowByGuarantee, within).
//  7. The meeting queue is inside every preemption fence that the ask is in (fenceOf). A fence does not keep other asks out.
//
// Further laws:
//
//  8. Leaving allocations and those with a required node are never victims (possibleVictim).
//  9. Within the ask's own leaf there are victims only by the intra-queue option: of strictly lower priority, without
//     entitlement (allowIntraQueue).
//  10. Elsewhere there are victims only if guarantees preempt in the partition, for the ask's queues and for the victim's
//     (formulate, disabled, allowBelow).
//  11. From the meeting queue up, the exchange as a whole takes no queue below its guarantee and lowers none that is below; what
//     will be used counts (guardPath; checked as law 2).
//  12. All victims are on one node. The ask fits it, and every max on the ask's path holds for the types that it needs, once the victims
//     and all leaving allocations have left and all waiting asks have landed (measure, enough).
//  13. The node is schedulable, admits the ask, and has no claim of another; one that is reserved for another yields only to a
//     higher priority (checkNode).
//  14. An ask with a required node preempts there up to its own priority, whatever the queues (allowByNode). Laws 3, 8 and 12 hold.
//
// Which lawful set is best (Set.compare):
//
//  15. The one with the fewest originators; the fewest opted-out victims; the lowest top priority; the smallest keys of a victim.rank
//     policy, if one is in force; the fewest victims; the lowest priorities, from the highest; the least excess, as shares of the
//     cluster from the largest; the youngest victims, from the oldest. Priorities are the victims' own. Since fewer victims are
//     better, the best set has no needless one.
//
// What is exact and what is approximate:
//
//  16. A bound never exceeds the harm of any lawful set of the node (lowerBound, bound), so that a dominated candidate cannot be
//     the best (dominated).
//  17. The answer is the best set unless the search through some node takes more than exactSteps steps. That node then gets a lawful
//     set by greed (greedy), and the answer is marked approximate if what was proven of the node does not rule out a
//     better set (approximate; TestTheExactSearchReachesFar shows where the border lies).
package victim
