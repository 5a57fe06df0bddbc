package clients

import (
	"fmt"
	"testing"
	"time"
)

// user asks a number of times, and returns how often it may.
func user(s *Shares, name string, times int) (n int) {
	for range times {
		if s.Allow(name) {
			n++
		}
	}
	return n
}

func TestAClientThatIsAloneHasTheWholeRate(t *testing.T) {
	now := time.Unix(1000, 0)
	s := NewShares(50, 20, func() time.Time { return now })
	if n := user(s, "ann", 100); n != 20 {
		t.Errorf("found %d at once, expected 20", n)
	}
	total := 0
	for range 100 {
		now = now.Add(100 * time.Millisecond)
		total += user(s, "ann", 100)
	}
	if total != 500 {
		t.Errorf("found %d in ten seconds, expected 500", total)
	}
}

func TestRates_OneClientCannotTakeAllShares(t *testing.T) {
	now := time.Unix(1000, 0)
	s := NewShares(50, 20, func() time.Time { return now })
	user(s, "loud", 1000)
	if n := user(s, "quiet", 100); n != 10 {
		t.Errorf("the quiet one may %d at once, expected 10", n)
	}
	loud, quiet, third := 0, 0, 0
	for range 100 {
		now = now.Add(100 * time.Millisecond)
		loud += user(s, "loud", 1000)
		quiet += user(s, "quiet", 100)
		third += user(s, "", 1) // this machine, once in 100 ms
	}
	if third != 100 || quiet < 150 || quiet > 175 || loud < 150 || loud > 175 {
		t.Errorf("in ten seconds: loud %d, quiet %d, third %d", loud, quiet, third)
	}
	now = now.Add(3 * time.Second)
	if n := user(s, "quiet", 100); n != 20 {
		t.Errorf("alone again, the quiet one may %d at once, expected 20", n)
	}
}

func TestManyClientsAtOnceAreBounded(t *testing.T) {
	now := time.Unix(1000, 0)
	s := NewShares(50, 20, func() time.Time { return now })
	total := 0
	for i := range 10_000 {
		total += user(s, fmt.Sprint(i), 5)
	}
	if total != 40 {
		t.Errorf("found %d at once, expected 40", total)
	}
	now = now.Add(time.Minute)
	if s.Allow("ann"); len(s.all) != 1 {
		t.Errorf("%d clients are known after all have rested", len(s.all))
	}
}
