package demo

import (
	"testing"
	"time"

	"github.com/quern-project/quern/internal/await"
)

func TestAnotherSpeedHoldsForWhoWaitsAlready(t *testing.T) {
	c := NewClock(midnight, 1)
	due, stop := c.Wake(midnight + day)
	defer stop()
	gone, end := c.Wake(midnight + day)
	end()
	before := c.Now()
	c.SetSpeed(1e9) // a day takes 0.1 ms
	await.Value(t, due, "the end of the day at the new speed")
	if now := c.Now(); before < midnight || now < midnight+day {
		t.Errorf("found %s, and %s afterwards", before-midnight, now-midnight)
	}
	select {
	case <-gone:
		t.Error("a timer that was stopped went off")
	default:
	}
	c.SetSpeed(1)
	if first, second := c.Now(), c.Now(); second < first || second > first+time.Minute {
		t.Errorf("found %s and %s", first, second)
	}
}
