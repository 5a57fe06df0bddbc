// Package manager has a live scheduler schedule the pods of a Kubernetes cluster: what changes in the cluster becomes inputs, and what the
// scheduler decides becomes bindings, evictions, events and conditions.
//
// The cluster is the record. Run removes everything from the scheduler and submits the objects that the API server has. From then on informers only say which
// objects to look at: each is compared with its version that was submitted, so that a gap in a watch loses nothing, and a repeated event changes nothing.
//
// One goroutine owns the submitted state. It takes what has gathered (decisions, outcomes of bindings, names of objects), hands in one request, and
// waits until that is durable. Bindings and other writes run beside it, those of one pod one after the other.
//
// A turn of the loop is a list of steps whose order is a value (steps.go). The type run wires what they call, and owns nothing else (wiring.go):
//
//   - pods and apps have what the scheduler knows of each pod and application; only pods.fire changes the state of a pod, by the table of
//     host/kube/podstate
//   - reconciler compares pods with that and submits the difference; obstacles, predicates and deletions each answer one question about a pod
//   - nodes, protections, bindings, evictions, failures and conditions reconcile what their names say; disruption budgets are in host/kube/disruption
//   - session hands in requests and follows decisions; writer writes to the API server
//
// Each needs a few answers of the others, so that its tests need neither an API server nor a scheduler.
//
// Decisions and inputs may cross. Each ask carries the time of the request that it came with: a decision of that time or before it about an
// earlier ask of the same name is skipped. A pod that leaves while it may have been allocated is both withdrawn and released; the scheduler
// ignores one of the two.
package manager
