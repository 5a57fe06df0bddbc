package state

import (
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/claims"
)

// An ask whose victims have not all left in time may be allocated on another node than that of its claim. Members of gangs always wait for
// their nodes, as do asks with a required node.

// awaitVictims starts the time that a claim's ask waits for its victims: the partition's patience. The current time is an argument because
// a state that is being restored has no clock yet.
func (s *State) awaitVictims(id claims.ID, now time.Duration) {
	c := s.claims.At(id)
	if c.Gang != 0 || s.AskAt(c.Ask).Class().Node() != "" || c.Leaving == 0 {
		return
	}
	until := s.conf.Patience.After(c.Made)
	s.claims.WaitUntil(id, until)
	if until > now {
		s.timers.push(timer{at: until, kind: patienceTimer, seq: c.Seq, ref: s.claims.Ref(id)})
	} else {
		s.claims.AllowElsewhere(id)
	}
}

// awaitAllVictims restarts the wait of all claims, since the patience may have changed.
func (s *State) awaitAllVictims(now time.Duration) {
	s.claims.ForbidElsewhere()
	for _, id := range s.claims.IDs() {
		s.awaitVictims(id, now)
	}
}

// landsElsewhere returns the ID of the node of an ask's claim if the ask is being allocated on another node; otherwise an empty string.
func (s *State) landsElsewhere(ask app.Ask, slot int32) string {
	if !ask.Hold().IsClaimed() || ask.HoldOn() == slot {
		return ""
	}
	return s.finder.ID(ask.HoldOn())
}
