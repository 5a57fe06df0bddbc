package demo

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/host/server"
)

// cluster is the live scheduler as the machine of a player: the inputs of an instant become a request when their cycle comes, and
// decisions are what the record has in the meantime. It implements core.Machine.
type cluster struct {
	ctx     context.Context
	clock   server.Clock
	source  *server.Source
	now     time.Duration
	known   time.Duration   // asks and allocations up to here are in the record
	apps    map[string]bool // that have not ended
	inputs  []core.Input    // of the instant
	made    []core.Decision // that the player has not seen
	failure error           // nothing goes on after it
}

// Now implements core.Machine.
func (c *cluster) Now() time.Duration { return c.now }

// Deadline implements core.Machine: decisions are looked at when they come.
func (c *cluster) Deadline() (time.Duration, bool) {
	return max(c.clock.Now(), instant.Add(c.now, 1)), len(c.made) > 0
}

// Advance implements core.Machine.
func (c *cluster) Advance(to time.Duration) { c.now = to }

// Apply implements core.Machine. Whether an input is refused is told by a decision.
func (c *cluster) Apply(in *core.Input) core.Reason {
	switch in.Type() {
	case core.AskAdd, core.AllocationRestore:
		if in.At <= c.known {
			return core.Accepted
		}
	case core.AppAdd:
		c.apps[in.ID()] = in.At > c.known || c.apps[in.ID()] // a player that is late removes it before its decision is heard
	case core.AppRemove:
		if !c.apps[in.ID()] {
			return core.Accepted
		}
	}
	c.inputs = append(c.inputs, in.Clone()) // the player reuses events
	return core.Accepted
}

// most is how many inputs one request has.
const most = 5000

// Cycle implements core.Machine: it hands in the inputs of the instant. None of their decisions is known yet.
func (c *cluster) Cycle(int) int {
	for len(c.inputs) > 0 && c.failure == nil {
		n := min(len(c.inputs), most)
		c.failure = c.submit(c.inputs[:n])
		c.inputs = c.inputs[n:]
	}
	c.inputs = nil
	return 0
}

// pause is how long a request waits that is not taken, by the machine's clock.
const pause = time.Second

// submit hands in inputs, again and again while the host is busy or cannot write.
func (c *cluster) submit(inputs []core.Input) error {
	for {
		_, err := c.source.Submit(c.ctx, &server.Request{Inputs: inputs, Durable: true})
		if !errors.Is(err, server.ErrBusy) && !errors.Is(err, server.ErrStoreFailed) {
			return err
		}
		select {
		case <-time.After(pause):
		case <-c.ctx.Done():
			return c.ctx.Err()
		}
	}
}

// Take implements core.Machine.
func (c *cluster) Take() []core.Decision {
	made := c.made
	c.made = nil
	return made
}

// hear reads what was decided.
func (c *cluster) hear(made *server.Decisions) error {
	for {
		d, err := made.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil && d != nil {
			err = c.decided(d)
		}
		if err != nil {
			return err
		}
	}
}

// decided takes in a decision, as far as the simulated nodes mind it.
func (c *cluster) decided(of *server.Decision) error {
	d, err := of.Value()
	if err != nil {
		return err
	}
	kind := d.Type
	switch d.Type {
	case core.AppAccepted:
		c.apps[d.ID] = true
	case core.AppRejected:
		delete(c.apps, d.ID)
		return nil
	case core.AppState:
		if over(d.To) {
			delete(c.apps, d.ID)
		}
	case core.AskRejected:
		kind = core.Release // it was never there: its run time is forgotten
	case core.Allocation, core.Release, core.Preemption, core.Replaced, core.TimedOut, core.Exceeded:
	default:
		return nil
	}
	c.made = append(c.made, core.Decision{At: d.At, Type: kind, ID: d.ID, App: d.App, Node: d.Node, To: d.To, Reason: d.Reason})
	return nil
}
