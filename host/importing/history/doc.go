// Package history makes workloads of histories: journals of what a cluster did, whose placements were chosen by another scheduler, such as
// package host/kube/recording writes them.
//
// In a history, an ask waits (Placement) until it is replaced, in the same instant, by an allocation on the node that the cluster chose,
// which is released when it ended. In the workload of it, the ask lasts as long as that allocation did, and the scheduler that replays it
// chooses the node. Nodes come, change and go at the same times as in the history.
package history
