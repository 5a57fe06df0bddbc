// Package demo simulates a cluster against a live scheduler: a day that teams share comes again and again, in time lapse.
//
// What happens is the day of package workload, each time from another seed and with IDs that end in its date. The nodes are simulated:
// what was allocated is released when its run time is over, and victims leave after a moment. The live scheduler cannot tell it from
// clients. Its clock runs faster than the machine's, so that all of its timers belong to the time lapse, too.
//
// The command quern uses it.
package demo

import (
	"context"
	"errors"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server"
)

// Grace is how long victims take to leave.
const Grace = time.Minute

// ErrForeign says that the record belongs to another cluster.
var ErrForeign = errors.New("the record belongs to another cluster")

// Demo drives the simulated cluster of a server.
type Demo struct {
	server  *server.Server
	clock   server.Clock
	cluster *cluster
	player  *journal.Player
	next    uint64 // decision
	stop    context.CancelFunc
}

// New goes on with the demonstration that a server's record has, or begins one where the record is empty. The clock is that of the
// server. It is for before Run.
func New(s *server.Server, clock *Clock) (*Demo, error) {
	ctx, cancel := context.WithCancel(context.Background())
	d := &Demo{server: s, clock: clock, stop: cancel}
	d.cluster = &cluster{ctx: ctx, clock: clock, source: s.Source(), apps: map[string]bool{}}
	d.next = s.View().NextDecision()
	var state core.Dump
	s.View().Read(func(present *scheduler.Scheduler) { state = present.Read(core.OfNodes | core.OfApplications) })
	now := clock.at // what was due then was handed in, and nothing later
	var first []journal.Entry
	switch {
	case d.next == 1:
		first = underWay(now)
	case !ours(state.Nodes):
		return nil, ErrForeign
	default:
		first = d.cluster.recall(&state, now)
	}
	d.player = journal.NewPlayer(d.cluster, newCalendar(first, now), journal.Options{Grace: Grace, HasGrace: true})
	return d, nil
}

// Serve plays until Stop, or until the server takes no more.
func (d *Demo) Serve() (err error) {
	made, err := d.server.FollowDecisions(d.next)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, made.Close()) }()
	if err := d.catchUp(); err != nil {
		return ended(err)
	}
	for {
		if err := d.cluster.hear(made); err != nil {
			return err
		}
		at, _, err := d.player.Next()
		if err != nil {
			return err
		}
		if at > d.clock.Now() {
			if !d.wait(at, made) {
				return nil
			}
			continue
		}
		if err := d.instant(); err != nil {
			return ended(err)
		}
	}
}

// catchUp has the player know what runs already, before it hears of anything that was decided since.
func (d *Demo) catchUp() error {
	for {
		at, ok, err := d.player.Next()
		if err != nil || !ok || at > d.cluster.known {
			return err
		}
		if err := d.instant(); err != nil {
			return err
		}
	}
}

// ended is nil for an error that says that the server takes no more.
func ended(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, server.ErrStopping) {
		return nil
	}
	return err
}

// Stop ends Serve.
func (d *Demo) Stop() error {
	d.stop()
	return nil
}

// wait waits for a time or for decisions; it is false at the end.
func (d *Demo) wait(at time.Duration, made *server.Decisions) bool {
	due, stop := d.clock.Wake(at)
	defer stop()
	select {
	case <-due:
	case <-made.More():
	case <-d.cluster.ctx.Done():
		return false
	}
	return true
}

// instant plays one instant to its end.
func (d *Demo) instant() error {
	for over := false; !over; over = d.player.Over() {
		if err := d.player.Step(-1); err != nil {
			return err
		}
		if d.cluster.failure != nil {
			return d.cluster.failure
		}
	}
	return nil
}

// ours reports whether nodes are those of a demonstration.
func ours(nodes []core.NodeDump) bool {
	for i := range nodes {
		if nodes[i].Attributes[mark] != "" {
			return true
		}
	}
	return false
}
