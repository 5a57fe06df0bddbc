// Package await is how tests wait. Nothing here waits for a fixed time and hopes: True, Right and Value return as soon as a condition holds, Stays
// fails as soon as one no longer does, Each repeats until its context ends, and Virtual passes time that only a bubble of testing/synctest has.
// Pause is for tests that imitate a delay. The import rules keep time.Sleep and its like out of tests.
package await

import (
	"context"
	"iter"
	"testing"
	"time"
)

// Patience is how long a condition may take to hold. Only a failure takes as long, also on a busy machine.
const Patience = 10 * time.Minute

// Conditions are looked at often at first and then more rarely, since each look may be a request to another process.
const shortest, longest = time.Millisecond, 20 * time.Millisecond

// True returns once a condition holds that another goroutine or process brings about. The test fails if that takes longer than Patience.
func True(t testing.TB, what string, holds func() bool) {
	t.Helper()
	Right(t, func() string {
		if holds() {
			return ""
		}
		return "expected " + what
	})
}

// Right calls wrong until it returns an empty text. After Patience, the test fails with the last text.
func Right(t testing.TB, wrong func() string) {
	t.Helper()
	RightWithin(t, Patience, wrong)
}

// RightWithin is Right with another limit than Patience.
func RightWithin(t testing.TB, patience time.Duration, wrong func() string) {
	t.Helper()
	if text := look(patience, wrong, func(text string) bool { return text == "" }); text != "" {
		t.Fatalf("%s, after %v", text, patience)
	}
}

// Value returns the next value of a channel, or the zero value once the channel is closed. The test fails if that takes longer than Patience.
func Value[T any](t testing.TB, from <-chan T, what string) (v T) {
	t.Helper()
	over := time.NewTimer(Patience)
	defer over.Stop()
	select {
	case v = <-from:
	case <-over.C:
		t.Fatalf("expected %s, after %v", what, Patience)
	}
	return v
}

// Stays returns after d, if nothing has been wrong all the while. It is for what must not happen although there is time for it.
func Stays(t testing.TB, d time.Duration, wrong func() string) {
	t.Helper()
	if text := look(d, wrong, func(text string) bool { return text != "" }); text != "" {
		t.Fatal(text)
	}
}

// look calls wrong until enough accepts its text or d has passed, and returns the last text.
func look(d time.Duration, wrong func() string, enough func(text string) bool) string {
	over := time.NewTimer(d)
	defer over.Stop()
	for pause := shortest; ; pause = min(2*pause, longest) {
		text := wrong()
		if enough(text) {
			return text
		}
		select {
		case <-over.C:
			return text
		case <-time.After(pause):
		}
	}
}

// Each yields at once and then once a period, until its context ends.
func Each(ctx context.Context, period time.Duration) iter.Seq[struct{}] {
	return func(yield func(struct{}) bool) {
		tick := time.NewTicker(period)
		defer tick.Stop()
		for ctx.Err() == nil && yield(struct{}{}) {
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
	}
}

// Pause passes real time that is part of a test: the moment of a fault, the pace of a load, the delay of an imitated program. It is no way to wait for
// a result.
func Pause(d time.Duration) { time.Sleep(d) }

// bubbleEnds is later than the clock of any bubble, which begins in the year 2000, and earlier than any real date.
var bubbleEnds = time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC)

// Virtual passes d in a bubble of testing/synctest, where that takes no time. Elsewhere it panics.
func Virtual(d time.Duration) {
	if time.Now().After(bubbleEnds) {
		panic("await.Virtual: expected a bubble of testing/synctest, found real time")
	}
	time.Sleep(d)
}
