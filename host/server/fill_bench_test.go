//go:build unix

package server

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// BenchmarkFill fills the nodes of a live host with asks, one an application at a time, and reports the processor time and the live heap of an ask: with
// readers that look at the state every so often, and without any.
func BenchmarkFill(b *testing.B) {
	for name, pause := range map[string]time.Duration{"unread": 0, "read-each-second": time.Second, "read-each-100ms": 100 * time.Millisecond} {
		for _, each := range []int{10, 1000} {
			b.Run(fmt.Sprintf("%s/%d-a-request", name, each), func(b *testing.B) { fill(b, pause, each) })
		}
	}
}

func fill(b *testing.B, pause time.Duration, each int) {
	before := liveHeap()
	s, record := opened(b, onDisk(b, b.TempDir()), 1<<20) // segments that take no time to make
	source, end := running(b, s)
	deliver(b, source, &Request{Inputs: cluster(1000, b.N), Durable: true})
	stop := make(chan struct{})
	defer close(stop)
	if pause > 0 {
		go look(s, pause, stop)
	}
	tickets := make(chan *Ticket, 100)
	answered := make(chan error, 1)
	go func() {
		var failed error
		for t := range tickets {
			if _, err := t.Wait(b.Context()); err != nil {
				failed = err
			}
		}
		answered <- failed
	}()
	b.ResetTimer()
	began := processor()
	for n := 0; n < b.N; {
		list := make([]core.Input, min(each, b.N-n))
		for i := range list {
			list[i] = core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("k%08d", n), App: fmt.Sprintf("a%03d", n%1000), Resources: vcores(1)}}
			n++
		}
		t, err := source.EnqueueWait(b.Context(), &Request{Inputs: list})
		if err != nil {
			b.Fatal(err)
		}
		tickets <- t
	}
	close(tickets)
	if err := <-answered; err != nil {
		b.Fatal(err)
	}
	if err := s.view.Await(b.Context(), record.End().Batch); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	b.ReportMetric(float64((processor()-began).Nanoseconds())/float64(b.N), "cpu-ns/ask")
	b.ReportMetric(float64(int64(liveHeap()-before))/float64(b.N), "heap-B/ask")
	runtime.KeepAlive(tickets)
	end()
}

// look reads the totals now and then.
func look(s *Server, pause time.Duration, stop <-chan struct{}) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.view.Read(func(present *scheduler.Scheduler) { present.Totals() })
		case <-stop:
			return
		}
	}
}
