package metrics

import (
	"fmt"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/server"
)

// BenchmarkObserver is what the metrics of one request cost, by who waits for them: the loop (a round), the view (a decision), the
// request itself, and its HTTP handler.
func BenchmarkObserver(b *testing.B) {
	m := New(Options{})
	now := time.Now()
	passage := server.Passage{Inputs: 1, Arrived: now, Taken: now, Durable: now, Decided: now, Published: now, Answered: now}
	list := []core.Decision{{Type: core.Allocation}}
	route := m.Route("POST /v1/inputs")
	for name, do := range map[string]func(){
		"round": func() {
			m.Round(server.Round{Requests: 1, Inputs: 1, Decisions: 1, Bytes: 200, Sync: time.Millisecond})
		},
		"decision": func() { m.Published(list) },
		"request":  func() { m.Answered(b.Context(), passage, nil) },
		"http":     func() { route(web.Seen{Status: 200}) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				do()
			}
		})
	}
}

// BenchmarkScrape is what a scrape costs with 1,000 queues, 5,000 nodes, and 100,000 allocations beside 20,000 asks that wait; held is
// for how long it holds the view.
func BenchmarkScrape(b *testing.B) {
	s := scheduler.New(core.Options{})
	now := time.Duration(1)
	apply := func(in core.Input) {
		in.At = now
		if reason := s.Apply(&in); reason != core.Accepted {
			b.Fatal(reason)
		}
	}
	s.Advance(now)
	apply(core.Input{Event: &core.SetConfig{Format: "yaml", Config: manyQueues(1000)}})
	node := resource.NewSet(resource.Quantity{Type: "vcore", Value: 20_000}, resource.Quantity{Type: "memory", Value: 1 << 36})
	for i := range 5000 {
		apply(core.Input{Event: &core.AddNode{ID: fmt.Sprintf("n%d", i), Capacity: node}})
	}
	ask := resource.NewSet(resource.Quantity{Type: "vcore", Value: 1000}, resource.Quantity{Type: "memory", Value: 1 << 30})
	for q := range 1000 {
		app := fmt.Sprintf("a%d", q)
		apply(core.Input{Event: &core.AddApp{ID: app, Queue: fmt.Sprintf("root.q%d", q)}})
		for i := range 120 {
			apply(core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("%s-%d", app, i), App: app, Resources: ask}})
		}
	}
	s.Cycle(-1)
	s.Take()
	totals := s.Totals()
	if found := totals.Queues[0]; found.Allocations != 100_000 || found.PendingAsks != 20_000 {
		b.Fatalf("found %+v", found)
	}
	b.Run("held/totals", func(b *testing.B) {
		for b.Loop() {
			s.Totals()
		}
	})
	waiting := waitingLeaves(totals.Queues)
	b.Run("held/reason", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			s.WaitReason(waiting[i%len(waiting)].Queue)
		}
	})
}

func manyQueues(n int) string {
	text := "partitions: [{name: default, queues: [{name: root, queues: ["
	for i := range n {
		text += fmt.Sprintf("{name: q%d},", i)
	}
	return text + "]}]}]"
}
