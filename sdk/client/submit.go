package client

import (
	"context"
	"crypto/rand"

	"google.golang.org/protobuf/proto"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// Submit applies inputs, all of them or none, and returns the decisions that they brought.
func (c *Client) Submit(ctx context.Context, inputs ...*quernv1.Input) (*quernv1.SubmitResponse, error) {
	return c.SubmitRequest(ctx, &quernv1.SubmitRequest{Inputs: inputs})
}

// SubmitRequest sends a request until it is answered, refused or the context ends. One without an idempotency key gets one. When the
// context ends, the inputs may have been applied: the same key finds out.
func (c *Client) SubmitRequest(ctx context.Context, r *quernv1.SubmitRequest) (*quernv1.SubmitResponse, error) {
	if r.GetIdempotencyKey() == "" {
		r = proto.CloneOf(r)
		r.IdempotencyKey = rand.Text()
	}
	return repeat(ctx, c, func() (*quernv1.SubmitResponse, error) { return c.scheduler.Submit(ctx, r) })
}
