package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// The pauses between attempts.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = 5 * time.Second
)

// pause returns how long to wait after an attempt, from 0: longer and longer, and not as long as others do.
func pause(attempt int) time.Duration {
	longest := min(firstPause<<min(attempt, 10), lastPause)
	return longest/2 + rand.N(longest/2)
}

// passing reports whether an error may be gone at the next attempt.
func passing(err error) bool {
	switch status.Code(err) {
	case codes.Unavailable:
		return true
	case codes.ResourceExhausted: // of gRPC itself it says that a message is too large
		return ProblemOf(err) != nil
	}
	return false
}

// repeat calls until there is an answer, a refusal, or the context ends.
func repeat[R any](ctx context.Context, c *Client, call func() (*R, error)) (*R, error) {
	for attempt := 0; ; attempt++ {
		response, err := call()
		if err == nil || !passing(err) {
			return response, err
		}
		if ended := c.wait(ctx, attempt); ended != nil {
			return nil, errors.Join(ended, err)
		}
	}
}

// wait waits before the next attempt. The error is the context's.
func (c *Client) wait(ctx context.Context, attempt int) error {
	t := time.NewTimer(c.pause(attempt))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
