package server

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/store"
)

// churn is a record of asks that come and go on 1,000 nodes, with so many of them at a time.
func churn(b *testing.B, disk store.Disk, asks, alive int) (*store.Log, store.Opened) {
	b.Helper()
	record, found, err := store.Open(disk, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	source, end := running(b, record, found)
	list := cluster(1000, alive)
	for n := 0; n < asks; {
		deliver(b, source, &Request{Inputs: list, Durable: true})
		for list = make([]core.Input, 0, 2000); len(list) < 1000; n++ { // the loop has the others still
			list = append(list, core.Input{Type: core.AskAdd, ID: fmt.Sprintf("k%08d", n), App: fmt.Sprintf("a%03d", n%1000), Resources: vcores(1)})
			if old := n - alive; old >= 0 {
				list = append(list, core.Input{Type: core.AllocationRelease, ID: fmt.Sprintf("k%08d", old)})
			}
		}
	}
	end()
	return record, found
}

// running runs a server on a record, all of which stays, until its end, when it keeps a snapshot.
func running(b *testing.B, record *store.Log, found store.Opened) (*Source, func()) {
	b.Helper()
	s, err := New(Options{Store: record, Found: found, Clock: SystemClock{}, Log: slog.New(slog.DiscardHandler), Retain: time.Hour})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	return s.Source(), func() {
		cancel()
		if err := <-ended; err != nil {
			b.Fatal(err)
		}
	}
}

func deliver(b *testing.B, source *Source, r *Request) {
	b.Helper()
	if _, err := source.Submit(b.Context(), r); err != nil {
		b.Fatal(err)
	}
}

func vcores(n int) resource.Set {
	return resource.NewSet(resource.Quantity{Type: "vcore", Value: 1000 * int64(n)})
}

// cluster is 100 queues with a thousand applications, and nodes that have room for so many asks.
func cluster(nodes, room int) (list []core.Input) {
	queues := ""
	for i := range 100 {
		queues += fmt.Sprintf("{name: q%d},", i)
	}
	list = append(list, core.Input{Type: core.ConfigSet, Config: "partitions: [{name: default, queues: [{name: root, queues: [" + queues + "]}]}]"})
	for i := range nodes {
		list = append(list, core.Input{Type: core.NodeAdd, ID: fmt.Sprintf("n%04d", i), Capacity: vcores(2 + room/nodes)})
	}
	for i := range 1000 {
		list = append(list, core.Input{Type: core.AppAdd, ID: fmt.Sprintf("a%03d", i), Queue: fmt.Sprintf("root.q%d", i%100), User: fmt.Sprintf("u%d", i%50)})
	}
	return list
}

// BenchmarkRecover goes through a record of 200,000 inputs.
func BenchmarkRecover(b *testing.B) {
	record, found := churn(b, store.NewMemory(), 110_000, 20_000)
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
