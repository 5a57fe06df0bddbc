package journal

import (
	"slices"
	"testing"
	"time"
)

func TestPlayer_SimultaneousEndsInAllocationOrder(t *testing.T) {
	const second = time.Second
	e := newEnds()
	e.allocated("first", 0)
	e.expect("timed", "app", 3*second)
	e.allocated("timed", 0)
	e.allocated("third", 0)
	e.allocated("stays", 0)
	e.preempted("third", 3*second, 3)
	e.preempted("first", 3*second, 1)
	e.preempted("first", 4*second, 1) // the earlier end counts
	var ended []string
	for id, ok := e.pop(3 * second); ok; id, ok = e.pop(3 * second) {
		ended = append(ended, id)
	}
	if want := []string{"first", "timed", "third"}; !slices.Equal(ended, want) || len(e.byID) != 0 {
		t.Errorf("expected %q and none left, found %q and %d left", want, ended, len(e.byID))
	}
}
