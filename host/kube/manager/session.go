package manager

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/retry"
	"github.com/quern-project/quern/host/objects"
	"github.com/quern-project/quern/host/server"
)

// session is the connection of a run with the scheduler: requests go out, and decisions come in.
type session struct {
	ctx    context.Context // ends with the run
	live   *server.Server
	source *server.Source
	inbox  *inbox // of decisions
	batch  *batch // of the next request
	log    *slog.Logger
	turns  func() // says that the loop goes on

	following sync.WaitGroup // has the goroutine that follows decisions
}

// follow has the inbox get the decisions that are made from now on.
func (s *session) follow() error {
	decisions, err := s.live.FollowDecisions(s.live.View().NextDecision())
	if err != nil {
		return err
	}
	s.following.Go(func() {
		err := followDecisions(s.ctx, decisions, s.inbox)
		if closed := decisions.Close(); err == nil {
			err = closed
		}
		if err != nil {
			s.inbox.put(func(m *mail) { m.failure = err })
		}
	})
	return nil
}

// close waits until decisions are followed no more. The context has ended.
func (s *session) close() {
	s.source.Close()
	s.following.Wait()
}

// wipe removes the applications and nodes that a durable record has brought back: what the API server has counts.
func (s *session) wipe() error {
	var inputs []core.Input
	view := s.live.View()
	for a := range objects.Each(view, (*scheduler.Scheduler).Apps, core.Where{}) {
		if !ended(a.State) {
			inputs = append(inputs, core.Input{Event: &core.RemoveApp{ID: a.ID}})
		}
	}
	for n := range objects.Each(view, (*scheduler.Scheduler).Nodes, core.Where{}) {
		inputs = append(inputs, core.Input{Event: &core.RemoveNode{ID: n.ID}})
	}
	for chunk := range slices.Chunk(inputs, server.RequestInputs) {
		given, err := s.request(chunk)
		if err != nil {
			return err
		}
		if err := view.Await(s.ctx, given.Batch); err != nil {
			return err
		}
	}
	return nil
}

// submit submits the batch. It calls submitted with each input and its time, and then refused with each input that the scheduler omitted.
func (s *session) submit(submitted func(*core.Input, time.Duration), refused func(in *core.Input, at time.Duration, why string)) error {
	for chunk := range slices.Chunk(s.batch.take(), server.RequestInputs) {
		given, err := s.request(chunk)
		if err != nil {
			return err
		}
		for i := range chunk {
			submitted(&chunk[i], given.At)
		}
		for _, e := range given.Omitted {
			refused(&chunk[e.Input-1], given.At, fmt.Sprintf("too-many-names: %s", e.Detail))
		}
	}
	return nil
}

// The pauses while the scheduler takes no requests.
const (
	firstPause = 20 * time.Millisecond
	lastPause  = 2 * time.Second
)

// request hands inputs in until they are durable. Nothing of a request that was refused was applied.
func (s *session) request(inputs []core.Input) (server.Answer, error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		s.turns()
		given, err := s.source.Submit(s.ctx, &server.Request{Inputs: inputs, Durable: true, Omits: true})
		if !errors.Is(err, server.ErrBusy) && !errors.Is(err, server.ErrStoreFailed) {
			return given, err
		}
		s.log.Warn("the scheduler takes no inputs; they are handed in again", "inputs", len(inputs), "error", err)
		if !retry.Wait(s.ctx, pause) {
			return given, s.ctx.Err()
		}
	}
}
