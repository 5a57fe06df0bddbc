package manager

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/retry"
	"github.com/quern-project/quern/host/server"
)

// batch is what the scheduler is told next. Room comes first, then what holds or frees it, then who asks for it: nothing is placed on room
// that is in use.
type batch struct {
	nodes, rest, asks []core.Input
}

// add puts an input where it belongs.
func (b *batch) add(in core.Input) {
	switch in.Type() {
	case core.NodeAdd, core.NodeUpdate, core.NodeRemove:
		b.nodes = append(b.nodes, in)
	case core.AskAdd, core.AskUpdate:
		b.asks = append(b.asks, in)
	default:
		b.rest = append(b.rest, in)
	}
}

// submit tells the scheduler, and notes when what is asked for was asked.
func (r *run) submit() error {
	inputs := slices.Concat(r.batch.nodes, r.batch.rest, r.batch.asks)
	r.batch = batch{}
	for chunk := range slices.Chunk(inputs, server.RequestInputs) {
		given, err := r.request(chunk)
		if err != nil {
			return err
		}
		for i := range chunk {
			r.submitted(&chunk[i], given.At)
		}
		for _, e := range given.Omitted {
			in := &chunk[e.Input-1]
			r.refusedInput(in, given.At, fmt.Sprintf("too-many-names: %s", e.Detail))
		}
	}
	return nil
}

// submitted notes when something was told: decisions about an earlier one of its ID are of that time or before it.
func (r *run) submitted(in *core.Input, at time.Duration) {
	switch e := in.Event.(type) {
	case *core.AddAsk, *core.RestoreAllocation:
		if p := r.pods[in.ID()]; p != nil {
			p.since = submittedAt(at)
		} else if h := r.placeholders[in.ID()]; h != nil {
			h.since = submittedAt(at)
		}
	case *core.UpdateAsk:
		if p := r.pods[e.ID]; p != nil && e.Preemptable != nil {
			p.protection.since = submittedAt(at)
		}
	case *core.AddNode:
		if n := r.nodes.known[e.ID]; n != nil {
			n.since = submittedAt(at)
		}
	case *core.AddApp:
		if a := r.apps[e.ID]; a != nil {
			a.since = submittedAt(at)
		}
	default:
	}
}

// The pauses while the scheduler takes no requests.
const (
	firstPause = 20 * time.Millisecond
	lastPause  = 2 * time.Second
)

// request hands inputs in until they are durable. Nothing of a request that was refused was applied.
func (r *run) request(inputs []core.Input) (server.Answer, error) {
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		r.turns()
		given, err := r.source.Submit(r.ctx, &server.Request{Inputs: inputs, Durable: true, Omits: true})
		if !errors.Is(err, server.ErrBusy) && !errors.Is(err, server.ErrStoreFailed) {
			return given, err
		}
		r.log.Warn("the scheduler takes no inputs; they are handed in again", "inputs", len(inputs), "error", err)
		if !retry.Wait(r.ctx, pause) {
			return given, r.ctx.Err()
		}
	}
}
