// Package filter holds the filter plugins of Kubernetes as host predicates of the core: they decide which nodes a pod may use.
//
// Pods that the plugins judge alike form a class, whose name is the predicate of their asks. The filters keep the nodes and the pods on them: those of
// the API server, and those that the scheduler has placed and not yet bound. So each allocation of a cycle counts for the next one. The plugins run in
// the framework of Kubernetes' own scheduler: PreFilter once for each state of the cluster, and Filter for the nodes that the core asks about.
//
// Volumes and devices are reserved in memory at the moment of allocation, so that no two pods of a cycle get the same. They are bound by
// PreBind, before the pod is.
package filter
