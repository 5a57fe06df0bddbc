package quernapi

import (
	"context"
	"fmt"
	"io"

	"google.golang.org/grpc"

	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/server"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

const mostKey = 256 // bytes of an idempotency key

func checkKey(key string) error {
	if n := len(key); n > mostKey {
		return grpcserver.BadParameter("idempotency_key", fmt.Sprintf("at most %d bytes", mostKey), fmt.Sprint(n))
	}
	return nil
}

func requestOf(ctx context.Context, r *quernv1.SubmitRequest) (*server.Request, error) {
	if err := checkKey(r.GetIdempotencyKey()); err != nil {
		return nil, err
	}
	inputs, err := inputsOf(r.GetInputs())
	return &server.Request{Inputs: inputs, Key: r.GetIdempotencyKey(), Durable: r.GetDurableOnly(),
		By: permission.Actor(ctx)}, err
}

func responseOf(a *server.Answer) (*quernv1.SubmitResponse, error) {
	list, err := grpcserver.Decisions(a.Decisions)
	return &quernv1.SubmitResponse{First: a.First, Last: a.Last, Decisions: list}, err
}

// Submit implements the service.
func (s *Service) Submit(ctx context.Context, r *quernv1.SubmitRequest) (*quernv1.SubmitResponse, error) {
	request, err := requestOf(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := permission.NewSender(ctx, s.server.View()).Sign(request); err != nil {
		return nil, err
	}
	source, done := s.sources.Of(auth.FromContext(ctx).Client())
	defer done()
	given, err := source.Submit(ctx, request)
	if err != nil {
		return nil, err
	}
	if !request.Durable {
		if err := s.server.View().Await(ctx, given.Batch); err != nil {
			return nil, err
		}
	}
	return responseOf(&given)
}

// mostUnderWay is how many requests of a stream may wait for their answers. The client is not read from while there are more.
const mostUnderWay = 1_000

// underWay is a request of a stream.
type underWay struct {
	sequence uint64
	ticket   *server.Ticket
	err      error // why there is none
}

// SubmitStream implements the service.
func (s *Service) SubmitStream(stream grpc.BidiStreamingServer[quernv1.SubmitStreamRequest, quernv1.SubmitStreamResponse]) error {
	ctx, cancel := context.WithCancel(stream.Context())
	defer cancel()
	in := &intake{source: s.server.Source(), sender: permission.NewSender(ctx, s.server.View()), queue: make(chan underWay, mostUnderWay)}
	defer in.source.Close()
	ended := make(chan error, 1)
	go func() {
		ended <- in.read(ctx, stream)
		close(in.queue)
	}()
	for {
		select {
		case u, more := <-in.queue:
			if !more {
				return <-ended
			}
			if err := s.answer(ctx, stream, &u); err != nil {
				return err
			}
		case <-grpcserver.Stopping(ctx):
			return server.ErrStopping
		}
	}
}

// answer waits for the answer to a request, and sends it.
func (s *Service) answer(ctx context.Context, stream grpc.BidiStreamingServer[quernv1.SubmitStreamRequest, quernv1.SubmitStreamResponse], u *underWay) error {
	response, err := s.result(ctx, u)
	out := &quernv1.SubmitStreamResponse{Sequence: u.sequence, Result: &quernv1.SubmitStreamResponse_Response{Response: response}}
	if err != nil {
		p := grpcserver.ProblemOf(err)
		if p == nil || ctx.Err() != nil {
			return err
		}
		out.Result = &quernv1.SubmitStreamResponse_Problem{Problem: p.Message()}
	}
	return stream.Send(out)
}

func (s *Service) result(ctx context.Context, u *underWay) (*quernv1.SubmitResponse, error) {
	if u.err != nil {
		return nil, u.err
	}
	given, err := u.ticket.Wait(ctx)
	if err != nil {
		return nil, err
	}
	return responseOf(&given)
}

// intake takes the requests of a stream.
type intake struct {
	source *server.Source
	sender *permission.Sender
	queue  chan underWay // in their order
}

// read takes requests until the client sends no more.
func (in *intake) read(ctx context.Context, stream grpc.BidiStreamingServer[quernv1.SubmitStreamRequest, quernv1.SubmitStreamResponse]) error {
	for {
		r, err := stream.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		u := underWay{sequence: r.GetSequence()}
		request, err := requestOf(ctx, r.GetRequest())
		if err == nil {
			err = in.sender.Sign(request)
		}
		if err == nil {
			u.ticket, err = in.source.EnqueueWait(ctx, request)
		}
		u.err = err
		select {
		case in.queue <- u:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
