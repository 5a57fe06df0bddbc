package state

import (
	"fmt"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
)

func rememberAtomic(a *app.App) (list []atomicMemory) {
	for _, g := range a.AtomicGangs {
		list = append(list, atomicMemory{g.ID, g.Min, g.Timeout, g.Since, g.Seq, g.Placed, g.Fallback, g.Succeeded})
	}
	return list
}

// atomicGangs puts the gangs of an application back; their members come later.
func (r restorer) atomicGangs(a *app.App, list []atomicMemory) error {
	last := uint64(0)
	for _, m := range list {
		if atomicGangOf(a, m.ID) != nil || m.Min < 1 || m.Timeout < 0 || m.Seq <= last || m.Seq > r.all.Counters.Ask || m.Since > r.all.Now {
			return fmt.Errorf("application %q: gang %q: expected gangs of different names in order, each with a minimum from 1 on", a.ID, m.ID)
		}
		if m.Succeeded < 0 || m.Succeeded >= m.Min && !m.Placed {
			return fmt.Errorf("application %q: gang %q: expected fewer than %d members that have succeeded, since it waits, found %d", a.ID, m.ID, m.Min, m.Succeeded)
		}
		last = m.Seq
		a.AtomicGangs = append(a.AtomicGangs, &app.AtomicGang{
			ID: m.ID, Min: m.Min, Timeout: m.Timeout, Fallback: m.Fallback, Since: m.Since, Seq: m.Seq, Placed: m.Placed, Succeeded: m.Succeeded,
		})
	}
	return nil
}

// succeeded puts back what has succeeded of gangs that have no members.
func (r restorer) succeeded(a *app.App, list []app.SucceededGang) error {
	for i, g := range list {
		if g.Count < 1 || g.Min < 0 || i > 0 && list[i-1].ID >= g.ID || atomicGangOf(a, g.ID) != nil {
			return fmt.Errorf("application %q: gang %q: expected gangs without members, sorted by name, each with a member that has succeeded", a.ID, g.ID)
		}
	}
	a.Succeeded = slices.Clone(list)
	return nil
}

// atomicMember checks what an ask says of its gang.
func (r restorer) atomicMember(a *app.App, m *askMemory) error {
	said := m.Ask.Gang
	if said == nil {
		return nil
	}
	g := atomicGangOf(a, said.ID)
	if g == nil || *said != saidOf(g) || m.Seq < g.Seq || m.PlacedOn != "" && !g.Placed {
		return fmt.Errorf("ask %q: expected a member of a gang of its application, as the gang is, found gang %q", m.ID, said.ID)
	}
	return nil
}

func (r restorer) gangsHaveMembers() error {
	for _, m := range r.m.Apps {
		for _, g := range r.s.Apps[m.ID].AtomicGangs {
			if g.Members == 0 {
				return fmt.Errorf("application %q: gang %q: expected members", m.ID, g.ID)
			}
		}
	}
	return nil
}

// landsWith reports whether a claim is one of a gang whose first claim has a number.
func (r restorer) landsWith(c *Claim, first uint64) bool {
	return c.Gang != nil && c.Gang.Claims[0].Seq == first
}

// joinClaims makes a claim one of those of its gang, whose first has a number; 0: it lands by itself.
func (r restorer) joinClaims(c *Claim, first uint64) error {
	switch {
	case first == 0:
		return nil
	case c.Ask.Atomic == nil || first > c.Seq:
		return fmt.Errorf("ask %q: expected a member of a gang, since it lands with claim %d", c.Ask.ID, first)
	case first == c.Seq:
		c.Gang = &GangClaim{}
		return nil
	}
	of := r.s.claimOf(&Departure{Claim: first})
	if of == nil || !r.landsWith(of, first) || of.Ask.Atomic != c.Ask.Atomic {
		return fmt.Errorf("ask %q: expected the claim %d, with which it lands, to be one of its gang", c.Ask.ID, first)
	}
	c.Gang = of.Gang
	return nil
}
