package native_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/host/api/grpcserver"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// endings tells of calls of Watch that have ended.
type endings chan error

type methodKey struct{}

func (endings) TagRPC(ctx context.Context, i *stats.RPCTagInfo) context.Context {
	return context.WithValue(ctx, methodKey{}, i.FullMethodName)
}

func (e endings) HandleRPC(ctx context.Context, s stats.RPCStats) {
	if end, ok := s.(*stats.End); ok && ctx.Value(methodKey{}) == quernv1.Scheduler_Watch_FullMethodName {
		e <- end.Error
	}
}

func (endings) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (endings) HandleConn(context.Context, stats.ConnStats)                       {}

// held is what the program holds in memory, in bytes.
func held() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// rejected are inputs that bring a decision of half a kilobyte each.
func rejected(name string, n int) (list []*quernv1.Input) {
	for i := range n {
		list = append(list, ask(fmt.Sprint(name, i, strings.Repeat("-", 200)), "absent", 1))
	}
	return list
}

// Readers of decisions that never read hold little, hold up nobody, and are dismissed with a code that says how to go on.
func TestReadersThatNeverReadAreDismissed(t *testing.T) {
	const readers, decisions = 40, 8_000 // 4 MB for each reader
	ended := make(endings, readers+10)
	l := startServing(t, grpcserver.Options{Patience: time.Second, Watch: []stats.Handler{ended}})
	for i := range decisions / 2_000 {
		l.submit(rejected(fmt.Sprint("before", i, "-"), 2_000)...)
	}
	if _, err := l.ListNodes(t.Context(), &quernv1.ListNodesRequest{}); err != nil { // the connection is there
		t.Fatal(err)
	}
	before := held()
	var unread []quernv1.Scheduler_WatchClient
	for range readers {
		w, err := l.Watch(t.Context(), &quernv1.WatchRequest{From: 1})
		if err != nil {
			t.Fatal(err)
		}
		unread = append(unread, w)
	}
	other := l.follow(decisions)
	for i := range 20 { // the loop goes on
		began := time.Now()
		l.submit(rejected(fmt.Sprint("meanwhile", i, "-"), 1)...)
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("an input took %s", took)
		}
	}
	for late := time.After(time.Minute); len(ended) < readers; {
		select {
		case <-late:
			t.Fatalf("%d of %d were dismissed", len(ended), readers)
		case <-time.After(10 * time.Millisecond):
		}
	}
	if grown := held() - before; grown > readers*300<<10 {
		t.Errorf("%d KiB are held for each reader", grown>>10/readers)
	}
	for _, w := range unread {
		if err := <-ended; status.Code(err) != codes.ResourceExhausted {
			t.Errorf("it ended with %v", err)
		}
		next, err := toTheEnd(w)
		if status.Code(err) != codes.ResourceExhausted || problem(err).GetCode() != "too_slow" {
			t.Fatalf("it reads %v", err)
		}
		if next < 2 || next > decisions {
			t.Errorf("it was told to go on at %d", next)
		}
	}
	l.submit(rejected("after", 1)...) // the one that reads is still there
	if err := <-other; err != nil {
		t.Errorf("the one that reads: %v", err)
	}
}

// follow has a reader read all decisions, until the one of "after", and checks that none is missing.
func (l *live) follow(decisions uint64) <-chan error {
	l.Helper()
	w, err := l.Watch(l.Context(), &quernv1.WatchRequest{From: 1})
	if err != nil {
		l.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		for last := uint64(0); ; {
			m, err := w.Recv()
			if err != nil {
				done <- err
				return
			}
			for _, d := range m.GetDecisions() {
				if last++; d.GetSeq() != last {
					done <- fmt.Errorf("expected decision %d, found %d", last, d.GetSeq())
					return
				}
				if strings.HasPrefix(d.GetId(), "after") && last > decisions {
					done <- nil
					return
				}
			}
		}
	}()
	return done
}

// toTheEnd reads what there is for a reader, and returns where it would go on, and why it ended.
func toTheEnd(w quernv1.Scheduler_WatchClient) (next uint64, err error) {
	for {
		m, err := w.Recv()
		if err == io.EOF {
			return next, nil
		}
		if err != nil {
			return next, err
		}
		next = m.GetNext()
	}
}
