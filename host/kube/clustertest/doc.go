// Package clustertest runs a real Kubernetes control plane for tests: etcd, the API server and the controller manager,
// and, for the tests that start them, kube-scheduler and kwok, which plays the nodes.
//
// New starts a Cluster for a test, or skips the test where `make kube-tools` has not built the programs. Each program is
// a Process of its own on a loopback port, which a test can kill, pause and start again. Files, certificates and tokens
// are made for the test, and removed with it. When the test fails, the end of each program's log is printed. No process
// outlives the test: New's cleanup kills them, and on Linux the kernel does where the test binary itself is killed.
//
// A Proxy stands in front of the API server, where a test wants requests to fail, to be held up or to be counted.
//
// The API server writes down what service accounts ask of it: Requests returns that.
//
// etcd and kwok listen without authentication, on the loopback interface only.
package clustertest
