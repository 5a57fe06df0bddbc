package si

import (
	"context"
	"slices"

	"google.golang.org/grpc/codes"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/permission"
	"github.com/quern-project/quern/host/objects"
	"github.com/quern-project/quern/host/server"
)

// complete ends a resync: what a resource manager has not named since it registered is released, and no longer occupies nodes.
func (s *Service) complete(ctx context.Context, id string) error {
	own, err := s.quiet(ctx, id)
	if err != nil {
		return err
	}
	for inputs := range slices.Chunk(s.completing(own), mostReleased) {
		given, err := own.source.Submit(ctx, &server.Request{Inputs: inputs, By: permission.Actor(ctx)})
		if err == nil {
			err = s.server.View().Await(ctx, given.Batch)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// quiet waits until everything is answered and in the view that came on streams that have ended. No stream may be open.
func (s *Service) quiet(ctx context.Context, id string) (*session, error) {
	for {
		s.mu.Lock()
		own, err := s.session(ctx, id)
		if err != nil {
			s.mu.Unlock()
			return nil, err
		}
		open, answering, answered, batch := len(own.streams), own.answering, own.answered, own.batch
		s.mu.Unlock()
		switch {
		case open > 0:
			return nil, &grpcserver.Problem{Status: codes.FailedPrecondition, Code: "streams_open", Detail: "expected no open streams, since messages may still arrive: " +
				"send no more, read each to its end, and complete the resync then"}
		case answering == 0:
			return own, s.server.View().Await(ctx, batch)
		}
		select {
		case <-answered:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

const mostReleased = 5_000 // inputs of one request

// completing are the inputs that release what a resource manager has not named.
func (s *Service) completing(own *session) []core.Input {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(s.unnamed(own), s.nodesNamed(own)...)
}

// unnamed are the inputs that release applications and asks.
func (s *Service) unnamed(own *session) (inputs []core.Input) {
	for a := range objects.Each(s.server.View(), (*scheduler.Scheduler).Apps, core.Where{}) {
		if a.Tags[Owner] != own.id || terminal(a.State) {
			continue
		}
		known := s.applications[a.ID]
		if known == nil || known.named != own.beginning {
			inputs = append(inputs, core.Input{Event: &core.RemoveApp{ID: a.ID}})
			continue
		}
		for k := range objects.Each(s.server.View(), (*scheduler.Scheduler).Asks, core.Where{App: a.ID}) {
			if ask := s.asks[k.ID]; ask == nil || ask.named != own.beginning {
				inputs = append(inputs, endOf(&k))
				if ask != nil && k.Node == "" {
					s.drop(ask, 0) // nothing is decided about an ask that is withdrawn
				}
			}
		}
	}
	return inputs
}

// nodesNamed are the inputs that remove nodes that were not named, and have nothing occupy the others but what was named. Whatever was done before a
// failure is seen in the view, so that another attempt goes on from there.
func (s *Service) nodesNamed(own *session) (inputs []core.Input) {
	for n := range objects.Each(s.server.View(), (*scheduler.Scheduler).Nodes, core.Where{}) {
		if n.Attributes[Owner] != own.id {
			continue
		}
		known := s.nodes[n.ID]
		switch {
		case known == nil:
			inputs = append(inputs, core.Input{Event: &core.RemoveNode{ID: n.ID}})
		case known.named != own.beginning:
			inputs = append(inputs, core.Input{Event: &core.RemoveNode{ID: n.ID}})
			known.forgetForeign()
			delete(s.nodes, n.ID)
		default:
			known.before = nil
			if !slices.Equal(known.occupied(), n.Occupied) {
				inputs = append(inputs, known.update())
			}
		}
	}
	return inputs
}

// endOf ends an ask.
func endOf(k *core.AskItem) core.Input {
	if k.Node == "" {
		return core.Input{Event: &core.RemoveAsk{ID: k.ID}}
	}
	return core.Input{Event: &core.ReleaseAllocation{ID: k.ID}}
}
