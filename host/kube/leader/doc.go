// Package leader lets at most one replica of a program act at a time, by a Lease of the Kubernetes API.
//
// Elector.Run waits until this replica holds the Lease and calls a function with the context of its term. The context ends when the Lease has
// not been renewed for Timing.Deadline, or when another replica holds it. A term counts from before the request that renewed the Lease was
// sent; a waiting replica counts Timing.Lease from after it has seen the renewal. So between the end of a term and the begin of the next one lie
// at least Lease - Deadline, however long requests take. Wall clocks play no part in it: they are written into the Lease for readers only.
//
// A process that was stopped (SIGSTOP, a suspended machine) learns late that its term has ended, and its goroutines may run before it does.
// Each write that only the leader may send must therefore go through Elector.Fence, which reads the clock.
//
// A new leader must list the cluster again before it writes: what its predecessor wrote last may not have reached its caches.
package leader
