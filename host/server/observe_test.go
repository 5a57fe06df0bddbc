package server_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
)

// told keeps what an observer is told.
type told struct {
	mu        sync.Mutex
	rounds    []server.Round
	passages  []server.Passage
	errs      []error
	decisions []core.DecisionType
}

func (o *told) Round(r server.Round) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.rounds = append(o.rounds, r)
}

func (o *told) Answered(_ context.Context, p server.Passage, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.passages, o.errs = append(o.passages, p), append(o.errs, err)
}

func (o *told) Published(list []core.Decision) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i := range list {
		o.decisions = append(o.decisions, list[i].Type)
	}
}

func TestObserver_SeesEachStageOfARequest(t *testing.T) {
	var o told
	live := livetest.Start(t, func(options *server.Options) { options.Observer = &o })
	source := live.Source()
	ask := core.Input{Event: &core.AddAsk{ID: "x1", App: "x", Resources: resource.NewSet(resource.Quantity{Type: "vcore", Value: 1000})}}
	node := core.Input{Event: &core.AddNode{ID: "n1", Capacity: ask.Ask().Resources}}
	given, err := source.Submit(t.Context(), &server.Request{Inputs: []core.Input{node, {Event: &core.AddApp{ID: "x", Queue: "root.default"}}, ask}})
	if err == nil {
		err = live.View().Await(t.Context(), given.Batch)
	}
	if err != nil {
		t.Fatal(err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o.passages[0]
	stages := []time.Time{p.Arrived, p.Taken, p.Durable, p.Decided, p.Published, p.Answered}
	for i, at := range stages {
		if at.IsZero() || i > 0 && at.Before(stages[i-1]) {
			t.Errorf("stage %d is out of order: %+v", i, p)
		}
	}
	var total server.Round
	for _, r := range o.rounds {
		total.Requests, total.Inputs, total.Decisions, total.Bytes = total.Requests+r.Requests, total.Inputs+r.Inputs, total.Decisions+r.Decisions, total.Bytes+r.Bytes
	}
	if p.Inputs != 3 || total.Requests != 1 || total.Inputs != 3 || total.Decisions != len(o.decisions) || total.Bytes == 0 {
		t.Errorf("found %+v in all, of %+v, and the decisions %v", total, p, o.decisions)
	}
}

func TestObserver_SeesRefusedRequests(t *testing.T) {
	var o told
	live := livetest.Start(t, func(options *server.Options) { options.Observer = &o })
	live.FailStore(true)
	source := live.Source()
	node := core.Input{Event: &core.AddNode{ID: "n1", Capacity: resource.NewSet(resource.Quantity{Type: "vcore", Value: 1000})}}
	if _, err := source.Submit(t.Context(), &server.Request{Inputs: []core.Input{node}}); !errors.Is(err, server.ErrStoreFailed) {
		t.Fatalf("found %v", err)
	}
	if _, err := source.Submit(t.Context(), &server.Request{Inputs: slices.Repeat([]core.Input{node}, 20_001)}); !errors.Is(err, server.ErrTooLarge) {
		t.Fatalf("found %v", err)
	}
	if live.Condition().Failure == nil {
		t.Error("the condition does not tell that the store has failed")
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.errs) != 2 || !errors.Is(o.errs[0], server.ErrStoreFailed) || !o.passages[0].Durable.IsZero() || !errors.Is(o.errs[1], server.ErrTooLarge) {
		t.Errorf("found %v and %+v", o.errs, o.passages)
	}
}

func TestTheConditionCountsReaders(t *testing.T) {
	live := livetest.Start(t)
	for _, want := range []int{1, 2} {
		d, err := live.Decisions(1)
		if err != nil {
			t.Fatal(err)
		}
		if found := live.Condition().Readers; found != want {
			t.Errorf("found %d readers, expected %d", found, want)
		}
		t.Cleanup(func() {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAReaderOfTheViewDoesNotHoldUpTheLoop(t *testing.T) {
	live := livetest.Start(t)
	source := live.Source()
	release, held := make(chan struct{}), make(chan struct{})
	go live.View().Read(func(*scheduler.Scheduler) { close(held); <-release })
	<-held
	capacity := resource.NewSet(resource.Quantity{Type: "vcore", Value: 1000})
	var last server.Answer
	for _, id := range []string{"n1", "n2", "n3"} {
		var err error
		if last, err = source.Submit(t.Context(), &server.Request{Inputs: []core.Input{{Event: &core.AddNode{ID: id, Capacity: capacity}}}}); err != nil {
			t.Fatal(err)
		}
	}
	if c := live.Condition(); c.End.Batch < last.Batch || c.Followed.Batch != 0 {
		t.Errorf("found %+v", c)
	}
	close(release)
	if err := live.View().Await(t.Context(), last.Batch); err != nil {
		t.Fatal(err)
	}
}
