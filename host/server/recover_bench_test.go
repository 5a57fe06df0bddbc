package server

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/store"
)

// churn is a record of asks that come and go on 1,000 nodes, with 20,000 of them at a time.
func churn(b *testing.B, inputs int) (*store.Log, store.Opened) {
	disk := store.NewMemory()
	record, found, err := store.Open(disk, store.Options{SegmentSize: 16 << 20})
	if err != nil {
		b.Fatal(err)
	}
	s, err := New(Options{Store: record, Found: found, Clock: SystemClock{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	source := s.Source()
	vcore := func(n int64) resource.Set { return resource.NewSet(resource.Quantity{Type: "vcore", Value: n}) }
	list := make([]core.Input, 0, 1100)
	for i := range 1000 {
		list = append(list, core.Input{Type: core.NodeAdd, ID: fmt.Sprintf("n%04d", i), Capacity: vcore(40_000)})
	}
	for i := range 100 {
		list = append(list, core.Input{Type: core.AppAdd, ID: fmt.Sprintf("a%02d", i), Queue: "root.default", User: "ann"})
	}
	for n := 0; n < inputs; {
		if _, err := source.Submit(ctx, &Request{Inputs: list, Durable: true}); err != nil {
			b.Fatal(err)
		}
		for list = make([]core.Input, 0, 1001); len(list) < 1000; n++ { // the loop has the others still
			list = append(list, core.Input{Type: core.AskAdd, ID: fmt.Sprintf("k%07d", n), App: fmt.Sprintf("a%02d", n%100), Resources: vcore(1000)})
			if old := n - 20_000; old >= 0 {
				list = append(list, core.Input{Type: core.AllocationRelease, ID: fmt.Sprintf("k%07d", old)})
			}
		}
	}
	cancel()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
	return record, found
}

// BenchmarkRecover goes through a record of 200,000 inputs.
func BenchmarkRecover(b *testing.B) {
	record, found := churn(b, 130_000)
	r, err := record.ReadFrom(1)
	if err != nil {
		b.Fatal(err)
	}
	bytes := 0
	for {
		_, payload, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			b.Fatal(err)
		}
		bytes += len(payload)
	}
	b.SetBytes(int64(bytes))
	for b.Loop() {
		if _, _, err := recoverLoop(record, &found, func(bool) Policies { return noPolicies{} }, nil); err != nil {
			b.Fatal(err)
		}
	}
}
