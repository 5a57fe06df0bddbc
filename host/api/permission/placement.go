package permission

import (
	"context"
	"errors"
	"time"

	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/report/explanation"
	"github.com/quern-project/quern/host/server"
)

// Placement adds to a question about an allocation how it came about, as far as the record tells, and else the reason why it does not.
func Placement(ctx context.Context, s *server.Server, q *explanation.Question) {
	if q.Kind != explanation.Ask {
		return
	}
	var node string
	var allocated time.Duration
	s.View().Read(func(present *scheduler.Scheduler) {
		if a, ok := present.Ask(q.Name); ok {
			node, allocated = a.Node, a.Allocated
		}
	})
	if node == "" {
		return
	}
	p, err := s.Placed(ctx, q.Name, allocated)
	if err != nil {
		q.Untold = untold(err)
		return
	}
	q.Story = &explanation.Story{Submitted: p.Submitted, Allocated: p.Allocated, Node: node, Before: p.Before, From: p.From}
	for _, w := range p.Waits {
		q.Story.Waits = append(q.Story.Waits, explanation.Wait(w))
	}
}

// untold says why it cannot be told how an ask came to be allocated.
func untold(err error) string {
	const why = "Why it went to this node is not known: "
	switch {
	case errors.Is(err, server.ErrNotKept):
		return why + "the record of that time was removed."
	case errors.Is(err, server.ErrNotPlaced):
		return "The scheduler did not choose its node: it came with it."
	case errors.Is(err, server.ErrTooMuch):
		return why + "deciding the record up to it again takes more than 5 seconds."
	case errors.Is(err, server.ErrBusy):
		return "Why it went to this node is not told now: the host is looking back for others. Ask again."
	}
	return why + err.Error() + "."
}
