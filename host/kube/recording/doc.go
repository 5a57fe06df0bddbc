// Package recording writes down what happens in a running Kubernetes cluster, whichever scheduler it has, as a history: a journal whose
// placements are those that the cluster's schedulers chose.
//
// A Recorder watches nodes, pods, namespaces and priority classes. A pod without a node becomes an ask that a replay leaves pending
// (history.Placement); once it is bound, the ask becomes an allocation on its node, which ends with the pod. So a replay of the history
// repeats what the cluster did. `quern import history` makes a workload of it, in which the replaying scheduler chooses.
//
// A history consists of parts. Each begins with the configuration, the nodes and the pods of its first instant, so that it replays without
// the others. A recording that starts again begins another part and never changes one that is there; a part that a crash cut off is
// readable up to the line that was cut. After a gap in the watches, such as a restart of the API server, the history continues with
// the differences: pods that came and went meanwhile are missing.
//
// Gangs are recorded as single asks. Inter-pod affinity, hard topology spread, ports of nodes, volumes and devices have no words in a
// journal; Run logs how many pods have such demands.
package recording
