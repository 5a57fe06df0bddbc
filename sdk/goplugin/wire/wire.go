// Package wire is what a process policy and its host say to each other: protocol version 1, over gRPC on a unix socket
// that hashicorp/go-plugin negotiates. README.md beside sdk/goplugin tells it to those who write in another language.
//
// The service is quern.policy.v1.Policy; each of its three methods takes and returns a google.protobuf.BytesValue:
//
//	Handshake(nothing)        the manifest, JSON, at most abi.MaxManifest bytes
//	Configure(JSON object)    nothing, or the status InvalidArgument with a text
//	Eval(Request)             a Reply
//
// A plugin keeps the columns of each table between calls, so a Request carries the rows that changed. It may drop any
// table at any time: it then answers Resend, and is sent the table in full.
package wire

import (
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
)

// Version is the version of the protocol that go-plugin negotiates.
const Version = 1

// Name is the name of the one plugin in the set.
const Name = "policy"

// Bounds of the protocol.
const (
	MaxMessage     = 64 << 20  // bytes of a message; both sides refuse what is longer
	MaxTables      = 4096      // tables that a plugin keeps; the one that was used longest ago goes first
	MaxResident    = 256 << 20 // bytes of the tables that a plugin keeps
	maxHeaderBytes = 16 << 10  // bytes of a gRPC header, and so of a status text
	window         = 4 << 20   // bytes on their way before the other side reads them
)

// Handshake is how a program sees that it was started by a host. It is no secret.
var Handshake = plugin.HandshakeConfig{
	ProtocolVersion:  Version,
	MagicCookieKey:   "QUERN_POLICY",
	MagicCookieValue: "8f1f0d8a6b1f4f2e9a0c5b7d3e6a4c21",
}

// ServerOptions raise the bound of gRPC's servers, 4 MiB by default, to MaxMessage.
func ServerOptions() []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.MaxRecvMsgSize(MaxMessage), grpc.MaxSendMsgSize(MaxMessage), grpc.MaxHeaderListSize(maxHeaderBytes),
		grpc.InitialWindowSize(window), grpc.InitialConnWindowSize(window),
	}
}

// DialOptions bound what a host reads from a plugin: everything but answers, whose bound is that of their call, is short.
func DialOptions() []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxShort), grpc.MaxCallSendMsgSize(MaxMessage)),
		grpc.WithMaxHeaderListSize(maxHeaderBytes),
		grpc.WithInitialWindowSize(window), grpc.WithInitialConnWindowSize(window),
	}
}
