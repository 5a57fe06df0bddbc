package server

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store"
)

// past is a scheduler that a test submits to.
type past struct {
	*Server
	t      *testing.T
	source *Source
}

func (p *past) submit(inputs ...core.Input) {
	p.t.Helper()
	given, err := p.source.Submit(p.t.Context(), &Request{Inputs: inputs})
	if err == nil {
		err = p.View().Await(p.t.Context(), given.Batch)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// allocated is when an ask was allocated, 0 while it waits.
func (p *past) allocated(id string) (at time.Duration) {
	p.View().Read(func(s *scheduler.Scheduler) {
		if a, ok := s.Ask(id); ok && a.Node != "" {
			at = a.Allocated
		}
	})
	return at
}

func ask(id string, n int) core.Input {
	return core.Input{Event: &core.AddAsk{ID: id, App: "a", Resources: vcores(n)}}
}

// waits has "late" wait for "first" to end on one of two nodes, while others come and go.
func waits(t *testing.T, disk store.Disk, segment int64) *past {
	s, _ := opened(t, disk, segment)
	source, end := running(t, s)
	t.Cleanup(end)
	p := &past{s, t, source}
	p.submit(core.Input{Event: &core.AddApp{ID: "a", Queue: "root.default"}},
		core.Input{Event: &core.AddNode{ID: "n1", Capacity: vcores(4)}}, core.Input{Event: &core.AddNode{ID: "n2", Capacity: vcores(8)}})
	p.submit(ask("first", 8), ask("small", 3))
	p.submit(ask("late", 6))
	for n := range 20 {
		id := fmt.Sprintf("other-%d", n)
		p.submit(ask(id, 1))
		p.submit(core.Input{Event: &core.ReleaseAllocation{ID: id}})
	}
	p.submit(core.Input{Event: &core.ReleaseAllocation{ID: "first"}})
	return p
}

func TestPlacement_ReadFromTheRecord(t *testing.T) {
	p := waits(t, store.NewMemory(), 1<<20)
	tell := func(id string) *Placed {
		t.Helper()
		told, err := p.Placed(t.Context(), id, p.allocated(id))
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		return told
	}
	late := tell("late")
	if b := &late.Before; !b.Pending || b.Fits != 1 || len(b.Candidates) == 0 || b.Candidates[len(b.Candidates)-1].Node != "n2" || late.Allocated <= late.Submitted {
		t.Errorf("found %+v", late)
	}
	if len(late.Waits) != 1 || len(late.Waits[0].Reasons) == 0 || late.Waits[0].Reasons[len(late.Waits[0].Reasons)-1] != "no-node-fits" {
		t.Errorf("found the waits %+v", late.Waits)
	}
	// Two asks of one instant: the second was looked at when the first had its place.
	if b := tell("small").Before; !b.Pending || b.Fits != 1 || len(b.Nodes) != 1 || b.Nodes[0].Reason != "full" {
		t.Errorf("found %+v", b)
	}
	// Of many asks of one instant, each was looked at when those before it had their places.
	p.submit(core.Input{Event: &core.AddNode{ID: "n3", Capacity: vcores(9)}}, core.Input{Event: &core.AddNode{ID: "n4", Capacity: vcores(9)}})
	var many []core.Input
	for n := range 8 {
		many = append(many, ask(fmt.Sprintf("many-%d", n), 1+n%3))
	}
	p.submit(many...)
	for i := range many {
		told, node := tell(many[i].ID()), ""
		p.View().Read(func(s *scheduler.Scheduler) { a, _ := s.Ask(many[i].ID()); node = a.Node })
		if c := told.Before.Candidates; len(c) == 0 || !c[0].Fits || c[0].Node != node {
			t.Errorf("%s went to %s, and before that the nodes were %+v", many[i].ID(), node, c)
		}
	}
	if again := tell("late"); again != late {
		t.Error("what was told is decided again")
	}
	if _, err := p.Placed(t.Context(), "late", 1); !errors.Is(err, ErrNotPlaced) {
		t.Errorf("another time: found %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Placed(ctx, "nobody", p.allocated("late")); !errors.Is(err, context.Canceled) {
		t.Errorf("a client that is gone got %v", err)
	}
}

func TestPlacement_ReadFromTheSnapshotBefore(t *testing.T) {
	s, _ := opened(t, store.NewMemory(), 1<<10)
	source, end := running(t, s)
	t.Cleanup(end)
	p := &past{s, t, source}
	p.submit(core.Input{Event: &core.AddApp{ID: "a", Queue: "root.default"}}, core.Input{Event: &core.AddNode{ID: "n1", Capacity: vcores(4)}})
	p.submit(ask("old", 1))
	p.submit(ask("late", 4))
	s.SetSnapshotBatches(20)
	for n := 0; s.o.Store.First() <= 1; n++ { // a segment is removed when two snapshots have all that is in it
		if n == 5000 {
			t.Fatal("the record was not cut off")
		}
		p.submit(core.Input{Event: &core.AddNode{ID: fmt.Sprintf("tiny-%d", n)}})
	}
	if _, err := p.Placed(t.Context(), "old", p.allocated("old")); !errors.Is(err, ErrNotKept) {
		t.Errorf("found %v, expected that the record is gone", err)
	}
	p.submit(core.Input{Event: &core.ReleaseAllocation{ID: "old"}})
	late, err := p.Placed(t.Context(), "late", p.allocated("late"))
	if err != nil || !late.Before.Pending || late.From <= late.Submitted || len(late.Waits) != 1 {
		t.Errorf("found %+v and %v", late, err)
	}
}

func TestLookingBackEndsInTime(t *testing.T) {
	clock := &hurried{}
	s := &Server{o: Options{Clock: clock}, trials: make(chan struct{}, 1)}
	for range 3 { // what nobody waits for gives its place back
		_, err := apart(t.Context(), s, s.trials, func(ctx context.Context) (int, error) {
			close(clock.late)
			<-ctx.Done()
			return 0, nil
		})
		if !errors.Is(err, errLate) {
			t.Errorf("found %v", err)
		}
		s.trials <- struct{}{}
		<-s.trials
	}
}

// hurried is a clock on which the last wait is over when the test says so.
type hurried struct{ late chan time.Time }

func (*hurried) Now() time.Duration { return 0 }

func (c *hurried) Wake(time.Duration) (<-chan time.Time, func()) {
	c.late = make(chan time.Time)
	return c.late, func() {}
}
