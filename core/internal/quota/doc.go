// Package quota chooses the allocations that a queue releases when it uses more than its max and preemption by quota is on for it.
//
// Choose reads queues and applications and changes nothing. It lists the allocations of each leaf once, in a heap. An allocation
// that has stopped being a candidate does not become one again in the same round, since the types in excess only become fewer and the
// amounts that queues may release only shrink. So each allocation is checked once, and a round takes
// O(queues + allocations + victims * log allocations); see the table "quota" in docs/inside/performance.md.
package quota
