package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"google.golang.org/grpc"

	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/native"
	"github.com/quern-project/quern/host/api/si"
	"github.com/quern-project/quern/host/format"
)

// grpcFlags say where gRPC is served.
type grpcFlags struct{ address string }

func (f *grpcFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.address, "grpc", "127.0.0.1:9081", "the `ADDRESS` to serve gRPC on; one that other machines reach needs TLS and authentication")
}

// wire has gRPC served beside HTTP.
func (f *grpcFlags) wire(ctx context.Context, v *service) error {
	listener, err := v.security.listen(ctx, "--grpc", f.address)
	if err != nil {
		return err
	}
	v.addresses = append(v.addresses, "grpc="+format.Line(listener.Addr().String()))
	managers := si.New(v.live, v.log)
	following, end := context.WithCancel(context.Background())
	v.beside(task{
		serve: func() error { return managers.Follow(following) },
		stop:  func() error { end(); return nil },
	})
	services := []grpcserver.Part{native.New(v.live), managers}
	guard := v.security.calls(grpcserver.Needs(services...))
	server := grpcserver.New(&grpcserver.Options{Log: v.log, Failure: v.live.View().Failure, Credentials: v.security.credentials(),
		Unary: []grpc.UnaryServerInterceptor{guard.Unary}, Stream: []grpc.StreamServerInterceptor{guard.Stream}}, services...)
	v.beside(task{
		serve: func() error {
			if err := server.Serve(listener); !errors.Is(err, grpc.ErrServerStopped) {
				return err
			}
			return nil
		},
		stop: func() error {
			server.Stop()
			return closed(listener)
		},
	})
	return nil
}
