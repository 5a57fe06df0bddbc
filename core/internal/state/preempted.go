package state

import "github.com/quern-project/quern/core/internal/app"

// lastVictims finds, by ID, the last of the victims that have left. The zero value has read none of them.
type lastVictims struct {
	dropped int            // number of victims dropped from the beginning of the list
	read    int            // number of victims that are in at
	at      map[string]int // position of the last victim with an ID, counted from the first victim ever
}

// countPreempted counts a preemption of each victim, for its ask and its application.
func (s *State) countPreempted(victims []app.Ask) {
	for _, v := range victims {
		s.asks.CountPreempted(v.Slot(), 1)
		s.apps.CountPreempted(v.App().Number(), 1)
	}
}

// recallPreempted gives a new ask the count of the last victim with its ID, if that was of the same application and is still remembered.
func (s *State) recallPreempted(ask app.Ask) {
	if len(s.gone) == 0 {
		return
	}
	last := &s.lastGone
	if last.at == nil {
		last.at = map[string]int{}
	}
	for ; last.read < len(s.gone); last.read++ {
		last.at[s.gone[last.read].Why.ID] = last.dropped + last.read
	}
	at, known := last.at[ask.ID()]
	if !known {
		return
	}
	if d := &s.gone[at-last.dropped]; d.App == ask.App().Seq() {
		s.asks.CountPreempted(ask.Slot(), d.Times)
	}
}

// dropGone forgets the first n victims that have left.
func (c *Shared) dropGone(n int) {
	last := &c.lastGone
	for i := range min(n, last.read) {
		if id := c.gone[i].Why.ID; last.at[id] == last.dropped+i {
			delete(last.at, id)
		}
	}
	last.dropped += n
	last.read = max(0, last.read-n)
	c.gone = append(c.gone[:0:0], c.gone[n:]...)
}

// MostPreempted returns the ask that was preempted most often, and how often. times is 0 if none was.
func (s *State) MostPreempted() (most app.Ask, times int64) {
	slot, times := s.asks.View().MostPreempted()
	return s.orders.At(slot), times
}
