package state

import (
	"fmt"
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/internal/state/gangs"
)

func rememberAtomic(a app.App) (list []atomicMemory) {
	for g := range a.AtomicGangs {
		r := g.Row()
		list = append(list, atomicMemory{
			r.ID, r.Min, r.Timeout, r.Since, r.Seq, r.Placed, r.Fallback, r.Succeeded, r.Disrupt, r.Repair, r.Broken, r.BrokenSince, r.BrokenBy, r.Lost, r.Restored, r.Whole, r.Dissolved, r.Judge, r.RestsUntil, r.Topology, r.Max, r.Set, r.SetMin, r.SucceededIn.Clone(),
		})
	}
	return list
}

// atomicGangs restores the gangs of an application. Their members follow later.
func (r restorer) atomicGangs(a app.App, list []atomicMemory) error {
	last := uint64(0)
	for _, m := range list {
		if !atomicGangOf(a, m.ID).IsNone() || m.Min < 1 || m.Timeout < 0 || m.Repair.Within < 0 || m.Max != 0 && m.Max < m.Min || m.Seq <= last || m.Seq > r.all.Counters.Ask || m.Since > r.all.Now {
			return fmt.Errorf("application %q: gang %q: expected gangs of different names in order, each with a minimum from 1 on", a.ID(), m.ID)
		}
		if m.Succeeded < 0 || m.Succeeded >= m.Min && !m.Placed {
			return fmt.Errorf("application %q: gang %q: expected fewer than %d members that have succeeded, since it waits, found %d", a.ID(), m.ID, m.Min, m.Succeeded)
		}
		if slices.ContainsFunc(m.SucceededIn, func(n int) bool { return n < 0 }) || len(m.SucceededIn) > math.MaxInt32 {
			return fmt.Errorf("application %q: gang %q: expected numbers of members that have succeeded in each slice, found %v", a.ID(), m.ID, m.SucceededIn)
		}
		if m.Broken && (!m.Placed || m.BrokenSince > r.all.Now) {
			return fmt.Errorf("application %q: gang %q: expected a broken gang to have been placed, and to be broken since %s or before", a.ID(), m.ID, r.all.Now)
		}
		if (m.Set == "") != (m.SetMin == 0) || m.SetMin < 0 {
			return fmt.Errorf("application %q: gang %q: expected a set with a minimum from 1 on, or none, found %q and %d", a.ID(), m.ID, m.Set, m.SetMin)
		}
		last = m.Seq
		r.s.edit(a).AddGang(app.AtomicRow{
			ID: m.ID, Min: m.Min, Timeout: m.Timeout, Fallback: m.Fallback, Since: m.Since, Seq: m.Seq, Placed: m.Placed, Succeeded: m.Succeeded,
			Disrupt: m.Disruption, Repair: m.Repair, Broken: m.Broken, BrokenSince: m.BrokenSince, BrokenBy: m.BrokenBy, Lost: m.Lost, Restored: m.Restored,
			Whole: m.Whole, Dissolved: m.Dissolved, Judge: m.Judge, RestsUntil: m.RestsUntil, Topology: m.Topology, Max: m.Max,
			Set: m.Set, SetMin: m.SetMin, SetStarted: m.Set != "" && r.s.gangs.View().SetStarted(a.Number(), m.Set),
			SucceededIn: readonly.Of(slices.Clone(m.SucceededIn)),
		})
	}
	return nil
}

// succeeded restores the numbers of succeeded members of gangs without members.
func (r restorer) succeeded(a app.App, list []gangs.Succeeded) error {
	for i, g := range list {
		if g.Count < 1 || g.Min < 0 || i > 0 && list[i-1].ID >= g.ID || !atomicGangOf(a, g.ID).IsNone() {
			return fmt.Errorf("application %q: gang %q: expected gangs without members, sorted by name, each with a member that has succeeded", a.ID(), g.ID)
		}
	}
	r.s.gangs.SetSucceeded(a.Number(), slices.Clone(list))
	return nil
}

// sets restores the sets of gangs that have started.
func (r restorer) sets(a app.App, list []string) error {
	for i, set := range list {
		if set == "" || i > 0 && list[i-1] >= set {
			return fmt.Errorf("application %q: expected sets of gangs that have started, sorted by name, found %q", a.ID(), list)
		}
	}
	r.s.gangs.RestoreSets(a.Number(), slices.Clone(list))
	return nil
}

// atomicMember checks that an ask's settings match its gang.
func (r restorer) atomicMember(a app.App, m *askMemory) error {
	said := m.Ask.Gang
	if said == nil {
		return nil
	}
	if m.Slice < 0 || m.Slice > r.mostSlices() || m.Slice > 0 && m.Ask.Topology.Slice.Size == 0 {
		return fmt.Errorf("ask %q: expected the number of a slice of its gang, found %d", m.ID, m.Slice)
	}
	g := atomicGangOf(a, said.ID)
	if g.IsNone() || *said != saidOf(g) || m.Ask.Topology != g.Row().Topology {
		return fmt.Errorf("ask %q: expected a member of a gang of its application, as the gang is, found gang %q", m.ID, said.ID)
	}
	return nil
}

// mostSlices returns the largest number that a slice may have.
func (r restorer) mostSlices() int32 { return int32(min(r.all.Counters.Ask, math.MaxInt32)) }

func (r restorer) gangsHaveMembers() error {
	for _, m := range r.m.Apps {
		for g := range r.s.orders.AppWithID(m.ID).AtomicGangs {
			if row := g.Row(); row.Members == 0 {
				return fmt.Errorf("application %q: gang %q: expected members", m.ID, row.ID)
			}
		}
	}
	return nil
}

// runningGangs restores what follows from the members of gangs.
func (r restorer) runningGangs() error {
	for _, m := range r.m.Apps {
		a := r.s.orders.AppWithID(m.ID)
		for _, was := range m.Gangs {
			g := atomicGangOf(a, was.ID)
			r.s.edit(a).EditGang(g).Judge = was.Judge // not as the restored members have made it
			r.s.chooseRoles(a, g)
			r.s.timeRepair(a, g)
		}
	}
	r.s.bindGangs()
	r.s.toJudge = nil
	r.s.listUnjudged()
	return nil
}

// landsWithThose reports whether the claims on a node belong to the gang whose first claim has a Seq.
func (r restorer) landsWithThose(n int32, first uint64) bool {
	c, _ := r.s.Claims().First(n)
	return r.landsWith(c, first)
}

// landsWith reports whether a claim belongs to the gang whose first claim has a Seq.
func (r restorer) landsWith(c claims.Claim, first uint64) bool {
	return c.Gang != 0 && r.s.Claims().FirstOf(c.Gang).Seq == first
}

// gangOfClaim returns the gang of a claim; first is the Seq of the gang's
// first claim. It returns 0 if first is 0: the claim is not of a gang.
func (r restorer) gangOfClaim(ask app.Ask, seq, first uint64) (claims.GangID, error) {
	switch {
	case first == 0:
		return 0, nil
	case ask.Atomic().IsNone() || first > seq:
		return 0, fmt.Errorf("ask %q: expected a member of a gang, since it lands with claim %d", ask.ID(), first)
	case first == seq:
		return r.s.claims.NewGang(0), nil
	}
	of := r.s.claims.At(r.s.claims.WithSeq(first))
	if !r.landsWith(of, first) || r.s.AskAt(of.Ask).Atomic() != ask.Atomic() {
		return 0, fmt.Errorf("ask %q: expected the claim %d, with which it lands, to be one of its gang", ask.ID(), first)
	}
	return of.Gang, nil
}
