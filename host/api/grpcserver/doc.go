// Package grpcserver is the gRPC server of a live host: what every call goes through before a service answers it, its limits, health and
// reflection, and how errors are answered.
//
// A service is a Part. Streams end when the server stops: a handler selects on Stopping of its context.
package grpcserver
