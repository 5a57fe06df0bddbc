package client

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

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

// Forecast says when a pending ask will start. The host plays the present forward for a time limit: at most 4 s; 0: 2 s. While the host is busy or
// away, it is repeated.
func (c *Client) Forecast(ctx context.Context, ask string, limit time.Duration) (*quernv1.ForecastResponse, error) {
	r := &quernv1.ForecastRequest{Ask: ask}
	if limit > 0 {
		r.TimeLimit = durationpb.New(limit)
	}
	return repeat(ctx, c, func() (*quernv1.ForecastResponse, error) { return c.scheduler.Forecast(ctx, r) })
}
