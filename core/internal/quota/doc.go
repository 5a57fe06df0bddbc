// Package quota chooses the allocations that a queue gives back when it uses more than its max and preemption by quota is on
// for it.
//
// Choose reads the queues and applications and changes nothing. It lists the allocations of each leaf once, in a heap. What ends as a candidate never becomes one again in the same round: the types in excess only
// become fewer, and what queues may still give only shrinks. So each allocation is looked at once, and a round costs
// O(queues + allocations + victims * log allocations), as the table "quota" of docs/performance.md shows.
package quota
