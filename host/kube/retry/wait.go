package retry

import (
	"context"
	"time"
)

// Wait waits between two attempts, and reports whether the context has not ended by then.
func Wait(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
