// Package disruption holds the PodDisruptionBudgets of a cluster, the disruptions that preemptions have used up before a budget's status counts
// them, and the sets of victims that take too many pods of a budget.
//
// It guarantees that each preempted pod counts once, until the status counts it, and that a pod whose budgets may have changed their answer is
// named to Options.Recheck. Budgets belongs to one goroutine. host/kube/manager uses it to protect pods and to undo sets of victims.
package disruption
