package manager

import (
	"context"
	"errors"
	"io"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/server"
)

// concern are the decisions that the loop acts on.
var concern = map[core.DecisionType]bool{
	core.Allocation: true, core.Release: true, core.Preemption: true, core.Lapsed: true, core.Replaced: true, core.TimedOut: true, core.Exceeded: true,
	core.AskRejected: true, core.AppRejected: true, core.AppState: true, core.NodeRejected: true, core.GangFallback: true, core.GangEnded: true, core.ConfigAccepted: true,
}

// followDecisions puts the decisions into the inbox, until the context or the server ends.
func followDecisions(ctx context.Context, list *server.Decisions, to *inbox) error {
	for {
		batch, err := gather(list)
		if len(batch) > 0 {
			to.put(func(m *mail) { m.decisions = append(m.decisions, batch...) })
		}
		if !errors.Is(err, io.EOF) {
			return err
		}
		select {
		case <-list.More():
		case <-list.Ended():
			return server.ErrStopping
		case <-ctx.Done():
			return nil
		}
	}
}

// gather returns the present decisions that the loop acts on. The error is io.EOF at their end.
func gather(list *server.Decisions) (batch []*core.Decision, err error) {
	for {
		next, err := list.Next()
		if err != nil {
			return batch, err
		}
		if next == nil {
			continue
		}
		d, err := next.Value()
		if err != nil {
			return batch, err
		}
		if concern[d.Type] {
			batch = append(batch, d)
		}
	}
}
