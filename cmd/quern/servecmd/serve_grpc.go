package servecmd

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/quernapi"
	"github.com/quern-project/quern/host/api/si"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/observe/logging"
	"github.com/quern-project/quern/host/predicates"
)

// grpcFlags say where gRPC is served.
type grpcFlags struct {
	address    string
	timeout    time.Duration   // of a client that answers for predicates
	predicates *predicates.Hub // since open
}

func (f *grpcFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.address, "grpc", "127.0.0.1:9081", "the `ADDRESS` to serve gRPC on; one that other machines reach needs TLS and authentication")
	cmd.Flags().DurationVar(&f.timeout, "predicate-timeout", predicates.DefaultTimeout, "the `DURATION` to wait for a client's answer about predicates, and again for each 1000 nodes")
}

// check refuses settings that cannot be used.
func (f *grpcFlags) check(flags *pflag.FlagSet) error {
	if f.timeout <= 0 || f.timeout > time.Second {
		return cli.Wrong(flags, "predicate-timeout", "expected more than 0s and at most 1s, since all decisions wait for the answer; found %v", f.timeout)
	}
	return nil
}

// open makes what asks clients about predicates.
func (f *grpcFlags) open() { f.predicates = predicates.New(f.timeout) }

// wire has gRPC served beside HTTP.
func (f *grpcFlags) wire(ctx context.Context, v *service) error {
	listener, err := v.security.listen(ctx, "--grpc", f.address)
	if err != nil {
		return err
	}
	v.addresses = append(v.addresses, "grpc="+format.Line(listener.Addr().String()))
	log := v.seen.logs.For(logging.GRPC)
	managers := si.New(v.live, log)
	v.managers = managers
	managers.WhenGiven(f.predicates.Drop)
	following, end := context.WithCancel(context.Background())
	v.beside(task{
		serve: func() error { return managers.Follow(following) },
		stop:  func() error { end(); return nil },
	})
	server := grpcserver.New(&grpcserver.Options{Log: log, Failure: v.live.Ready, TLS: v.security.tls(), Auth: v.security.auth, Clients: v.security.clients, Refused: v.security.refused(),
		Watch: v.seen.calls()}, quernapi.New(v.live, f.predicates), managers)
	v.beside(task{
		serve: func() error { return server.Serve(listener) },
		stop: func() error {
			server.Stop()
			return closed(listener)
		},
	})
	return nil
}
