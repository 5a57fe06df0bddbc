package state

import (
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/claims"
)

// An ask whose victims have not all left in time, though they were told to, may land on another node than that of its claim.
// Members of gangs wait for their nodes, and so does an ask with a required node.

// awaitVictims has a claim's ask wait for its victims for as long as the partition's patience lasts. It is given the time, since a state
// that is restored has no clock yet.
func (s *State) awaitVictims(id claims.ID, now time.Duration) {
	c := s.claims.At(id)
	if c.Gang != 0 || s.AskAt(c.Ask).Class.Node != "" || c.Leaving == 0 {
		return
	}
	until := s.Conf.Patience.After(c.Made)
	s.claims.WaitUntil(id, until)
	if until > now {
		s.timers.push(timer{at: until, kind: patienceTimer, seq: c.Seq, ref: s.claims.Ref(id)})
	} else {
		s.claims.LosePatience(id)
	}
}

// awaitAllVictims restarts the wait of all claims, since the patience may be another.
func (s *State) awaitAllVictims(now time.Duration) {
	s.claims.BePatient()
	for _, id := range s.claims.IDs() {
		s.awaitVictims(id, now)
	}
}

// landsElsewhere is the node of the claim of an ask that is allocated on another one; empty: it has none.
func (s *State) landsElsewhere(ask *app.Ask, slot int32) string {
	if !ask.Hold.IsClaimed() || ask.HoldOn == slot {
		return ""
	}
	return s.Nodes.At(ask.HoldOn).ID
}
