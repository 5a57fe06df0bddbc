package client

import (
	"context"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// Explain has a question answered: why something waits, how a queue stands, what it would release, what users may do and use, where an
// application would be placed. While the host is busy or away, it is repeated.
func (c *Client) Explain(ctx context.Context, r *quernv1.ExplainRequest) (*quernv1.ExplainResponse, error) {
	return repeat(ctx, c, func() (*quernv1.ExplainResponse, error) { return c.scheduler.Explain(ctx, r) })
}

// Victims says which allocations a pending ask would preempt. While the host is busy or away, it is repeated.
func (c *Client) Victims(ctx context.Context, ask string) (*quernv1.VictimsResponse, error) {
	r := &quernv1.VictimsRequest{Ask: ask}
	return repeat(ctx, c, func() (*quernv1.VictimsResponse, error) { return c.scheduler.Victims(ctx, r) })
}
