package server_test

import (
	"errors"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/server/livetest"
)

// readiness waits until a server is as ready as an error says.
func readiness(t *testing.T, s *server.Server, want error) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		err := s.Ready()
		if errors.Is(err, want) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("expected %v, found %v", want, err)
		}
	}
}

// tick is a request that changes nothing.
func tick() *server.Request {
	return &server.Request{Inputs: []core.Input{{Event: &core.Tick{}}}, Durable: true}
}

func TestALoopThatDoesNotFinishItsRoundIsNotReady(t *testing.T) {
	var gate livetest.Gate
	l := livetest.Start(t, gate.Gate, func(o *server.Options) { o.MostStall = time.Nanosecond })
	readiness(t, l.Server, nil)
	reached, open := gate.Close(t)
	source := l.Source()
	defer source.Close()
	if _, err := source.Submit(t.Context(), tick()); err != nil {
		t.Fatal(err)
	}
	<-reached
	readiness(t, l.Server, server.ErrStalled)
	open()
	readiness(t, l.Server, nil)
}

func TestALoopIsReadyWhoseRoundTakesAMoment(t *testing.T) {
	var gate livetest.Gate
	l := livetest.Start(t, gate.Gate)
	reached, _ := gate.Close(t)
	source := l.Source()
	defer source.Close()
	if _, err := source.Submit(t.Context(), tick()); err != nil {
		t.Fatal(err)
	}
	<-reached
	if err := l.Ready(); err != nil {
		t.Error(err)
	}
}

func TestAServerIsNotReadyWhoseReadersSeeAnOldState(t *testing.T) {
	l := livetest.Start(t, func(o *server.Options) { o.MostStall = time.Nanosecond })
	source := l.Source()
	defer source.Close()
	l.View().Read(func(*scheduler.Scheduler) {
		if _, err := source.Submit(t.Context(), tick()); err != nil {
			t.Error(err)
		}
		readiness(t, l.Server, server.ErrLagging)
	})
	readiness(t, l.Server, nil)
}
