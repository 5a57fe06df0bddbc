package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"testing"

	"github.com/quern-project/quern/internal/await"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
	grpcclient "github.com/quern-project/quern/sdk/client"
)

// relay has one address for a host whose own changes when it is started again.
type relay struct {
	net.Listener
	mu      sync.Mutex
	to      string
	changed *sync.Cond
}

func newRelay(t *testing.T) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{Listener: l}
	r.changed = sync.NewCond(&r.mu)
	t.Cleanup(func() {
		_ = l.Close() // which ends serve
		r.point("nowhere")
	})
	go r.serve()
	return r
}

// point says where the host is now. Where it is nowhere yet ("") clients wait.
func (r *relay) point(to string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.to = to
	r.changed.Broadcast()
}

func (r *relay) serve() {
	for {
		in, err := r.Accept()
		if err != nil {
			return
		}
		r.mu.Lock()
		for r.to == "" {
			r.changed.Wait()
		}
		out, err := net.Dial("tcp", r.to)
		r.mu.Unlock()
		if err != nil {
			_ = in.Close() // the client tries again
			continue
		}
		pass := func(to, from net.Conn) {
			_, _ = io.Copy(to, from) // until either side has gone
			_, _ = to.Close(), from.Close()
		}
		go pass(in, out)
		go pass(out, in)
	}
}

func TestClient_ResumesAfterItsHostIsKilled(t *testing.T) {
	dir, r := t.TempDir(), newRelay(t)
	h := startHost(t, dir)
	defer func() { h.kill(t) }()
	r.point(h.grpc)
	c, err := grpcclient.New(r.Addr().String(), grpcclient.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), await.Patience)
	defer cancel()
	amount := func(n int64) *quernv1.Resources {
		return &quernv1.Resources{Amounts: map[string]int64{"vcore": n}}
	}
	if _, err := c.Submit(ctx, &quernv1.Input{Input: &quernv1.Input_NodeAdd{NodeAdd: &quernv1.NodeAdd{Id: "n1", Capacity: amount(1_000_000)}}},
		&quernv1.Input{Input: &quernv1.Input_AppAdd{AppAdd: &quernv1.AppAdd{Id: "a1", Queue: "root.default"}}}); err != nil {
		t.Fatal(err)
	}
	const workers, each = 4, 60
	progress, ended := make(chan int, workers*each), make(chan error, workers+1)
	for w := range workers {
		go func() {
			for i := range each {
				ask := &quernv1.AskAdd{Id: fmt.Sprintf("k%d-%02d", w, i), App: "a1", Resources: amount(1)}
				if _, err := c.Submit(ctx, &quernv1.Input{Input: &quernv1.Input_AskAdd{AskAdd: ask}}); err != nil {
					ended <- fmt.Errorf("%s: %w", ask.GetId(), err)
					return
				}
				progress <- i
			}
			ended <- nil
		}()
	}
	go func() { ended <- watchAll(ctx, c, workers*each) }()
	for n := range workers * each {
		select {
		case <-progress:
		case <-ctx.Done():
			t.Fatalf("after %d answers: %v", n, errors.Join(<-ended, ctx.Err()))
		}
		if n == workers*each/4 || n == workers*each/2 {
			h.kill(t)
			h = startHost(t, dir)
			r.point(h.grpc)
		}
	}
	for range workers + 1 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// watchAll sees every decision once, until as many allocations were made.
func watchAll(ctx context.Context, c *grpcclient.Client, allocations int) error {
	next, found := uint64(1), []string{}
	for d, err := range c.Watch(ctx, &quernv1.WatchRequest{From: 1}) {
		switch {
		case err != nil:
			return err
		case d.GetSeq() != next:
			return fmt.Errorf("expected the decision %d, found %v", next, d)
		case d.GetType() == "allocation":
			if slices.Contains(found, d.GetId()) {
				return fmt.Errorf("%s was allocated twice", d.GetId())
			}
			found = append(found, d.GetId())
		}
		if next++; len(found) == allocations {
			return nil
		}
	}
	return nil
}
