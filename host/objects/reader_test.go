package objects_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/objects"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
)

// live is a server with some nodes, and an application with as many asks.
func live(t *testing.T, n int) *server.Server {
	host := livetest.Start(t)
	inputs := []core.Input{{Event: &core.AddApp{ID: "app", Queue: "root.default", User: "ann", Groups: []string{"vision"}, Tags: map[string]string{"team": "v"}}}}
	set := resource.NewSet(resource.Quantity{Type: "vcore", Value: 1000})
	for i := range n {
		inputs = append(inputs, core.Input{Event: &core.AddNode{ID: fmt.Sprintf("n%03d", i), Capacity: set}},
			core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("k%03d", i), App: "app", Resources: set}})
	}
	source := host.Source()
	answer, err := source.Submit(context.Background(), &server.Request{Inputs: inputs})
	if err == nil {
		err = host.View().Await(context.Background(), answer.Batch)
	}
	if err != nil {
		t.Fatal(err)
	}
	return host.Server
}

func TestPagesMakeUpTheList(t *testing.T) {
	s := live(t, 250)
	r := objects.NewReader(s.View())
	var nodes, asks []string
	for q := (objects.Query{}); ; {
		p, err := r.Nodes(context.Background(), q)
		if err != nil || len(p.Items) > objects.UsualItems {
			t.Fatalf("found %d nodes, %v", len(p.Items), err)
		}
		for _, n := range p.Items {
			nodes = append(nodes, n.Node)
		}
		if q.Continue = p.Continue; q.Continue == "" {
			break
		}
	}
	for k := range objects.Each(s.View(), (*scheduler.Scheduler).Asks, core.Where{User: "ann"}) {
		asks = append(asks, k.ID)
	}
	if len(nodes) != 250 || !slices.IsSorted(nodes) || len(asks) != 250 || !slices.IsSorted(asks) {
		t.Errorf("found nodes %v and asks %v", nodes, asks)
	}
}

func TestObjectsSayWhatCame(t *testing.T) {
	r := objects.NewReader(live(t, 2).View())
	app, ok := r.App("app")
	if !ok || app.User != "ann" || !slices.Equal(app.Groups, []string{"vision"}) || app.Tags["team"] != "v" || app.Allocations != 2 || app.State != core.StateRunning {
		t.Errorf("found %+v", app)
	}
	if ask, ok := r.Ask("k001"); !ok || ask.Node == "" || ask.State != "allocated" || ask.Allocated == "" || !ask.Preemptable {
		t.Errorf("found %+v", ask)
	}
	if _, ok := r.Queue("root.none"); ok {
		t.Error("found a queue that there is not")
	}
}

func TestPages_RefuseInventedCursors(t *testing.T) {
	r := objects.NewReader(live(t, 2).View())
	for _, token := range []string{"!", "e30", "bnVsbA", "WzFd"} {
		if _, err := r.Asks(context.Background(), objects.Query{Continue: token}); !errors.Is(err, objects.ErrContinue) {
			t.Errorf("%s: found %v", token, err)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Asks(ended, objects.Query{}); !errors.Is(err, context.Canceled) {
		t.Errorf("found %v", err)
	}
}

func TestTheVersionChangesWithTheState(t *testing.T) {
	s := live(t, 1)
	before := s.View().Version()
	if again := s.View().Version(); again != before {
		t.Errorf("found %+v after %+v", again, before)
	}
	answer, err := s.Source().Submit(context.Background(), &server.Request{Inputs: []core.Input{{Event: &core.AddAsk{ID: "later", App: "none"}}}})
	if err == nil {
		err = s.View().Await(context.Background(), answer.Batch)
	}
	if after := s.View().Version(); err != nil || after == before {
		t.Errorf("found %+v again, %v", after, err)
	}
}
