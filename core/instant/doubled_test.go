package instant

import (
	"testing"
	"time"
)

func TestDoubled_IsTheFirstToCome(t *testing.T) {
	for _, c := range []struct{ at, now, want time.Duration }{
		{0, 0, time.Minute},
		{0, time.Minute - 1, time.Minute},
		{0, time.Minute, 2 * time.Minute},
		{time.Hour, time.Hour + 5*time.Minute, time.Hour + 8*time.Minute},
		{time.Hour, 0, time.Hour + time.Minute},
		{Never - 1, 0, Never},
		{Beginning, Never - 1, Never}, // the wait that would be long enough cannot be doubled
	} {
		if got := Doubled(c.at, time.Minute, c.now); got != c.want {
			t.Errorf("from %d, after %d: got %d, want %d", c.at, c.now, got, c.want)
		}
	}
}
