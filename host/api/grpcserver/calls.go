package grpcserver

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"google.golang.org/grpc"

	"github.com/quern-project/quern/host/server"
)

// calls is what every call goes through.
type calls struct {
	log      *slog.Logger
	stopping context.Context
	streams  chan struct{} // a value for each stream that is open
	patience time.Duration // with clients that only listen
	codec    codec
}

type stoppingKey struct{}

// Stopping returns a channel that is closed when the server begins to stop.
func Stopping(ctx context.Context) <-chan struct{} {
	c, _ := ctx.Value(stoppingKey{}).(context.Context)
	if c == nil {
		return nil
	}
	return c.Done()
}

// unary bounds the time of a call, and answers errors as Problems.
func (c *calls) unary(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (response any, err error) {
	ctx, cancel := context.WithTimeout(ctx, unaryTime)
	defer cancel()
	defer c.recovered(info.FullMethod, &err)
	response, err = handle(ctx, request)
	return response, c.answered(info.FullMethod, err)
}

// stream bounds the number of streams, and answers errors as Problems.
func (c *calls) stream(service any, s grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) (err error) {
	select {
	case c.streams <- struct{}{}:
		defer func() { <-c.streams }()
	default:
		return Status(server.ErrBusy).Err()
	}
	s = &stoppable{&incoming{s, c.codec}, context.WithValue(s.Context(), stoppingKey{}, c.stopping)}
	if !info.IsClientStream {
		return c.listening(service, s, info.FullMethod, handle)
	}
	defer c.recovered(info.FullMethod, &err)
	return c.answered(info.FullMethod, handle(service, s))
}

// recovered makes a panic an error of one call: gRPC would end the process.
func (c *calls) recovered(method string, err *error) {
	if p := recover(); p != nil {
		c.log.Error("a call panicked", "method", method, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		*err = Status(fmt.Errorf("panic: %v", p)).Err()
	}
}

// answered returns the error that a client gets.
func (c *calls) answered(method string, err error) error {
	if err == nil {
		return nil
	}
	s := Status(err)
	if s.Code() == internalCode {
		c.log.Error("a call failed", "method", method, "error", err)
	}
	return s.Err()
}

// stoppable is a stream whose context knows when the server stops.
type stoppable struct {
	grpc.ServerStream
	ctx context.Context
}

// Context implements grpc.ServerStream.
func (s *stoppable) Context() context.Context { return s.ctx }
