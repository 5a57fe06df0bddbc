package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
	"github.com/quern-project/quern/sdk/client"
)

// readers has a host decide at a steady rate, without followers of decisions and with many of them, of which half do not read what they are
// sent, and prints how long decisions took.
type readers struct {
	quern, dir string
	length     time.Duration // of the part with readers; those without take a third of it each
	asks       int           // a second
	count      int           // readers
	out        io.Writer

	host     *host
	number   int // messages that were sent
	answers  latencies
	events   latencies // from the time of a decision until its reader has it
	failures atomic.Int64
	seen     atomic.Int64

	followers int   // readers whose decisions were counted
	checked   int64 // allocations that they were to see
}

// cpu is the processor time that the host has taken: unlike times on the clock it depends little on what else the machine does.
const cpu = "process_cpu_seconds_total"

// streamReaders is how many follow decisions.
const streamReaders = "quern_stream_readers"

const (
	readerQueues = 1000
	asksMessage  = 10  // that one message of the stream has
	lifetime     = 200 // messages after which asks are released
)

func (r *readers) say(format string, args ...any) { _, _ = fmt.Fprintf(r.out, format, args...) }

// run goes through the three parts.
func (r *readers) run(ctx context.Context) (err error) {
	if r.host, err = startHost(r.quern, r.dir); err != nil {
		return err
	}
	defer func() {
		if ended := r.host.stop(); ended != nil {
			err = errors.Join(err, fmt.Errorf("the host: %w: see %s", ended, r.host.log))
		}
	}()
	if err := r.setUp(ctx); err != nil {
		return err
	}
	r.say("%-14s %8s %11s %10s %10s %12s %12s %9s %9s %9s %12s\n", "", "asks/s", "CPU µs/ask", "p50", "p99", "reader p50", "reader p99", "heap MB", "stacks MB", "RSS MB", "open streams")
	for _, part := range []struct {
		name string
		with int
		long time.Duration
	}{{"no readers", 0, r.length / 3}, {fmt.Sprintf("%d readers", r.count), r.count, r.length}, {"no readers", 0, r.length / 3}} {
		if err := r.part(ctx, part.name, part.with, part.long); err != nil {
			return err
		}
	}
	r.say("%d events were read\n", r.seen.Load())
	if n := r.failures.Load(); n > 0 {
		return fmt.Errorf("%d readers that read were ended, or missed a decision", n)
	}
	if r.checked == 0 {
		return errors.New("no ask was in a queue that a reader follows: run it for longer")
	}
	r.say("each of the %d readers that read got every allocation of its queue once and in order, %d in all\n", r.followers, r.checked)
	return nil
}

// setUp gives the host queues, a node that has room for everything, and an application for each queue.
func (r *readers) setUp(ctx context.Context) error {
	inputs := []input{nodeAdd("n", 1<<50)}
	for i := range readerQueues {
		inputs = append(inputs, appAdd("a"+strconv.Itoa(i), "root.q"+strconv.Itoa(i), "ann"))
	}
	if err := r.host.configure(ctx, flat(readerQueues, 1)); err != nil {
		return err
	}
	return overHTTP(r.host)(ctx, inputs)
}

// part has the host decide for a while, beside readers.
func (r *readers) part(ctx context.Context, name string, with int, long time.Duration) error {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	idle, err := r.host.readMetrics(ctx) // the host follows decisions itself
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	var followers []*follower
	for i := range with {
		if i%2 == 1 {
			all.Go(func() { r.stall(reading) })
			continue
		}
		f := &follower{queue: i % readerQueues, first: r.number}
		followers = append(followers, f)
		all.Go(func() { r.follow(reading, f) })
	}
	if with > 0 { // otherwise those of before may be going still
		if err := r.connected(ctx, idle[streamReaders]+float64(with)); err != nil {
			return err
		}
	}
	sending, done := context.WithTimeout(ctx, long)
	defer done()
	before := r.number
	first, err := r.host.readMetrics(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := r.send(sending); err != nil {
		return err
	}
	asks := float64(r.number-before) * asksMessage
	rate := asks / time.Since(began).Seconds()
	m, err := r.host.readMetrics(ctx)
	r.complete(ctx, followers, r.number)
	stop()
	all.Wait()
	p50, p99 := r.answers.take()
	e50, e99 := r.events.take()
	r.say("%-14s %8.0f %11.1f %10s %10s %12s %12s %9.1f %9.1f %9.1f %12.0f\n", name, rate, 1e6*(m[cpu]-first[cpu])/asks, p50.Round(10*time.Microsecond), p99.Round(10*time.Microsecond), e50.Round(10*time.Microsecond), e99.Round(10*time.Microsecond),
		m["go_gc_heap_live_bytes"]/1e6, m["go_memstats_stack_inuse_bytes"]/1e6, m["process_resident_memory_bytes"]/1e6, m[streamReaders])
	return err
}

// send sends messages at the wanted rate, each in another queue, and notes how long each waited for its answer. One that is late counts from when it
// was due.
func (r *readers) send(ctx context.Context) (err error) {
	c, err := client.New(r.host.grpc, client.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	stream, err := c.Scheduler().SubmitStream(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	perSecond := float64(r.asks) / asksMessage
	first, began := r.number, time.Now()
	due := func(n int) time.Time {
		return began.Add(time.Duration(float64(n-first+1) / perSecond * float64(time.Second)))
	}
	sent := make(chan error, 1)
	go func() {
		err := pace(ctx, perSecond, func() error {
			err := stream.Send(&quernv1.SubmitStreamRequest{Sequence: uint64(r.number), Request: r.message(r.number)})
			r.number++
			return err
		})
		sent <- errors.Join(err, stream.CloseSend())
	}()
	for {
		a, err := stream.Recv()
		if err == io.EOF {
			return <-sent
		}
		if err != nil {
			return err
		}
		if p := a.GetProblem(); p != nil {
			return fmt.Errorf("a message was refused: %v", p)
		}
		r.answers.add(time.Since(due(int(a.GetSequence()))))
	}
}

// message asks for a queue, and releases what was asked for it some time ago.
func (r *readers) message(n int) *quernv1.SubmitRequest {
	m := &quernv1.SubmitRequest{}
	for i := range asksMessage {
		m.Inputs = append(m.Inputs, askAdd(fmt.Sprintf("k%d-%d", n, i), "a"+strconv.Itoa(n%readerQueues), 100).message)
		if n >= lifetime {
			m.Inputs = append(m.Inputs, release(fmt.Sprintf("k%d-%d", n-lifetime, i)).message)
		}
	}
	return m
}

// fail notes that something went wrong for a reader, and says what the first time.
func (r *readers) fail(format string, args ...any) {
	if r.failures.Add(1) == 1 {
		r.say("a reader: "+format+"\n", args...)
	}
}

// follow follows a queue, and reads all that comes.
func (r *readers) follow(ctx context.Context, f *follower) {
	err := r.host.events(ctx, fmt.Sprintf("/v1/decisions?follow=true&last=1&queue=root.q%d", f.queue), func(data string) {
		e, err := f.take(data)
		if err != nil {
			r.fail("%v", err)
		}
		r.seen.Add(1)
		r.events.add(time.Since(e.At))
	})
	if ctx.Err() == nil {
		r.fail("it was ended: %v", err)
	}
}
