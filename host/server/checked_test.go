package server

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestChecked_FewAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := patient{make(chan time.Time)}
		s := &Server{o: Options{Clock: clock}, checks: make(chan struct{}, checksAtOnce)}
		var under, most, busy atomic.Int64
		release := make(chan struct{})
		for range 12 {
			go func() {
				err := s.Checked(context.Background(), func() error {
					most.Store(max(most.Load(), under.Add(1)))
					<-release
					under.Add(-1)
					return nil
				})
				if errors.Is(err, ErrBusy) {
					busy.Add(1)
				}
			}()
		}
		synctest.Wait()
		if under.Load() != checksAtOnce {
			t.Errorf("%d checks are under way", under.Load())
		}
		close(clock.late)
		synctest.Wait()
		if busy.Load() != 12-checksAtOnce {
			t.Errorf("%d were refused", busy.Load())
		}
		close(release)
		synctest.Wait()
		failed := errors.New("wrong")
		s.o.Clock = patient{}
		if err := s.Checked(context.Background(), func() error { return failed }); !errors.Is(err, failed) || most.Load() > checksAtOnce {
			t.Errorf("found %v, and %d at once", err, most.Load())
		}
	})
}

// patient is a clock on which all waits are over when the test says so.
type patient struct{ late chan time.Time }

func (patient) Now() time.Duration { return 0 }

func (c patient) Wake(time.Duration) (<-chan time.Time, func()) { return c.late, func() {} }
