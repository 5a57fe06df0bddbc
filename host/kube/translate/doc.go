// Package translate turns objects of a Kubernetes API server into inputs of the scheduler: nodes, pods, and the applications and gangs that
// pods form. Its functions are pure: they take objects and what the scheduler knows of them, and read no cluster.
//
// A pod of this scheduler is an ask until it has a node, and an allocation until it has ended or is gone. The ID of both is its Key. Other
// pods occupy their nodes (Occupied). Change compares two versions of a pod and returns the inputs that the difference calls for.
//
// Labels and annotations are those of package kubelabels. What cannot be read there becomes a Problem, which says how the pod is treated
// instead; it never keeps a pod from being scheduled.
package translate
