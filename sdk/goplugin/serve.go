// Package goplugin runs a policy as a process of its own, which a host starts, asks and ends.
//
//	func main() { goplugin.Serve(&policy.Policy{…}) }
//
// The policy is the same value that sdk/go makes a WebAssembly module of. As a process it may use any library, files and
// the network, and it pays for that: a round trip a call, answers that are recorded rather than computed again on
// replay, and a life that ends with every failure, whichever it was: a fresh process is configured and sent everything.
package goplugin

import (
	"fmt"
	"io"
	"os"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/quern-project/quern/sdk/goplugin/wire"
	"github.com/quern-project/quern/sdk/policy"
)

// Serve answers the host that started the program until that host is gone, and then ends the program. It does not
// return. A policy that cannot be served, or a start by hand, ends it with a message and status 1.
//
// The program ends when its standard input does, of which the host holds the other end, so reading standard input is not
// for policies. Standard output and standard error go to the host's log. Processes that the policy starts are killed with
// it when the host ends it; when the host itself was killed they are not, unless they watch for that.
//
// Functions of the policy are called one at a time.
func Serve(p *policy.Policy) {
	server, err := policy.New(p)
	if err != nil {
		fmt.Fprintln(os.Stderr, "policy: "+err.Error())
		os.Exit(1)
	}
	serve(newService(server))
}

func serve(s wire.Server) {
	// Without the cookie the program was started by hand, and go-plugin says so and ends it.
	if os.Getenv(wire.Handshake.MagicCookieKey) == wire.Handshake.MagicCookieValue {
		go endWithHost(os.Stdin)
	}
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig:  wire.Handshake,
		VersionedPlugins: map[int]plugin.PluginSet{wire.Version: {wire.Name: &wire.Plugin{Answers: s}}},
		Logger:           hclog.NewNullLogger(),
		GRPCServer: func(given []grpc.ServerOption) *grpc.Server {
			return grpc.NewServer(append(given, wire.ServerOptions()...)...)
		},
	})
	os.Exit(0)
}

// endWithHost ends the program when the pipe whose other end the host holds is closed, as it is when the host dies.
func endWithHost(stdin io.Reader) {
	_, err := io.Copy(io.Discard, stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, "policy: standard input: "+err.Error())
	}
	os.Exit(0)
}
