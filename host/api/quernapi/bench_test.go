package quernapi_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/api/quernapi"
	"github.com/quern-project/quern/host/predicates"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/internal/await"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// onDisk serves a scheduler whose record is on a disk, over a connection of this machine, with a node that has room for everything.
func onDisk(b *testing.B) quernv1.SchedulerClient {
	b.Helper()
	disk, err := store.OpenFolder(filepath.Join(b.TempDir(), "data"), true)
	if err != nil {
		b.Fatal(err)
	}
	record, found, err := store.Open(disk, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	host, err := server.New(server.Options{Store: record, Found: found, Clock: server.NewSystemClock(0), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 2)
	go func() { ended <- host.Run(ctx) }()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	s := grpcserver.New(&grpcserver.Options{Log: slog.New(slog.DiscardHandler), Failure: host.View().Failure}, quernapi.New(host, predicates.New(predicates.DefaultTimeout)))
	go func() { ended <- s.Serve(listener) }()
	connection, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		err := connection.Close()
		s.Stop()
		cancel()
		if err := errors.Join(err, <-ended, <-ended, record.Close()); err != nil {
			b.Error(err)
		}
	})
	c := quernv1.NewSchedulerClient(connection)
	if _, err := c.Submit(ctx, &quernv1.SubmitRequest{Inputs: []*quernv1.Input{node("n1", 1<<50), app("a1")}}); err != nil {
		b.Fatal(err)
	}
	return c
}

// syncs reports how often a second the disk makes 4 KiB durable, beside which the other figures are to be read.
func syncs(b *testing.B) {
	b.Helper()
	f, err := os.Create(filepath.Join(b.TempDir(), "file"))
	if err != nil {
		b.Fatal(err)
	}
	block, n := make([]byte, 4096), 0
	for began := time.Now(); time.Since(began) < time.Second/2; n++ {
		_, err = f.Write(block)
		if err = errors.Join(err, f.Sync()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(2*n), "syncs/s")
	if err := f.Close(); err != nil {
		b.Error(err)
	}
}

// BenchmarkSubmit counts asks that are durable and answered, one in each call, from 64 callers.
func BenchmarkSubmit(b *testing.B) {
	c := onDisk(b)
	var number atomic.Int64
	b.SetParallelism(32)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			id := fmt.Sprint("k", number.Add(1))
			if _, err := c.Submit(context.Background(), &quernv1.SubmitRequest{Inputs: []*quernv1.Input{ask(id, "a1", 1)}}); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "asks/s")
	syncs(b)
}

// BenchmarkSubmitStream counts asks that are durable and answered, sent on one stream as fast as it takes them.
func BenchmarkSubmitStream(b *testing.B) {
	for _, each := range []int{1, 100} {
		b.Run(fmt.Sprint(each, "-a-message"), func(b *testing.B) {
			c := onDisk(b)
			messages := (b.N + each - 1) / each
			b.ResetTimer()
			stream(b, c, messages, each, 0)
			b.ReportMetric(float64(messages*each)/b.Elapsed().Seconds(), "asks/s")
			syncs(b)
		})
	}
}

// BenchmarkLatency sends 10,000 asks a second on one stream, ten in each message, and reports how long answers take.
func BenchmarkLatency(b *testing.B) {
	c := onDisk(b)
	b.ResetTimer()
	times := stream(b, c, max(b.N, 1000), 10, time.Millisecond)
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
	syncs(b)
}

// stream sends messages, one a pause, and returns how long each waited for its answer. A message that is late counts from when it was due.
func stream(b *testing.B, c quernv1.SchedulerClient, messages, each int, pause time.Duration) []time.Duration {
	b.Helper()
	s, err := c.SubmitStream(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	times, due := make([]time.Duration, messages), make([]time.Time, messages)
	var mu sync.Mutex
	go func() {
		began := time.Now()
		for m := range messages {
			at := began.Add(time.Duration(m) * pause)
			await.Pause(time.Until(at))
			if pause == 0 {
				at = time.Now()
			}
			mu.Lock()
			due[m] = at
			mu.Unlock()
			r := &quernv1.SubmitRequest{}
			for i := range each {
				r.Inputs = append(r.Inputs, ask(fmt.Sprint("k", m*each+i), "a1", 1))
			}
			if err := s.Send(&quernv1.SubmitStreamRequest{Sequence: uint64(m), Request: r}); err != nil {
				b.Error(err)
				return
			}
		}
	}()
	for m := range messages {
		r, err := s.Recv()
		if err != nil || r.GetProblem() != nil {
			b.Fatalf("message %d: %v (%v)", m, r, err)
		}
		mu.Lock()
		times[m] = time.Since(due[m])
		mu.Unlock()
	}
	return times
}
