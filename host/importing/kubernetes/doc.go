// Package kubernetes imports what `kubectl get nodes,pods --all-namespaces -o json` prints: nodes with what they can
// allocate, pods that run as allocations, pods that wait as asks. Namespaces, priority classes and pod groups may be in the listing, too.
//
// Reader takes listings, and gives what they hold to an importing.Sink once all were read. What a journal cannot say of a pod
// is counted in the sink's tally. Kubernetes' own packages are not used: what is read of its objects is in objects.go.
package kubernetes
