package await_test

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quern-project/quern/internal/await"
)

// failing is a test that notes why it failed.
type failing struct {
	testing.TB
	why string
}

func (*failing) Helper() {}

func (f *failing) Fatal(args ...any) { f.why, _ = args[0].(string); runtime.Goexit() }

func (f *failing) Fatalf(format string, args ...any) { f.why, _ = args[0].(string); runtime.Goexit() }

// outcome runs part of a test and returns why it failed, empty if it did not, and how long it took.
func outcome(part func(t testing.TB)) (why string, took time.Duration) {
	f := &failing{}
	began := time.Now()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		part(f)
	}()
	<-ended
	return f.why, time.Since(began)
}

func TestTrue_ReturnsWhenTheConditionHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var holds atomic.Bool
		time.AfterFunc(time.Second, func() { holds.Store(true) })
		if why, took := outcome(func(t testing.TB) { await.True(t, "a second", holds.Load) }); why != "" || took < time.Second || took > 2*time.Second {
			t.Errorf("found %q after %v", why, took)
		}
	})
}

func TestTrue_FailsAfterPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why, took := outcome(func(t testing.TB) { await.True(t, "a miracle", func() bool { return false }) })
		if why != "expected a miracle" || took < await.Patience {
			t.Errorf("found %q after %v", why, took)
		}
	})
}

func TestStays_FailsAtTheFirstWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		wrong := func() string { return strings.Repeat("late", int(time.Since(began)/time.Second)) }
		if why, took := outcome(func(t testing.TB) { await.Stays(t, time.Minute, wrong) }); why != "late" || took > 2*time.Second {
			t.Errorf("found %q after %v", why, took)
		}
		fine := func() string { return "" }
		if why, took := outcome(func(t testing.TB) { await.Stays(t, time.Minute, fine) }); why != "" || took != time.Minute {
			t.Errorf("found %q after %v", why, took)
		}
	})
}

func TestEach_EndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second+time.Millisecond)
		defer cancel()
		n := 0
		for range await.Each(ctx, time.Second) {
			n++
		}
		if n != 11 {
			t.Errorf("found %d turns, expected 11", n)
		}
	})
}

func TestVirtual_PanicsOutsideABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if await.Virtual(time.Hour); time.Since(began) != time.Hour {
			t.Errorf("%v passed, expected an hour", time.Since(began))
		}
	})
	defer func() {
		if recover() == nil {
			t.Error("real time passed")
		}
	}()
	await.Virtual(time.Nanosecond)
}

func TestValue_ReturnsAsItArrives(t *testing.T) {
	values := make(chan int)
	go func() { values <- 3; close(values) }()
	if v := await.Value(t, values, "a number"); v != 3 {
		t.Errorf("found %d, expected 3", v)
	}
	if v := await.Value(t, values, "the end"); v != 0 {
		t.Errorf("found %d of a closed channel", v)
	}
}

func TestValue_FailsAfterPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why, took := outcome(func(t testing.TB) { await.Value(t, make(chan int), "a number") })
		if why == "" || took != await.Patience {
			t.Errorf("failed with %q after %v", why, took)
		}
	})
}
