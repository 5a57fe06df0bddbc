package server_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/host/store/simdisk"
)

// panics returns what a function panics with; nil: it does not.
func panics(f func()) (bug any) {
	defer func() { bug = recover() }()
	f()
	return nil
}

func TestPanickingReader_EndsTheServer(t *testing.T) {
	record, found, err := store.Open(simdisk.New(1), store.Options{SegmentSize: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	s, err := server.New(server.Options{Store: record, Found: found, Clock: server.NewSystemClock(0), Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Run(t.Context()) }()
	source, node := s.Source(), []core.Input{{Event: &core.AddNode{ID: "n1", Capacity: vcores(1)}}}
	if _, err := source.Submit(t.Context(), &server.Request{Inputs: node}); err != nil {
		t.Fatal(err)
	}

	// What a reader does itself has changed nothing.
	if bug := panics(func() { s.View().Read(func(*scheduler.Scheduler) { panic("mine") }) }); bug != "mine" {
		t.Fatalf("found %v", bug)
	}
	given, err := source.Submit(t.Context(), &server.Request{Inputs: []core.Input{{Event: &core.Tick{}}}})
	if err == nil {
		err = s.View().Await(t.Context(), given.Batch)
	}
	if err != nil {
		t.Fatalf("the view does not go on: %v", err)
	}

	if bug := panics(func() { s.View().Read(func(present *scheduler.Scheduler) { present.Advance(0) }) }); bug == nil {
		t.Fatal("expected a panic")
	}
	var broken *server.BugError
	if err := <-ended; !errors.As(err, &broken) || broken.Method != "Advance" || !strings.Contains(err.Error(), "All acknowledged inputs are in the record") {
		t.Errorf("the server ended with %v", err)
	}
	if !strings.Contains(log.String(), "method=Advance") || !strings.Contains(log.String(), "bug_test.go") {
		t.Errorf("the log has no stack: %s", log.String())
	}
	if bug := panics(func() { s.View().Read(func(*scheduler.Scheduler) { t.Error("the scheduler is shown") }) }); bug == nil || !errors.As(bug.(error), &broken) {
		t.Errorf("a later reader got %v", bug)
	}
	if err := s.View().Explain("", func(*scheduler.Scheduler) { t.Error("the scheduler is shown") }); !errors.As(err, &broken) {
		t.Errorf("a later explanation was answered with %v", err)
	}
	if _, err := source.Submit(context.Background(), &server.Request{Inputs: node}); !errors.Is(err, server.ErrStopping) {
		t.Errorf("inputs were answered with %v", err)
	}
	// What was answered is there for the next one.
	if again, err := server.New(server.Options{Store: record, Found: found, Clock: server.NewSystemClock(0), Log: slog.New(slog.DiscardHandler)}); err != nil {
		t.Error(err)
	} else {
		again.View().Read(func(present *scheduler.Scheduler) {
			if _, ok := present.Node("n1"); !ok {
				t.Error("the node is gone")
			}
		})
	}
}
