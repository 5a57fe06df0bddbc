package client

import (
	"context"
	"fmt"
	"io"
	"sync"

	"google.golang.org/grpc"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// Judge says which nodes asks of a predicate may go to, with a code for each node in its order: 0 allows it, and 2 or more is the cause
// that rules it out, as explanations show it. All scheduling waits, so it has to answer from memory; its context ends when the answer
// comes too late. With an error the asks wait, and the host asks again later.
type Judge func(ctx context.Context, predicate string, nodes []string) ([]uint32, error)

// Predicates answers for the predicates of a resource manager.
type Predicates struct {
	client *Client
	owner  string
	judge  Judge

	mu     sync.Mutex
	stream predicateStream // nil: there is none
}

type predicateStream = grpc.BidiStreamingClient[quernv1.PredicatesRequest, quernv1.PredicatesResponse]

// Predicates makes what answers for the predicates of a resource manager, once it runs. The owner is the resource manager's ID.
func (c *Client) Predicates(owner string, judge Judge) *Predicates {
	return &Predicates{client: c, owner: owner, judge: judge}
}

// Run answers questions, one at a time. Where the connection breaks, it connects again, and the host asks everything again. It ends with an
// error: the context's, or one of the host, such as ABORTED where another client has taken its place.
func (p *Predicates) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for attempt := 0; ; attempt++ {
		asked, err := p.once(ctx)
		if asked {
			attempt = 0
		}
		if err == io.EOF || passing(err) || ctx.Err() != nil {
			err = p.client.wait(ctx, attempt)
		}
		if err != nil {
			return err
		}
	}
}

// Changed has the host ask about predicates again, about all if there are no names, since the answers are others now. It does nothing while
// there is no connection: the host asks everything again after that.
func (p *Predicates) Changed(predicates ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stream != nil {
		// An error ends the stream, and Run finds it there.
		_ = p.stream.Send(&quernv1.PredicatesRequest{Request: &quernv1.PredicatesRequest_Changed{Changed: &quernv1.PredicatesChanged{Predicates: predicates}}})
	}
}

// once answers what one stream asks, and reports whether it asked anything. The error is why it ended.
func (p *Predicates) once(ctx context.Context) (asked bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := p.client.scheduler.Predicates(ctx)
	if err != nil {
		return false, err
	}
	if err := p.begin(stream); err != nil && err != io.EOF { // then Recv says why the stream has ended
		return false, err
	}
	defer p.end()
	for {
		q, err := stream.Recv()
		if err != nil {
			return asked, err
		}
		asked = true
		if err := p.answer(ctx, q); err != nil && err != io.EOF {
			return asked, err
		}
	}
}

// begin has Changed use a stream, once the host knows the names that it answers for.
func (p *Predicates) begin(stream predicateStream) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stream = stream
	return stream.Send(&quernv1.PredicatesRequest{Request: &quernv1.PredicatesRequest_Open{Open: &quernv1.PredicatesOpen{Owner: p.owner}}})
}

func (p *Predicates) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stream = nil
}

// answer answers a question.
func (p *Predicates) answer(ctx context.Context, q *quernv1.PredicatesResponse) error {
	a := &quernv1.PredicatesAnswer{Question: q.GetQuestion()}
	judging, cancel := context.WithTimeout(ctx, q.GetTimeout().AsDuration())
	codes, err := p.judge(judging, q.GetPredicate(), q.GetNodes())
	cancel()
	if err == nil && len(codes) != len(q.GetNodes()) {
		err = fmt.Errorf("expected %d codes, found %d", len(q.GetNodes()), len(codes))
	}
	if a.Codes = codes; err != nil {
		a.Codes, a.Fault = nil, err.Error()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stream.Send(&quernv1.PredicatesRequest{Request: &quernv1.PredicatesRequest_Answer{Answer: a}})
}
