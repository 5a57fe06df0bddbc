package server

import (
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/store"
)

// churn is a record of asks that come and go on 1,000 nodes, with so many of them at a time.
func churn(b *testing.B, disk store.Disk, asks, alive int) (*store.Log, store.Opened) {
	b.Helper()
	r := recorded(b, disk, 1000, alive)
	for n := 0; n < asks; {
		list := make([]core.Input, 0, 2000)
		for ; len(list) < 1000; n++ {
			list = append(list, core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("k%08d", n), App: fmt.Sprintf("a%03d", n%1000), Resources: vcores(1)}})
			if old := n - alive; old >= 0 {
				list = append(list, core.Input{Event: &core.ReleaseAllocation{ID: fmt.Sprintf("k%08d", old)}})
			}
		}
		deliver(b, r.source, &Request{Inputs: list, Durable: true})
	}
	r.end()
	return r.record, r.server.o.Found
}

// recording is a server that keeps all of its record, and a snapshot at its end.
type recording struct {
	server *Server
	record *store.Log
	source *Source
	end    func()
}

// recorded begins a record with a cluster.
func recorded(b *testing.B, disk store.Disk, nodes, room int) *recording {
	b.Helper()
	s, record := opened(b, disk, 0, func(o *Options) { o.Retain = time.Hour })
	r := &recording{server: s, record: record}
	r.source, r.end = running(b, s)
	deliver(b, r.source, &Request{Inputs: cluster(nodes, room), Durable: true})
	return r
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
	list = append(list, core.Input{Event: &core.SetConfig{Config: "partitions: [{name: default, queues: [{name: root, queues: [" + queues + "]}]}]"}})
	for i := range nodes {
		list = append(list, core.Input{Event: &core.AddNode{ID: fmt.Sprintf("n%04d", i), Capacity: vcores(2 + room/nodes)}})
	}
	for i := range 1000 {
		list = append(list, core.Input{Event: &core.AddApp{ID: fmt.Sprintf("a%03d", i), Queue: fmt.Sprintf("root.q%d", i%100), User: fmt.Sprintf("u%d", i%50)}})
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
