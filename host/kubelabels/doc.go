// Package kubelabels reads the labels and annotations with which users of Kubernetes assign pods to applications, queues, users and
// gangs, and with which namespaces set quotas.
//
// It knows no types of Kubernetes: an object is its Metadata. What cannot be read is returned as a Problem, together with the value to
// continue with, which each function documents. The import of listings and the scheduler of a cluster use it, so that both read alike.
package kubelabels
