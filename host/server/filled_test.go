package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
	"github.com/quern-project/quern/internal/await"
)

// bubbleClock is the time of a test's bubble.
type bubbleClock struct{}

// Now implements Clock.
func (bubbleClock) Now() time.Duration { return time.Duration(time.Now().UnixNano()) }

// Wake implements Clock.
func (c bubbleClock) Wake(at time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(at - c.Now())
	return t.C, func() { t.Stop() }
}

// filledDisk is a disk on which nothing can be written from one moment on, until there is room again.
type filledDisk struct {
	*simdisk.Disk
	mu     sync.Mutex
	writes int // until it is full
	full   bool
}

func newFilledDisk(writes int) *filledDisk {
	d := &filledDisk{Disk: simdisk.New(uint64(writes)), writes: writes}
	d.Fault = d.fault
	return d
}

func (d *filledDisk) fault(operation, _ string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if operation != "write" && operation != "create" || d.writes < 0 {
		return nil
	}
	if d.writes--; d.full || d.writes < 0 {
		d.writes, d.full = 0, true
		return syscall.ENOSPC
	}
	return nil
}

// free makes room, for good.
func (d *filledDisk) free() (wasFull bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	wasFull = d.full
	d.full, d.writes = false, -1
	return wasFull
}

// filling is a server whose disk fills, with what its client was told.
type filling struct {
	*testing.T
	disk      *filledDisk
	server    *Server
	source    *Source
	log       bytes.Buffer
	kept      []string // IDs of applications whose inputs were acknowledged, or are durable
	undecided []*Request
	refused   int
}

// bound is how long a request may take at most.
const bound = mostUndecided + time.Second

func (f *filling) start() (ended chan error, end context.CancelFunc) {
	record, found, err := store.Open(f.disk.Mount(), store.Options{SegmentSize: 4 << 10})
	if err != nil {
		f.Fatal(err)
	}
	f.server, err = New(Options{Store: record, Found: found, Clock: bubbleClock{}, Log: slog.New(slog.NewTextHandler(&f.log, nil)), SnapshotBatches: 5})
	if err != nil {
		f.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	ended = make(chan error, 1)
	go func() { ended <- f.server.Run(ctx) }()
	f.source = f.server.Source()
	return ended, end
}

// send sends a request, and checks that it is answered in time.
func (f *filling) send(r *Request) (Answer, error) {
	began := time.Now()
	given, err := f.source.Submit(context.Background(), copyOf(r))
	if d := time.Since(began); d > bound {
		f.Fatalf("%s was answered after %v, with %v", r.Key, d, err)
	}
	switch {
	case err == nil:
		f.kept = append(f.kept, r.Inputs[0].ID())
	case errors.Is(err, ErrUndecided):
		f.kept = append(f.kept, r.Inputs[0].ID())
		f.undecided = append(f.undecided, r)
	case errors.Is(err, ErrStoreFailed):
		f.refused++
	default:
		f.Fatal(err)
	}
	return given, err
}

// work is a request of some hundred bytes.
func (f *filling) work(n int) *Request {
	id := fmt.Sprint("app-", n)
	return &Request{Key: id, Inputs: []core.Input{{Event: &core.AddApp{ID: id, Queue: "root.default", User: strings.Repeat("u", n*37%700)}}}, Durable: n%5 == 4}
}

// live has the disk fill behind so many writes, makes room, and ends in a crash. It reports whether the disk was full.
func (f *filling) live() bool {
	ended, end := f.start()
	for n := range 24 {
		_, _ = f.send(f.work(n))
		if n%3 == 2 {
			await.Virtual(time.Second) // for the maintenance
		}
	}
	synctest.Wait()
	was := f.disk.free()
	await.Virtual(lastPause + lastRetry)
	for _, r := range f.undecided {
		if given, err := f.source.Submit(context.Background(), copyOf(r)); err != nil || len(given.Decisions) == 0 {
			f.Fatalf("a repeat of %s was answered with %+v, %v", r.Key, given, err)
		}
	}
	if _, err := f.send(f.work(100)); err != nil {
		f.Fatalf("with room on the disk: %v", err)
	}
	f.disk.Crash()
	end()
	if err := <-ended; err != nil { // a disk that is gone may fail it
		f.Log(err)
	}
	f.check()
	return was
}

// check starts again and looks for everything that was kept.
func (f *filling) check() {
	ended, end := f.start()
	synctest.Wait()
	f.server.View().Read(func(s *scheduler.Scheduler) {
		for _, id := range f.kept {
			if _, ok := s.App(id); !ok {
				f.Errorf("%s was acknowledged, and is not there", id)
			}
		}
	})
	end()
	if err := <-ended; err != nil {
		f.Error(err)
	}
}

// The disk fills at every single write of a live server: between the inputs of a request and its decisions, in a snapshot, a segment, the mark.
// Each request is answered in time, what was acknowledged is kept, and each chore that fails is logged once.
func TestDiskFullAtEveryWrite(t *testing.T) {
	undecided, refused, most := 0, 0, 400
	for writes := 0; ; writes++ {
		was := false
		synctest.Test(t, func(t *testing.T) {
			f := &filling{T: t, disk: newFilledDisk(-1)}
			ended, end := f.start() // the store is made
			end()
			if err := <-ended; err != nil {
				t.Fatal(err)
			}
			f.disk.mu.Lock()
			f.disk.writes = writes + 1
			f.disk.mu.Unlock()
			was = f.live()
			undecided, refused = undecided+len(f.undecided), refused+f.refused
			if n := strings.Count(f.log.String(), "maintenance of the store failed"); n > 2*len(f.server.view.maintenance()) {
				t.Errorf("%d lines about the maintenance:\n%s", n, f.log.String())
			}
		})
		if t.Failed() {
			t.Fatalf("the disk was full after %d writes", writes)
		}
		if !was {
			t.Logf("%d moments; %d requests were refused, and %d answered without decisions", writes, refused, undecided)
			break
		}
		if writes > most {
			t.Fatalf("it writes more than %d times", most)
		}
	}
	if undecided == 0 || refused == 0 {
		t.Errorf("%d requests were refused, and %d answered without decisions", refused, undecided)
	}
}
