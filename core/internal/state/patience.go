package state

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/app"
)

// An ask whose victims have not all left in time, though they were told to, may land on another node than the one kept for it.
// Members of gangs wait for their nodes, and so does an ask with a required node.

// awaitVictims has a claim's ask wait for its victims for as long as the partition's patience lasts. It is given the time, since a state
// that is restored has no clock yet.
func (s *State) awaitVictims(c *Claim, now time.Duration) {
	if c.Gang != nil || c.Ask.Class.Node != "" || c.leaving == 0 {
		return
	}
	if c.waitsUntil = s.Conf.Patience.After(c.made); c.waitsUntil > now {
		s.timers.push(timer{at: c.waitsUntil, kind: patienceTimer, seq: c.Seq, claim: c})
	} else {
		s.losePatience(c)
	}
}

// awaitAllVictims restarts the wait of all claims, since the patience may be another.
func (s *State) awaitAllVictims(now time.Duration) {
	s.Impatient = nil
	for _, c := range s.Claims {
		s.awaitVictims(c, now)
	}
}

func (s *State) losePatience(c *Claim) {
	i, in := slices.BinarySearchFunc(s.Impatient, c.Seq, (*Claim).Order)
	if !in {
		s.Impatient = slices.Insert(s.Impatient, i, c)
	}
}

// stillWaits reports whether a claim's ask waits for victims.
func (c *Claim) stillWaits() bool { return !c.ended && c.leaving > 0 }

// victimLeft notes that a victim of a claim has left. Once all have, the ask lands on its node alone.
func (s *State) victimLeft(c *Claim) {
	if c.Gang != nil {
		c.Gang.Leaving--
		return
	}
	if c.leaving--; c.leaving == 0 {
		s.Impatient = without(s.Impatient, c)
	}
}

// landsElsewhere is the node that is kept for an ask which is allocated on another one; empty: none is.
func (s *State) landsElsewhere(ask *app.Ask, slot int32) string {
	if !ask.Hold.IsClaimed() || ask.HoldOn == slot {
		return ""
	}
	return s.Nodes.At(ask.HoldOn).ID
}
