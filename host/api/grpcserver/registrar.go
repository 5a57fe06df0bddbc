package grpcserver

import (
	"context"
	"slices"

	"google.golang.org/grpc"
)

// registrar registers services whose unary calls pass the interceptors before their message is received. gRPC itself receives and decodes the
// message first, so that every client could have messages of any content decoded without a token. A stream is intercepted first in any case.
type registrar struct {
	grpc.ServiceRegistrar
	codec     codec
	intercept []grpc.UnaryServerInterceptor // the outermost first; the request that they see is nil
}

// RegisterService implements grpc.ServiceRegistrar.
func (r *registrar) RegisterService(d *grpc.ServiceDesc, service any) {
	own := *d
	own.Methods = slices.Clone(d.Methods)
	for i, m := range own.Methods {
		own.Methods[i].Handler = r.handler("/"+d.ServiceName+"/"+m.MethodName, m.Handler)
	}
	r.ServiceRegistrar.RegisterService(&own, service)
}

// handler has a method intercepted before it receives its message.
func (r *registrar) handler(name string, method grpc.MethodHandler) grpc.MethodHandler {
	return func(service any, ctx context.Context, next func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		info := &grpc.UnaryServerInfo{Server: service, FullMethod: name}
		handle := func(ctx context.Context, _ any) (any, error) {
			return method(service, ctx, func(m any) error { return r.codec.receive(next, m) }, nil)
		}
		for _, intercept := range slices.Backward(r.intercept) {
			inner := handle
			handle = func(ctx context.Context, _ any) (any, error) { return intercept(ctx, nil, info, inner) }
		}
		return handle(ctx, nil)
	}
}
