//go:build unix

package server

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/store"
)

// records is how many records the largest store of BenchmarkStart has, inputs and decisions; `make recovery` takes ten million.
func records(b *testing.B) int {
	b.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv("RECORDS"), "200000"))
	if err != nil {
		b.Fatalf("RECORDS: %v", err)
	}
	return n
}

// BenchmarkStart starts from folders on a disk, and says how much processor time each part takes: reading the snapshot and where the record
// ends, making a scheduler of it, deciding what came since, and copying the state for readers.
func BenchmarkStart(b *testing.B) {
	n := records(b)
	for _, c := range []struct {
		name     string
		fill     func(b *testing.B, disk store.Disk) *store.Log
		snapshot bool // it starts from the one that the end has kept
	}{
		{fmt.Sprintf("record-of-%d/allocations-%d", n, n/100), func(b *testing.B, disk store.Disk) *store.Log {
			record, _ := churn(b, disk, n/4, n/100) // an ask is four records: it comes, is allocated, is released, and that is decided
			return record
		}, false},
		{fmt.Sprintf("snapshot/allocations-%d", n/100), func(b *testing.B, disk store.Disk) *store.Log {
			record, _ := churn(b, disk, n/100, n/100)
			return record
		}, true},
		{fmt.Sprintf("snapshot/waiting-%d", n/10), func(b *testing.B, disk store.Disk) *store.Log { return waitingAsks(b, disk, n/10) }, true},
		{fmt.Sprintf("snapshot/keys-%d", n/10), func(b *testing.B, disk store.Disk) *store.Log { return keyedRequests(b, disk, n/10) }, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			dir := b.TempDir()
			disk := onDisk(b, dir)
			closed(b, c.fill(b, disk))
			start(b, dir, c.snapshot)
		})
	}
}

// waitingAsks is a record of asks that wait.
func waitingAsks(b *testing.B, disk store.Disk, n int) *store.Log {
	b.Helper()
	r := recorded(b, disk, 10, 10)
	for at := 0; at < n; at += 1000 {
		list := make([]core.Input, 1000)
		for i := range list {
			list[i] = core.Input{Event: &core.AddAsk{ID: fmt.Sprintf("k%08d", at+i), App: fmt.Sprintf("a%03d", i), Resources: vcores(100)}}
		}
		deliver(b, r.source, &Request{Inputs: list, Durable: true})
	}
	r.end()
	return r.record
}

// keyedRequests is a record of requests with idempotency keys.
func keyedRequests(b *testing.B, disk store.Disk, n int) *store.Log {
	b.Helper()
	r := recorded(b, disk, 10, 10)
	for at := 0; at < n; at += 1000 {
		tickets := make([]*Ticket, 1000)
		for i := range tickets {
			request := &Request{Key: fmt.Sprintf("key-of-26-letters-%08d", at+i), Inputs: []core.Input{{Event: &core.DrainNode{ID: "n0001"}}}}
			var err error
			if tickets[i], err = r.source.Enqueue(b.Context(), request); err != nil {
				b.Fatal(err)
			}
		}
		for _, t := range tickets {
			if _, err := t.Wait(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	}
	r.end()
	return r.record
}

func onDisk(b *testing.B, dir string) store.Disk {
	b.Helper()
	disk, err := store.OpenFolder(dir, true)
	if err != nil {
		b.Fatal(err)
	}
	return disk
}

func closed(b *testing.B, l *store.Log) {
	b.Helper()
	if err := l.Close(); err != nil {
		b.Fatal(err)
	}
}

// start starts from a folder, with its snapshot or without.
func start(b *testing.B, dir string, snapshot bool) {
	b.Helper()
	var parts [4]time.Duration
	var alive, read uint64
	for b.Loop() {
		before := liveHeap()
		began := processor()
		part := func(i int) {
			now := processor()
			parts[i], began = parts[i]+now-began, now
		}
		record, found, err := store.Open(onDisk(b, dir), store.Options{})
		if err != nil {
			b.Fatal(err)
		}
		part(0)
		if !snapshot {
			found.Snapshot, found.At = nil, store.Position{}
		}
		read = uint64(len(found.Snapshot))
		f, err := newFollower(found.Snapshot, found.At, noPolicies{})
		if err != nil {
			b.Fatal(err)
		}
		part(1)
		if err := f.catchUp(record); err != nil {
			b.Fatal(err)
		}
		part(2)
		twin, err := f.twin(noPolicies{})
		if err != nil {
			b.Fatal(err)
		}
		part(3)
		found.Snapshot = nil
		alive = liveHeap() - before
		runtime.KeepAlive(f)
		runtime.KeepAlive(twin)
		if twin.numbers != f.numbers || f.numbers == 0 {
			b.Fatal("nothing was recovered")
		}
		closed(b, record)
	}
	for i, name := range []string{"open-cpu-s", "restore-cpu-s", "decide-cpu-s", "copy-cpu-s"} {
		b.ReportMetric(parts[i].Seconds()/float64(b.N), name)
	}
	b.ReportMetric(float64(alive)/1e6, "heap-MB")
	b.ReportMetric(float64(read)/1e6, "snapshot-MB")
}

// processor is the processor time that this process has taken: unlike the time on the clock it depends little on what else the machine does.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // of this process it cannot fail
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// liveHeap is what is alive in the heap, in bytes.
func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
