package program

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
	grpcclient "github.com/quern-project/quern/sdk/client"
)

// mostUnderWay is how many requests of a stream wait for their answers.
const mostUnderWay = 8

// caller makes requests of quern.v1, and remembers what it was told.
type caller struct {
	name    string
	random  *rand.Rand
	client  *grpcclient.Client
	keyless bool
	n       int
	heard   []*quernv1.SubmitResponse
	asks    []string
	answers int
}

// request makes up the next request.
func (c *caller) request() *quernv1.SubmitRequest {
	a := askOf(c.name, c.n, c.random)
	c.n++
	r := &quernv1.SubmitRequest{IdempotencyKey: a.id}
	if c.keyless {
		r.IdempotencyKey = ""
	}
	add := func(in *quernv1.Input) { r.Inputs = append(r.Inputs, in) }
	if a.first {
		add(&quernv1.Input{Input: &quernv1.Input_AppAdd{AppAdd: &quernv1.AppAdd{Id: a.app, Queue: "root.default"}}})
	}
	add(&quernv1.Input{Input: &quernv1.Input_AskAdd{AskAdd: &quernv1.AskAdd{Id: a.id, App: a.app, Resources: &quernv1.Resources{Amounts: map[string]int64{"vcore": 1000 * a.vcores}}}}})
	for _, id := range a.released {
		add(&quernv1.Input{Input: &quernv1.Input_AllocationRelease{AllocationRelease: &quernv1.AllocationRelease{Id: id}}})
	}
	for _, id := range a.removed {
		add(&quernv1.Input{Input: &quernv1.Input_AskRemove{AskRemove: &quernv1.AskRemove{Id: id}}})
	}
	return r
}

func (c *caller) hear(n int, r *quernv1.SubmitResponse) {
	c.heard = append(c.heard, r)
	c.asks = append(c.asks, fmt.Sprint(c.name, n))
	c.answers++
}

func (c *caller) report(g *books) {
	for _, r := range c.heard {
		for _, d := range r.GetDecisions() {
			g.toldMessage(c.name, d)
		}
		g.taken(c.name, int(r.GetFirst()), int(r.GetLast()))
	}
	g.acknowledged(c.asks...)
	g.sent[c.name] = c.n - 1
	c.heard, c.asks = nil, nil
}

// streamer sends requests on a stream without waiting for each answer. What was not answered it sends again on the next stream.
type streamer struct {
	caller
	unanswered []*quernv1.SubmitStreamRequest // in the order of their sequence
}

func (s *streamer) run(_ *host, turn *turn) error {
	ctx, cancel := turn.context()
	defer cancel()
	stream, err := s.client.Scheduler().SubmitStream(ctx, grpc.WaitForReady(true))
	if err != nil {
		return unlessGone(err)
	}
	for _, r := range s.unanswered {
		if err := stream.Send(r); err != nil {
			return s.why(stream)
		}
	}
	for {
		for len(s.unanswered) < mostUnderWay && turn.take() {
			r := &quernv1.SubmitStreamRequest{Sequence: uint64(s.n)}
			r.Request = s.request()
			s.unanswered = append(s.unanswered, r)
			if err := stream.Send(r); err != nil {
				return s.why(stream)
			}
		}
		if len(s.unanswered) == 0 { // there were enough requests
			return nil
		}
		if err := s.receive(stream); err != nil {
			return unlessGone(err)
		}
		turn.answered()
	}
}

// why is the error of a stream that takes no more.
func (s *streamer) why(stream grpc.BidiStreamingClient[quernv1.SubmitStreamRequest, quernv1.SubmitStreamResponse]) error {
	for {
		if err := s.receive(stream); err != nil {
			return unlessGone(err)
		}
	}
}

// receive takes one answer, which has to be that of the request that waits longest.
func (s *streamer) receive(stream grpc.BidiStreamingClient[quernv1.SubmitStreamRequest, quernv1.SubmitStreamResponse]) error {
	a, err := stream.Recv()
	if err != nil {
		return err
	}
	if len(s.unanswered) == 0 || a.GetSequence() != s.unanswered[0].GetSequence() || a.GetResponse() == nil {
		return fmt.Errorf("stream %s: found the answer %v", s.name, a)
	}
	s.unanswered = s.unanswered[1:]
	s.hear(int(a.GetSequence()), a.GetResponse())
	return nil
}

// unlessGone is an error that says more than a host that has gone.
func unlessGone(err error) error {
	if code := status.Code(err); err == io.EOF || code == codes.Unavailable || code == codes.Canceled {
		return nil
	}
	return err
}

// patient sends one request after the other with a client that repeats each until it is answered, also by the next host.
type patient struct {
	caller
	flight chan error // of the request under way; nil: none is
	life   context.Context
	answer *quernv1.SubmitResponse
}

func (p *patient) run(_ *host, turn *turn) error {
	for {
		if p.flight == nil {
			if !turn.take() {
				return nil
			}
			p.flight = make(chan error, 1)
			go func(r *quernv1.SubmitRequest, flight chan<- error) {
				var err error
				p.answer, err = p.client.SubmitRequest(p.life, r)
				flight <- err
			}(p.request(), p.flight)
		}
		select {
		case err := <-p.flight:
			if err != nil {
				return err
			}
			p.flight = nil
			p.hear(p.n-1, p.answer)
			turn.answered()
		case <-turn.over:
			return nil
		}
	}
}

// watcher reads all decisions as they are published, over every crash.
type watcher struct {
	mu    sync.Mutex
	seen  []*quernv1.Decision
	more  chan struct{} // has a value when there are more
	ended chan error
}

func watch(ctx context.Context, c *grpcclient.Client) *watcher {
	w := &watcher{more: make(chan struct{}, 1), ended: make(chan error, 1)}
	go func() {
		for d, err := range c.Watch(ctx, &quernv1.WatchRequest{From: 1}) {
			if err != nil {
				w.ended <- err
				return
			}
			w.mu.Lock()
			w.seen = append(w.seen, d)
			w.mu.Unlock()
			select {
			case w.more <- struct{}{}:
			default:
			}
		}
	}()
	return w
}

// await waits until a number of decisions was published.
func (w *watcher) await(t *testing.T, n int) {
	t.Helper()
	for late := time.After(time.Minute); ; {
		w.mu.Lock()
		seen := len(w.seen)
		w.mu.Unlock()
		if seen >= n {
			return
		}
		select {
		case <-w.more:
		case err := <-w.ended:
			t.Fatalf("after %d of %d decisions the watch ended: %v", seen, n, err)
		case <-late:
			t.Fatalf("%d of %d decisions were published", seen, n)
		}
	}
}

// check holds what was published from a number on against the record, and returns the number of the last one.
func (w *watcher) check(t *testing.T, g *books, from int) int {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, d := range w.seen[from:] {
		if int(d.GetSeq()) != from+i+1 {
			t.Fatalf("decision %d was published in the place of %d", d.GetSeq(), from+i+1)
		}
		g.toldMessage("the watcher", d)
	}
	return len(w.seen)
}
