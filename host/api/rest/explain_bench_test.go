package rest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/rest"
	"github.com/quern-project/quern/host/api/web"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
	"github.com/quern-project/quern/internal/await"
)

// crowded is a host with 5,000 nodes and 1,000 queues, so many allocations, and 1,000 asks that wait.
func crowded(b *testing.B, allocations int) (*livetest.Live, string) {
	const queues, nodes, apps = 1000, 5000, 5000
	vcore := func(n int) resource.Set {
		return resource.NewSet(resource.Quantity{Type: resource.VCore, Value: int64(n)})
	}
	var conf strings.Builder
	conf.WriteString("partitions: [{name: default, queues: [{name: root, queues: [")
	for n := range queues {
		fmt.Fprintf(&conf, "{name: q%04d}, ", n)
	}
	conf.WriteString("]}]}]")
	inputs := []core.Input{{Event: &core.SetConfig{Config: conf.String()}}}
	for n := range nodes {
		inputs = append(inputs, core.Input{Event: &core.AddNode{ID: fmt.Sprintf("n%05d", n), Capacity: vcore(20)}})
	}
	for n := range apps {
		inputs = append(inputs, core.Input{Event: &core.AddApp{ID: fmt.Sprintf("a%05d", n), Queue: fmt.Sprintf("root.q%04d", n%queues), User: "ann"}})
	}
	for n := range allocations + 1000 {
		inputs = append(inputs, core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("k%06d", n), App: fmt.Sprintf("a%05d", n%apps), Resources: vcore(max(1, nodes*20/allocations))}})
	}
	host := livetest.Start(b)
	source := host.Source()
	for len(inputs) > 0 {
		n := min(len(inputs), 10_000)
		given, err := source.Submit(b.Context(), &server.Request{Inputs: inputs[:n]})
		if err == nil {
			err = host.View().Await(b.Context(), given.Batch)
		}
		if err != nil {
			b.Fatal(err)
		}
		inputs = inputs[n:]
	}
	site := httptest.NewServer(new(web.Guard).Handler(rest.New(host.Server).Routes()...))
	b.Cleanup(site.Close)
	return host, site.URL
}

// BenchmarkExplanation explains what waits, and what does not, through the route.
func BenchmarkExplanation(b *testing.B) {
	for _, allocations := range []int{1000, 10_000, 100_000} {
		host, address := crowded(b, allocations)
		var waits core.AskItem
		host.View().Read(func(s *scheduler.Scheduler) {
			waits = s.Asks(&core.Page{Limit: 1, Work: 1 << 30, Where: core.Where{State: "pending"}}).Items[0]
		})
		for name, path := range map[string]string{
			"waiting": "/v1/asks/" + waits.ID + "/explanation", "placed": "/v1/asks/k000001/explanation", "victims": "/v1/asks/" + waits.ID + "/victims",
			"app": "/v1/apps/" + waits.App + "/explanation", "queue": "/v1/queues/" + waits.Queue + "/explanation",
		} {
			b.Run(fmt.Sprintf("%d-allocations/%s", allocations, name), func(b *testing.B) {
				for range b.N {
					for get(b, address+path) == http.StatusTooManyRequests {
						b.StopTimer()
						await.Pause(20 * time.Millisecond) // its share of the loop grows with time
						b.StartTimer()
					}
				}
			})
		}
	}
}

func get(b *testing.B, address string) int {
	r, err := http.Get(address)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		b.Fatal(err)
	}
	if err := r.Body.Close(); err != nil || r.StatusCode != http.StatusOK && r.StatusCode != http.StatusTooManyRequests {
		b.Fatalf("%s: found %d and %v", address, r.StatusCode, err)
	}
	return r.StatusCode
}

// BenchmarkHostileWhatIf has what-ifs decided that are as much work as they may be, and measures for how long at most a reader waits beside them.
func BenchmarkHostileWhatIf(b *testing.B) {
	host, _ := crowded(b, 100_000)
	var large strings.Builder
	large.WriteString("partitions: [{name: default, queues: [{name: root, queues: [")
	for n := range 300_000 {
		fmt.Fprintf(&large, "{name: q%06d, submitacl: '*'}, ", n)
	}
	large.WriteString("]}]}]")
	moves, drains, configs := []core.Input{}, []core.Input{}, []core.Input{}
	for n := range server.WhatIfInputs {
		moves = append(moves, core.Input{Event: &core.MoveApp{ID: "a00001", Queue: fmt.Sprintf("root.q%04d", n%2+2)}})
		drains = append(drains, core.Input{Event: &core.RemoveNode{ID: fmt.Sprintf("n%05d", n)}})
		configs = append(configs, core.Input{Event: &core.SetConfig{Config: "partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]"}})
	}
	for name, inputs := range map[string][]core.Input{
		"nothing": {{Event: &core.Tick{}}}, "moves": moves, "removals": drains, "configurations": configs,
		"large-configuration": {{Event: &core.SetConfig{Config: large.String()}}},
	} {
		b.Run(name, func(b *testing.B) {
			longest, ended, watched := time.Duration(0), make(chan struct{}), make(chan struct{})
			go func() {
				defer close(watched)
				for {
					began := time.Now()
					host.View().Read(func(*scheduler.Scheduler) {})
					longest = max(longest, time.Since(began))
					select {
					case <-ended:
						return
					case <-time.After(100 * time.Microsecond):
					}
				}
			}()
			for range b.N {
				if _, err := host.WhatIf(b.Context(), append([]core.Input{}, inputs...)); err != nil {
					b.Logf("%d inputs: %v", len(inputs), err)
				}
			}
			close(ended)
			<-watched
			b.ReportMetric(float64(longest.Microseconds()), "longest-wait-µs")
		})
	}
}
