// Package victim finds preemption victims. For a pending ask it searches all nodes for the least harmful lawful set of
// allocations on one node whose release makes room for the ask. For a gang, GangSearch finds victims on several nodes.
//
// Package preempt calls Finder, for one ask at a time. A Question describes the ask and the cluster. The Finder turns it into a
// problem (problem.go): for each leaf, the highest priority that a victim may have; the guarantees that protect allocations
// (guards); and the amounts to be freed below each max. A branch-and-bound search over the nodes finds the best set. Each node is
// a candidate. A summary of its allocations gives a lower bound of the harm (bound.go), and the list of its possible victims gives
// a closer one (examine.go). A candidate whose bound is better than the incumbent, the best set so far, is solved exactly: by
// trying all combinations of a few victims (combinations.go) or by branch and bound within the node (solver.go).
//
// The package does not change the cluster. Answers do not depend on earlier questions, and an interrupted search returns the same
// set as one that runs in a single call.
//
// # Laws
//
// The ask and a victim meet at the lowest queue that contains both of their leaves, or at the leaf that they share. Usage includes
// all allocations, also leaving ones, unless a law says otherwise. A guarantee of 0 counts as none. A claim is the hold of an ask on
// the node where its victims are leaving.
//
// The laws that the documents number:
//
//  1. Opted-out allocations and originators are victims only if no set without them is enough (protection; Set.compare
//     compares by them first).
//  2. No queue between a victim's leaf and the meeting queue falls below its guarantee for a type that victims use, once the
//     set and all leaving allocations have left (allowBelow makes the guards; guardBinds checks one victim, guardsAllow a set).
//  3. The ask never preempts its own application (preemptable).
//  4. For some type that the ask needs, at least one queue on its path below the meeting queue has a guarantee, and each queue
//     there that has one uses less than it. Asks that hold a claim count as used (entitled).
//  5. Only a queue above its guarantee loses allocations. The guards of law 2 enforce this too.
//  6. A victim's priority is at most the ask's, both as seen just below the meeting queue (allowByGuarantee, within).
//  7. The meeting queue is inside every preemption fence that the ask is in (fenceOf). A fence does not keep other asks out.
//  8. A running gang that leaves as a unit keeps the members that it needs, or all its members are victims, on whichever nodes they
//     are. Then each of them counts in every law and in the harm, but only those on the node in room and excess (unit; the caps of
//     the solver).
//
// Further laws:
//
//  9. Leaving allocations and those with a required node are never victims (possibleVictim).
//
//  10. Within the ask's own leaf, only the intra-queue option allows victims: those of strictly lower priority. Law 4 does not
//     apply (allowIntraQueue).
//
//  11. In other leaves, victims are allowed only if preemption by guarantees is on for the partition, for the ask's queues and for
//     the victim's queues (formulate, disabled, allowBelow).
//
//  12. From the meeting queue up, replacing the victims by the ask takes no queue below its guarantee, and lowers no queue that is
//     below it already. Future usage counts: without leaving allocations, with claims (guardPath; checked as law 2).
//
//  13. All victims are on one node, but for those that leave with their gang. Once they and all leaving allocations have left, and all asks with claims are allocated, the ask
//     fits the node, and each max on its path holds for the types that it needs (measure, enough).
//
//  14. The node is schedulable, admits the ask, and is not claimed for another ask. A node that is reserved for another ask may be
//     used only by one of higher priority (checkNode).
//
//  15. An ask with a required node preempts there up to its own priority, regardless of queues (allowByNode). Laws 3, 8, 9 and 13 apply.
//
//  16. By the right surplus, an ask may have victims in every leaf that law 7 permits, its own too, without law 4, regardless of switches for
//     preemption by guarantees. Then all victims are elastic surplus of other applications: members beyond those that a gang needs, if it
//     gives a largest size (allowSurplus, mayBeSurplus). Laws 2, 3, 5 to 9 and 12 to 14 apply.
//
// Which lawful set is best (Set.compare):
//
//  17. Sets are compared by these criteria, in this order: the fewest originators; the fewest opted-out victims; the fewest victims that are not
//     elastic surplus, if the partition has such surplus; the lowest top
//     priority; the fewest gangs that end, or that are broken; the smallest keys of a victim.rank policy, if one is in force; the fewest
//     victims; the lowest priorities, compared from the highest; the least excess, as shares of the cluster, compared from the largest; if usage ages, the largest shares of the victims' leaves by the usage that orders them, compared from the largest;
//     the youngest victims, compared from the oldest; the node's ID. Priorities are the victims' own. Since fewer victims are better, the best set contains no unnecessary victim.
//
// What is exact and what is approximate:
//
//  18. A bound never exceeds the harm of any lawful set of the node (lowerBound, bound), so a dominated candidate cannot be
//     the best (dominated).
//  19. The answer is the best set unless the search within some node takes more than exactSteps steps. A greedy algorithm then
//     chooses a lawful set for that node (greedy). The answer is marked approximate unless the bounds proven so far rule out a
//     better set there (approximate; TestTheExactSearchReachesFar shows which sizes are still exact).
package victim
