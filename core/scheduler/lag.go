package scheduler

import "github.com/quern-project/quern/core"

// lag says whose changes the followers of the logs have not read. Inputs of these kinds often come in a row, and only the methods of a
// scheduler that read more than the state need the followers.
type lag uint8

const (
	noLag       lag = iota
	ofAdditions     // new applications and asks
	ofRemovals      // policies that are removed, each of which affects all pending asks
)

// lagAfter returns how followers may lag behind after an event.
func lagAfter(e core.Event) lag {
	switch e.(type) {
	case *core.AddApp, *core.AddAsk:
		return ofAdditions
	case *core.RemovePolicy:
		return ofRemovals
	default:
		return noLag
	}
}

// keepUp lets followers catch up with the last inputs, if that was postponed.
func (s *Scheduler) keepUp() {
	s.lag = noLag
	for _, p := range s.partitions {
		if p.state.LogLength() > 0 {
			p.catchUp()
		}
	}
}

// logsAreLong reports whether the log of a partition has as many changes as it should hold.
func (s *Scheduler) logsAreLong() bool {
	for _, p := range s.partitions {
		if p.state.LogLength() > logLimit {
			return true
		}
	}
	return false
}
