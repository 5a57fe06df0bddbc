package quernapi_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"

	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/server/livetest"
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

// submitAbsent submits asks of an application that does not exist.
func (l *live) submitAbsent(ids []string) {
	l.Helper()
	var list []*quernv1.Input
	for _, id := range ids {
		list = append(list, ask(id, "absent", 1))
	}
	l.submit(list...)
}

// Readers of decisions that never read hold little, hold up nobody, and are dismissed with a code that says how to go on.
func TestReadersThatNeverReadAreDismissed(t *testing.T) {
	ended := make(endings, livetest.UnreadReaders+10)
	l := startServing(t, grpcserver.Options{Patience: 5 * time.Second, Watch: []stats.Handler{ended}})
	u := livetest.Unread{TB: t, Submit: l.submitAbsent}
	u.Prepare()
	if _, err := l.ListNodes(t.Context(), &quernv1.ListNodesRequest{}); err != nil { // the connection is there
		t.Fatal(err)
	}
	u.Begin()
	var unread []quernv1.Scheduler_WatchClient
	for range livetest.UnreadReaders {
		w, err := l.Watch(t.Context(), &quernv1.WatchRequest{From: 1})
		if err != nil {
			t.Fatal(err)
		}
		unread = append(unread, w)
	}
	other := l.follow(livetest.UnreadDecisions)
	u.Await(func() int { return len(ended) }, 300<<10)
	for _, w := range unread {
		if err := <-ended; status.Code(err) != codes.ResourceExhausted {
			t.Errorf("it ended with %v", err)
		}
		next, err := toTheEnd(w)
		if status.Code(err) != codes.ResourceExhausted || problem(err).GetCode() != "too_slow" {
			t.Fatalf("it reads %v", err)
		}
		if next < 2 || next > livetest.UnreadDecisions {
			t.Errorf("it was told to go on at %d", next)
		}
	}
	l.submitAbsent([]string{"after"}) // the one that reads is still there
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
