package state

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// positive checks amounts of a snapshot: they must be non-negative and sorted by type, as decoders of inputs ensure for inputs.
func positive(sets ...resource.Set) error {
	for _, set := range sets {
		for i, q := range set {
			if q.Value < 0 || i > 0 && set[i-1].Type >= q.Type {
				return fmt.Errorf("resources: expected amounts of at least 0, sorted by type, found %s %d", q.Type, q.Value)
			}
		}
	}
	return nil
}

func (r restorer) apps() error {
	s := r.s
	for _, m := range r.m.Apps {
		q := s.Queues().Find(m.Queue)
		state, live := apps.Live(m.State)
		if q == queues.None || !s.Queues().IsLeaf(q) || s.PartitionOfApp(m.ID) != nil || !live || m.Seq == 0 {
			return fmt.Errorf("application %q: expected an ID of its own, a leaf queue and a live state, found %q and %q", m.ID, m.Queue, m.State)
		}
		if m.Preempted < 0 {
			return fmt.Errorf("application %q: expected a number of preempted allocations, found %d", m.ID, m.Preempted)
		}
		gang, err := r.gang(m.Gang)
		if err != nil {
			return fmt.Errorf("application %q: %w", m.ID, err)
		}
		a := s.enter(m.ID, s.leaves[q], apps.App{Seq: m.Seq}, &apps.Details{User: m.User, Groups: m.Groups, Tags: m.Tags, Placement: m.Placement}, gang)
		if gang != nil {
			r.gangFacts(a, m.Gang)
		}
		s.joinLimits(a)
		s.now = m.Since
		if state != apps.StateNew {
			s.startState(a, state, "")
		}
		s.apps.Restore(a.Number(), m.Since, m.Submitted, int64(m.Ever))
		s.apps.CountPreempted(a.Number(), m.Preempted)
		if gang != nil {
			s.gangs.Edit(a.Number()).Ended = m.Gang.Ended
			s.timeGang(a)
		}
		if err := r.sets(a, m.Sets); err != nil {
			return err
		}
		if err := r.atomicGangs(a, m.Gangs); err != nil {
			return err
		}
		if err := r.succeeded(a, m.Succeeded); err != nil {
			return err
		}
	}
	return nil
}

func (r restorer) asks() error {
	s := r.s
	for i := range r.m.Asks {
		m := &r.m.Asks[i]
		a := s.orders.AppWithID(m.App)
		if a.IsNone() || s.PartitionOfAsk(m.ID) != nil || m.Seq == 0 || a.State() == apps.StateNew || a.State() == apps.StateCompleting && !a.HasGang() {
			return fmt.Errorf("ask %q: expected a started or accepted application and an ID of its own, found application %q", m.ID, m.App)
		}
		if err := positive(m.Resources); err != nil {
			return fmt.Errorf("ask %q: %w", m.ID, err)
		}
		if err := r.member(a, m); err != nil {
			return fmt.Errorf("ask %q: %w", m.ID, err)
		}
		if err := r.atomicMember(a, m); err != nil {
			return err
		}
		if m.PlacedOn == "" && m.Resources.IsZero() || m.PlacedOn != "" && s.finder.Find(m.PlacedOn) == app.NoNode {
			return fmt.Errorf("ask %q: expected resources and a known node, found node %q", m.ID, m.PlacedOn)
		}
		if !s.validDevices(m.Ask.Devices) {
			return fmt.Errorf("ask %q: expected devices of the types of the configuration, one or more of each", m.ID)
		}
		if m.Preempted < 0 {
			return fmt.Errorf("ask %q: expected how often it was preempted, found %d", m.ID, m.Preempted)
		}
		_, place := s.asks.View().Locate(m.ID)
		ask := s.newAsk(&core.AddAsk{ID: m.ID, Resources: m.Resources, Ask: m.Ask}, place, a, m.limit())
		s.asks.Renumber(ask.Slot(), m.Seq, m.Created)
		s.asks.SetSlice(ask.Slot(), m.Slice)
		if err := r.walltime(ask, m); err != nil {
			return err
		}
		s.asks.CountPreempted(ask.Slot(), m.Preempted)
		if m.Observed {
			s.asks.MarkObserved(ask.Slot())
		}
		if m.GaveUp && ask.Grouped() {
			s.asks.SetNoPlaceholderFits(ask.Slot())
		}
		if m.PlacedOn == "" {
			s.pend(ask)
			s.memberChanged(ask)
		}
		r.trim()
	}
	return r.gangsHaveMembers()
}

// trim trims the log now and then. It has no followers yet, and would keep the memory of its largest size.
func (r restorer) trim() {
	if r.s.LogLength() >= 4096 {
		r.s.TrimLog()
	}
}

// places restores allocations in the order in which they were made, and then reservations.
func (r restorer) places() error {
	s := r.s
	var placed []*askMemory
	for i := range r.m.Asks {
		if m := &r.m.Asks[i]; m.PlacedOn != "" {
			placed = append(placed, m)
		}
	}
	slices.SortFunc(placed, func(a, b *askMemory) int { return cmp.Compare(a.Placed, b.Placed) })
	for _, m := range placed {
		ask, n := s.orders.Find(m.ID), s.finder.Find(m.PlacedOn)
		if message := s.restoreOverflows(n, m.Resources); message != "" {
			return fmt.Errorf("ask %q: %s", m.ID, message)
		}
		s.restore(ask, n, m.Devices)
		s.memberChanged(ask)
		s.asks.RenumberPlacement(ask.Slot(), m.Placed, m.PlacedAt)
		r.trim()
	}
	for _, m := range r.m.Asks {
		if m.Reserves == "" {
			continue
		}
		n, ask := s.finder.Find(m.Reserves), s.orders.Find(m.ID)
		l := s.leafOf(ask.App())
		if n == app.NoNode || s.finder.Hold(n).IsReserved() || !ask.Pending() || l.Reserved() != app.NoSlot && ask.Class().Node() == "" {
			return fmt.Errorf("ask %q: expected its reservation on a node without one, found %q", m.ID, m.Reserves)
		}
		if need := ask.Class().Node(); need != "" && need != s.finder.ID(n) {
			return fmt.Errorf("ask %q: expected no reservation but of the node %q that it requires, found %q", m.ID, need, s.finder.ID(n))
		}
		s.holdFor(ask, n, m.Reserved, m.ExpiresAt)
	}
	return nil
}

// claims restores leaving victims, and claims.
func (r restorer) claims() error {
	s := r.s
	var kept []*askMemory
	for i := range r.m.Asks {
		m := &r.m.Asks[i]
		if m.Leaving != nil {
			if d := m.Leaving; d.Quota != "" && d.Claim > 0 {
				return fmt.Errorf("ask %q: expected it to leave for a claim or by quota, found claim %d and queue %q", m.ID, d.Claim, d.Quota)
			}
			if m.PlacedOn == "" || m.Leaving.Claim > r.all.Counters.Claimed {
				return fmt.Errorf("ask %q: expected an allocation that leaves for one of %d claims, found %d", m.ID, r.all.Counters.Claimed, m.Leaving.Claim)
			}
			own := *m.Leaving // a copy, since a checkpoint may be recalled several times
			s.leave(s.orders.Find(m.ID), &own)
			if q := s.Queues().Find(m.Leaving.Quota); q != queues.None {
				s.queues.AddQuotaVictims(q, 1)
			}
		}
		if m.Keeps != "" {
			kept = append(kept, m)
		}
	}
	slices.SortFunc(kept, func(a, b *askMemory) int { return cmp.Compare(a.Claimed, b.Claimed) })
	for _, m := range kept {
		n, ask := s.finder.Find(m.Keeps), s.orders.Find(m.ID)
		if ask.Hold().IsReserved() {
			return fmt.Errorf("ask %q: expected a claim or a reservation, found a claim on %q and a reservation on %q", m.ID, m.Keeps, m.Reserves)
		}
		if n == app.NoNode || m.PlacedOn != "" || s.finder.Hold(n).IsClaimed() && !r.landsWithThose(n, m.LandsWith) {
			return fmt.Errorf("ask %q: expected a pending ask and a node that is kept for no other ask, found %q", m.ID, m.Keeps)
		}
		c := claims.Claim{Seq: m.Claimed, Ask: ask.Slot(), Node: n, Made: r.all.Now}
		if m.ClaimedAt != nil {
			c.Made = *m.ClaimedAt
		}
		if c.Made > r.all.Now {
			return fmt.Errorf("ask %q: expected a node that is kept since %s or before, found since %s", m.ID, r.all.Now, c.Made)
		}
		gang, err := r.gangOfClaim(ask, c.Seq, m.LandsWith)
		if err != nil {
			return err
		}
		c.Gang = gang
		s.claim(c)
	}
	for slot := range s.Departures().All {
		if id := s.claims.WithSeq(s.Departures().ClaimOf(slot)); id != claims.None {
			s.claims.AddVictim(id)
		}
	}
	s.awaitAllVictims(r.all.Now)
	return nil
}
