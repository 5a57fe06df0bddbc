package server

import (
	"bytes"
	"errors"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
)

// errStopped says that a follower has come to where it was to stop.
var errStopped = errors.New("stopped")

// stop is right before an allocation.
type stop struct {
	at    time.Duration // of its instant
	ahead int           // allocations of that instant that are made before it
}

// during reports whether the stop lies in the instant of a time; nil lies nowhere.
func (s *stop) during(at time.Duration) bool { return s != nil && s.at == at }

// cycle makes the allocations that come before the stop. The error is errStopped once they are made.
func (s *stop) cycle(instant *drive.Instant) error {
	if s.ahead > 0 {
		if s.ahead -= instant.Cycle(s.ahead); s.ahead > 0 {
			return nil // another cycle of the instant makes the rest
		}
	}
	return errStopped
}

// stopBefore finds the allocation of an ask at a time among the decisions of a batch; nil: it is not there.
func stopBefore(decisions []byte, id string, at time.Duration) *stop {
	s := stop{at: at}
	for line := range bytes.Lines(decisions) {
		if kindOf(line) != string(core.Allocation) {
			continue
		}
		switch d, err := decodeDecision(line); {
		case err != nil, d.At != at:
		case d.ID == id:
			return &s
		default:
			s.ahead++
		}
	}
	return nil
}
