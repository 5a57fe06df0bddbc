package leader

import (
	"context"
	"time"
)

// Fence makes the context of one write that only the leader may send, as Elector.Fence does. It is called right before the write.
type Fence func(leading context.Context, longest time.Duration) (context.Context, context.CancelFunc, error)

// Unfenced is the Fence of a process that is the only one.
func Unfenced(ctx context.Context, longest time.Duration) (context.Context, context.CancelFunc, error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	return ctx, cancel, nil
}
