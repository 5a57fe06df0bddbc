package server

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quern-project/quern/host/server/view"
	"github.com/quern-project/quern/host/store/simdisk"
	"github.com/quern-project/quern/internal/await"
)

// slowWriter takes its time for each write, and notes which versions were held then.
type slowWriter struct {
	server *Server
	takes  time.Duration
	seen   Condition
}

func (w *slowWriter) Write(p []byte) (int, error) {
	await.Virtual(w.takes)
	w.seen = w.server.Condition()
	return len(p), nil
}

func TestHeldVersion_EndsItsReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := opened(t, simdisk.New(1), 1<<20, func(o *Options) { o.Clock = bubbleClock{} })
		source, end := running(t, s)
		submit(t, source, cluster(2000, 10)...)
		awaitEnd(t, s)
		for takes, want := range map[time.Duration]error{view.MostHeld / 10: nil, view.MostHeld + time.Second: ErrHeld} {
			w := slowWriter{server: s, takes: takes}
			if err := s.View().Present(&w); !errors.Is(err, want) {
				t.Errorf("a reader that takes %s ended with %v", takes, err)
			}
			if w.seen.Versions != 1 || w.seen.Oldest < takes {
				t.Errorf("meanwhile %d versions were held, the oldest for %s", w.seen.Versions, w.seen.Oldest)
			}
		}
		if c := s.Condition(); c.Versions != 0 || c.Oldest != 0 {
			t.Errorf("at the end %d versions are held, the oldest for %s", c.Versions, c.Oldest)
		}
		end()
	})
}
