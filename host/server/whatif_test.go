package server_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
)

// vcores is an amount in whole cores.
func vcores(n int64) resource.Set {
	return resource.NewSet(resource.Quantity{Type: resource.VCore, Value: 1000 * n})
}

// submit has a live scheduler take inputs, and waits until readers see them.
func submit(t *testing.T, l *livetest.Live, inputs ...core.Input) {
	t.Helper()
	given, err := l.Source().Submit(t.Context(), &server.Request{Inputs: inputs})
	if err == nil {
		err = l.View().Await(t.Context(), given.Batch)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// stuck answers for the policies of trials, whose schedulers are not made before they are let go.
type stuck struct {
	entered, release chan struct{}
	makes            atomic.Int64
}

func (p *stuck) Options() core.Options {
	if p.makes.Add(1) > 2 { // the loop and the view have theirs
		p.entered <- struct{}{}
		<-p.release
	}
	return core.Options{}
}
func (*stuck) Serve()                {}
func (*stuck) SetTime(time.Duration) {}
func (*stuck) Missing() error        { return nil }
func (*stuck) Close()                {}

// countedClock tells of those who wait for as long as a what-if may take.
type countedClock struct {
	livetest.Clock
	waits chan struct{}
}

// Wake implements server.Clock.
func (c *countedClock) Wake(at time.Duration) (<-chan time.Time, func()) {
	wake, stop := c.Clock.Wake(at)
	if at == c.Now()+5*time.Second {
		c.waits <- struct{}{}
	}
	return wake, stop
}

func TestAWhatIfIsAnsweredInTimeAndFewAreDecidedAtOnce(t *testing.T) {
	clock, p := &countedClock{waits: make(chan struct{}, 10)}, &stuck{entered: make(chan struct{}), release: make(chan struct{})}
	l := livetest.Start(t, func(o *server.Options) {
		o.Clock, o.Policies = clock, func(bool) server.Policies { return p }
	})
	tick := []core.Input{{Event: &core.Tick{}}}
	ended := make(chan error)
	try := func() {
		_, err := l.WhatIf(context.Background(), tick)
		ended <- err
	}
	const atOnce = 2
	for range atOnce {
		go try()
		<-p.entered
		<-clock.waits
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.WhatIf(ctx, tick); !errors.Is(err, context.Canceled) {
		t.Errorf("who is gone got %v", err)
	}
	<-clock.waits
	clock.Set(6 * time.Second)
	for range atOnce {
		if err := <-ended; !errors.Is(err, server.ErrTooMuch) || !strings.Contains(err.Error(), "5s") {
			t.Errorf("what takes too long was answered with %v", err)
		}
	}
	// What nobody waits for any more goes on until it is let go, and nothing else is decided until then.
	go try()
	<-clock.waits
	clock.Set(12 * time.Second)
	if err := <-ended; !errors.Is(err, server.ErrBusy) {
		t.Errorf("a third at a time was answered with %v", err)
	}
	close(p.release)
	go func() { <-p.entered }()
	if lines, err := l.WhatIf(t.Context(), tick); err != nil || len(lines) != 0 {
		t.Errorf("found %s and %v once the others have ended", lines, err)
	}
}

// timeless gives a what-if as long as it takes, however slow the machine is.
func timeless(o *server.Options) { o.Clock = &livetest.Clock{} }

// hasty has schedulers search a little at a time.
type hasty struct{ stuck }

func (*hasty) Options() core.Options { return core.Options{SearchSteps: 1} }

func TestAWhatIfSearchesUntilItIsDone(t *testing.T) {
	l := livetest.Start(t, timeless, func(o *server.Options) { o.Policies = func(bool) server.Policies { return &hasty{} } })
	submit(t, l, core.Input{Event: &core.AddApp{ID: "a", Queue: "root.default"}}, core.Input{Event: &core.AddNode{ID: "n", Capacity: vcores(3)}})
	var inputs []core.Input
	for n := range 40 { // gangs that do not fit, of which one after the other is searched for
		inputs = append(inputs, core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("g%d", n), App: "a", Resources: vcores(2),
			Ask: core.Ask{Priority: 1, Gang: &core.Gang{ID: fmt.Sprintf("g%d", n/2), Min: 2}}}})
	}
	inputs = append(inputs, core.Input{Event: &core.AddAsk{ID: "last", App: "a", Resources: vcores(1)}})
	if lines, err := l.WhatIf(t.Context(), inputs); err != nil || !strings.Contains(fmt.Sprintf("%s", lines), `"type":"allocation","id":"last"`) {
		t.Errorf("found %s and %v, expected that the last ask is placed", lines, err)
	}
}

func TestAWhatIfEndsWhereItDecidesTooMuch(t *testing.T) {
	l := livetest.Start(t, timeless)
	submit(t, l, core.Input{Event: &core.AddApp{ID: "a", Queue: "root.default"}})
	asks := make([]core.Input, 10_001)
	for n := range asks {
		asks[n] = core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("k%d", n), App: "a", Resources: vcores(1)}}
	}
	submit(t, l, asks...)
	for vcore, much := range map[int64]bool{10_000: false, 10_001: true} {
		lines, err := l.WhatIf(t.Context(), []core.Input{{Event: &core.AddNode{ID: "n", Capacity: vcores(vcore)}}})
		if errors.Is(err, server.ErrTooMuch) != much || !much && len(lines) < int(vcore) {
			t.Errorf("room for %d allocations: found %d lines and %v", vcore, len(lines), err)
		}
	}
	if _, err := l.WhatIf(t.Context(), make([]core.Input, server.WhatIfInputs+1)); !errors.Is(err, server.ErrTooLarge) {
		t.Errorf("too many inputs were answered with %v", err)
	}
}
