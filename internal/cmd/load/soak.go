package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quern-project/quern/sdk/client"
)

// soak has clients use a host at a steady rate, and judges whether it takes more and more. Segments are small and snapshots frequent, so that
// the record is cut off at its beginning many times.
type soak struct {
	quern, dir string
	length     time.Duration
	requests   float64 // of inputs, a second
	out        io.Writer

	host            *host
	events, ended   atomic.Int64 // decisions that were read, applications that have ended
	writes, reads   latencies
	configurations  int
	replaced        int // nodes
	samples         []sample
	failure         error
	failed          sync.Once
	end             context.CancelFunc
	clients         sync.WaitGroup
	grpc            *client.Client
	profiledMidways bool
}

// What else a soak does, in a second.
const (
	readsASecond    = 20
	followers       = 12 // at a time
	reloadsASecond  = 0.2
	replacesASecond = 0.5 // of nodes
)

func (s *soak) say(format string, args ...any) { _, _ = fmt.Fprintf(s.out, format, args...) }

// run goes through all of it.
func (s *soak) run(ctx context.Context) (err error) {
	if s.host, err = startHost(s.quern, s.dir, "--segment-size", "8MiB", "--snapshot-batches", "5000", "--verify-view"); err != nil {
		return err
	}
	defer func() {
		if ended := s.host.stop(); ended != nil {
			err = errors.Join(err, fmt.Errorf("the host: %w: see %s", ended, s.host.log))
		}
	}()
	if s.grpc, err = client.New(s.host.grpc, client.Options{}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.grpc.Close()) }()
	if err := s.setUp(ctx); err != nil {
		return err
	}
	ctx, s.end = context.WithCancel(ctx) // with a deadline calls fail before the context says why
	defer s.end()
	time.AfterFunc(s.length, s.end)
	s.begin(ctx)
	s.watch(ctx)
	s.end()
	s.clients.Wait()
	if s.failure != nil {
		return s.failure
	}
	return judge(s.samples, s.say)
}

// setUp gives the host a configuration and nodes.
func (s *soak) setUp(ctx context.Context) error {
	if err := s.reload(ctx); err != nil {
		return err
	}
	var inputs []input
	for i := range nodes {
		inputs = append(inputs, nodeAdd("n"+strconv.Itoa(i), 1000*nodeVcores))
	}
	return overHTTP(s.host)(ctx, inputs)
}

// reload puts one of two configurations in force, in turn.
func (s *soak) reload(ctx context.Context) error {
	s.configurations++
	return s.host.configure(ctx, flat(leaves, 10+s.configurations%2))
}

// replace replaces a node by one of another name.
func (s *soak) replace(ctx context.Context) error {
	s.replaced++
	gone := fmt.Sprintf("x%d", s.replaced-10)
	return overHTTP(s.host)(ctx, []input{nodeAdd(fmt.Sprintf("x%d", s.replaced), 1000*nodeVcores), nodeRemove(gone)})
}

// begin has the clients work until the context ends.
func (s *soak) begin(ctx context.Context) {
	for i := range writers {
		w := &writer{name: fmt.Sprintf("w%d", i), send: overHTTP(s.host), latency: &s.writes, ended: &s.ended}
		if i%2 == 1 {
			w.send = overGRPC(s.grpc)
		}
		s.repeat(ctx, s.requests/writers, func() error { return w.step(ctx) })
	}
	n := 0
	s.repeat(ctx, readsASecond, func() error {
		n++
		began := time.Now()
		defer func() { s.reads.add(time.Since(began)) }()
		return s.host.read(ctx, n)
	})
	for i := range followers {
		random := rand.New(rand.NewPCG(uint64(i), 7))
		s.repeat(ctx, 1000, func() error { return s.host.follow(ctx, random, &s.events) })
	}
	s.repeat(ctx, reloadsASecond, func() error { return s.reload(ctx) })
	s.repeat(ctx, replacesASecond, func() error { return s.replace(ctx) })
}

// go_ does something so often a second beside everything else. An error ends the soak.
func (s *soak) repeat(ctx context.Context, perSecond float64, do func() error) {
	s.clients.Go(func() {
		if err := pace(ctx, perSecond, do); err != nil {
			s.failed.Do(func() { s.failure = err; s.end() })
		}
	})
}

// watch takes samples until the context ends.
func (s *soak) watch(ctx context.Context) {
	t := sampler{host: s.host, began: time.Now(), kept: map[string]float64{}}
	period := min(s.length/60, 10*time.Second)
	s.say("%8s %9s %9s %10s %6s %9s %10s %12s %12s\n", "after", "heap MB", "RSS MB", "goroutines", "files", "data MB", "inputs/s", "write p99", "read p99")
	err := pace(ctx, float64(time.Second)/float64(period), func() error {
		next, err := t.take(ctx)
		if err != nil {
			return err
		}
		next.Ended = float64(s.ended.Load())
		s.row(&next)
		s.samples = append(s.samples, next)
		if !s.profiledMidways && next.At >= s.length/3 {
			s.profiledMidways = true
			return s.profile(ctx, "heap-third")
		}
		return nil
	})
	if err == nil {
		err = s.profile(context.Background(), "heap-end")
	}
	if err != nil {
		s.failed.Do(func() { s.failure = err })
	}
}

// row prints a sample.
func (s *soak) row(next *sample) {
	rate := next.Inputs / next.At.Seconds()
	if n := len(s.samples); n > 0 {
		before := &s.samples[n-1]
		rate = (next.Inputs - before.Inputs) / (next.At - before.At).Seconds()
	}
	_, write := s.writes.take()
	_, read := s.reads.take()
	s.say("%8s %9.1f %9.1f %10.0f %6.0f %9.1f %10.0f %12s %12s\n", next.At.Round(time.Second), next.Heap/1e6, next.Resident/1e6, next.Goroutines, next.Files, next.Data/1e6, rate,
		write.Round(time.Microsecond), read.Round(time.Microsecond))
}

// profile keeps what is alive in the heap, to be compared with `go tool pprof -base`.
func (s *soak) profile(ctx context.Context, name string) error {
	text, err := s.host.get(ctx, "/debug/pprof/heap?gc=1")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.dir, name+".pprof"), text, 0o600)
}
