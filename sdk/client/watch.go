package client

import (
	"context"
	"io"
	"iter"

	"google.golang.org/protobuf/proto"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// Watch gives decisions from a number on, each once, those that exist and those to come. Where the connection breaks, it goes on behind
// the last one. It ends with an error: the context's, or one of the host, such as OUT_OF_RANGE where decisions are not kept any more.
func (c *Client) Watch(ctx context.Context, r *quernv1.WatchRequest) iter.Seq2[*quernv1.Decision, error] {
	return func(yield func(*quernv1.Decision, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		w := &watch{request: proto.CloneOf(r), yield: yield}
		for attempt := 0; ; attempt++ {
			told, err := w.once(ctx, c.scheduler)
			if told {
				attempt = 0
			}
			if err == nil {
				return
			}
			if err == io.EOF || passing(err) || ctx.Err() != nil {
				err = c.wait(ctx, attempt)
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// watch is how far a reader is.
type watch struct {
	request *quernv1.WatchRequest
	yield   func(*quernv1.Decision, error) bool
}

// once gives what one stream tells, and reports whether it told anything. The error is why the stream ended, nil where the reader wants
// no more.
func (w *watch) once(ctx context.Context, scheduler quernv1.SchedulerClient) (told bool, err error) {
	stream, err := scheduler.Watch(ctx, w.request)
	if err != nil {
		return false, err
	}
	for {
		r, err := stream.Recv()
		if err != nil {
			return told, err
		}
		told = true
		for _, d := range r.GetDecisions() {
			w.request.From = d.GetSeq() + 1
			if !w.yield(d, nil) {
				return told, nil
			}
		}
		w.request.From = r.GetNext()
	}
}
