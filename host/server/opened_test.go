package server

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/quern-project/quern/host/store"
)

// opened is a server on a disk, with changes to its usual options, and its record.
func opened(t testing.TB, disk store.Disk, segment int64, changes ...func(*Options)) (*Server, *store.Log) {
	t.Helper()
	record, found, err := store.Open(disk, store.Options{SegmentSize: segment})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Store: record, Found: found, Clock: NewSystemClock(0), Log: slog.New(slog.DiscardHandler), MostEnding: time.Minute}
	for _, change := range changes {
		change(&o)
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s, record
}

// running runs a server until its end is called.
func running(t testing.TB, s *Server) (source *Source, end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	return s.Source(), func() {
		t.Helper()
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
}
