package si

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc"

	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/server"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// UpdateAllocation implements the service.
func (s *Service) UpdateAllocation(stream grpc.BidiStreamingServer[siv1.AllocationRequest, siv1.AllocationResponse]) error {
	c := &conversation[siv1.AllocationRequest, siv1.AllocationResponse]{Service: s, stream: stream, method: "UpdateAllocation", take: s.takeAllocations,
		rm: (*siv1.AllocationRequest).GetRmID, box: func(own *session) *outbox[siv1.AllocationResponse] { return own.allocations }}
	return c.run()
}

// UpdateApplication implements the service.
func (s *Service) UpdateApplication(stream grpc.BidiStreamingServer[siv1.ApplicationRequest, siv1.ApplicationResponse]) error {
	c := &conversation[siv1.ApplicationRequest, siv1.ApplicationResponse]{Service: s, stream: stream, method: "UpdateApplication", take: s.takeApplications,
		rm: (*siv1.ApplicationRequest).GetRmID, box: func(own *session) *outbox[siv1.ApplicationResponse] { return own.applications }}
	return c.run()
}

const methodNode = "UpdateNode"

// UpdateNode implements the service.
func (s *Service) UpdateNode(stream grpc.BidiStreamingServer[siv1.NodeRequest, siv1.NodeResponse]) error {
	c := &conversation[siv1.NodeRequest, siv1.NodeResponse]{Service: s, stream: stream, method: methodNode, take: s.takeNodes,
		rm: (*siv1.NodeRequest).GetRmID, box: func(own *session) *outbox[siv1.NodeResponse] { return own.nodes }}
	return c.run()
}

// mostUnderWay is how many parts of messages of a stream may wait for their answers. The client is not read from while there are more.
const mostUnderWay = 1_000

// conversation is a stream of a resource manager.
type conversation[Q, R any] struct {
	*Service
	stream grpc.BidiStreamingServer[Q, R]
	method string
	rm     func(*Q) string
	box    func(*session) *outbox[R]
	take   func(*batch, *session, *Q)

	own      *session
	out      *outbox[R]
	reader   int // of out
	underWay chan underWay
	finished chan error // gets a value when nothing is read any more and all is answered
}

// underWay is a part of a message whose inputs were handed in.
type underWay struct {
	ticket *server.Ticket
	part   *part
}

// run begins with the first message, which says who speaks.
func (c *conversation[Q, R]) run() error {
	first, err := c.stream.Recv()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return err
	}
	ctx, end := context.WithCancelCause(c.stream.Context())
	defer end(nil)
	if err := c.attach(c.rm(first), end); err != nil {
		return err
	}
	c.underWay, c.finished = make(chan underWay, mostUnderWay), make(chan error, 1)
	written := make(chan error, 1)
	go c.read(ctx, first)
	// The writer may wait for a client that does not read. It ends when this method has returned.
	go func() { written <- c.write(ctx) }()
	select {
	case err = <-written:
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-grpcserver.Stopping(ctx):
		err = server.ErrStopping
	}
	c.detach(err != nil)
	return err
}

// attach takes the place of the stream before.
func (c *conversation[Q, R]) attach(id string, end context.CancelCauseFunc) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.stream.Context().Err(); err != nil {
		return err // its client has gone, and may have opened another one already
	}
	own, err := c.session(c.stream.Context(), id)
	if err != nil {
		return err
	}
	c.own = own
	if before, open := c.own.streams[c.method]; open {
		before.end(errTakenOver)
	}
	c.out = c.box(c.own)
	c.reader = c.out.attach()
	c.own.streams[c.method] = stream{c.reader, end}
	c.own.answering++
	return nil
}

// detach leaves its place, unless another stream has it.
func (c *conversation[Q, R]) detach(broken bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out.detach(c.reader, broken)
	if c.box(c.own) == c.out && c.own.streams[c.method].reader == c.reader {
		delete(c.own.streams, c.method)
	}
}

// read takes messages until the client sends no more.
func (c *conversation[Q, R]) read(ctx context.Context, m *Q) {
	answered := make(chan error, 1)
	go func() { answered <- c.answer(ctx) }()
	var err error
	for err == nil {
		if err = c.message(ctx, m); err != nil {
			break
		}
		c.out.room(ctx.Done())
		m, err = c.stream.Recv()
	}
	close(c.underWay)
	if failure := <-answered; failure != nil || err == io.EOF {
		err = failure
	}
	c.mu.Lock()
	c.own.answering--
	close(c.own.answered)
	c.own.answered = make(chan struct{})
	c.mu.Unlock()
	c.finished <- err
}

// message hands in what a message says.
func (c *conversation[Q, R]) message(ctx context.Context, m *Q) error {
	if id := c.rm(m); id != "" && id != c.own.id {
		return grpcserver.BadParameter("rmID", c.own.id+" as in the messages before", id)
	}
	b := &batch{}
	if err := c.taken(ctx, b, m); err != nil {
		return err
	}
	for i, p := range b.parts {
		ticket, err := c.own.source.EnqueueWait(ctx, &server.Request{Inputs: p.inputs, Omits: true, By: permission.Actor(ctx)})
		if err != nil {
			for _, p := range b.parts[i:] {
				err = errors.Join(err, c.settle(p, &server.Answer{}, err))
			}
			return err
		}
		c.underWay <- underWay{ticket, p} // answer takes it, whatever happens
	}
	return nil
}

// taken has a message taken, unless the stream has ended: the resource manager may be another user's since.
func (c *conversation[Q, R]) taken(ctx context.Context, b *batch, m *Q) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	c.take(b, c.own, m)
	return nil
}

// answer goes through the messages that were handed in, also when their stream has ended: what is known of them is for the next one.
func (c *conversation[Q, R]) answer(ctx context.Context) (all error) {
	ctx, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	defer context.AfterFunc(c.life, end)()
	for u := range c.underWay {
		given, err := u.ticket.Wait(ctx)
		if err = errors.Join(err, c.settle(u.part, &given, err)); err != nil && all == nil {
			all = err
		}
	}
	return all
}

// settle notes the result of a part of a message.
func (c *conversation[Q, R]) settle(p *part, given *server.Answer, failure error) error {
	o, err := outcomeOf(p.inputs, given, failure)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.own.batch = max(c.own.batch, given.Batch)
	for _, do := range p.after {
		do(o)
	}
	return err
}

// write sends answers until the stream ends.
func (c *conversation[Q, R]) write(ctx context.Context) error {
	for last := false; ; {
		m, changed, err := c.out.message(c.reader)
		switch {
		case err != nil:
			return err
		case m != nil:
			if err := c.stream.Send(m); err != nil {
				return err
			}
			continue
		case last:
			return nil
		}
		select {
		case <-changed:
		case err := <-c.finished:
			if err != nil {
				return err
			}
			last = true
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
