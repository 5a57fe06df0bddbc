package app

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// Unit is a running gang that law 8 protects: a set of victims leaves enough of it, or nothing. It is comparable; the zero value is none.
// It is either an atomic gang, or all allocations of an application whose placeholders say so. An atomic gang of such an application is a
// unit inside another.
type Unit struct {
	of   App
	gang AtomicGang // none if it is the whole application
}

// LeavesAsUnit reports whether the allocation belongs to a unit. A property of its queue may say otherwise.
func (a Ask) LeavesAsUnit() bool {
	return a.Atomic().leavesAsUnit() || a.Grouped() && a.App().isUnit()
}

// Units calls yield with the units that an allocation belongs to, the innermost first.
func (a Ask) Units(yield func(Unit) bool) {
	of := a.App()
	if g := a.Atomic(); g.leavesAsUnit() && !yield(Unit{of, g}) {
		return
	}
	if of.isUnit() {
		yield(Unit{of: of})
	}
}

// Units calls yield with the units of an application, the innermost first.
func (a *application) Units(yield func(Unit) bool) {
	for _, g := range a.atomicGangs {
		if (AtomicGang{g}).leavesAsUnit() && !yield(Unit{App{a}, AtomicGang{g}}) {
			return
		}
	}
	if a.isUnit() {
		yield(Unit{of: App{a}})
	}
}

func (a *application) isUnit() bool {
	if a.gang == nil {
		return false
	}
	g := a.asks.gangValues.Of(a.number)
	return g.Unit && g.Formed
}

func (g AtomicGang) leavesAsUnit() bool {
	return g.atomicGang != nil && g.row.Placed && !g.row.Dissolved && g.row.Disrupt != core.DisruptMember
}

// Gang returns the atomic gang that the unit is, or none.
func (u Unit) Gang() AtomicGang { return u.gang }

// App returns the application that it belongs to.
func (u Unit) App() App { return u.of }

// Has reports whether an ask belongs to the unit.
func (u Unit) Has(ask Ask) bool {
	return ask.App() == u.of && (u.gang.IsNone() || ask.Atomic() == u.gang)
}

// Staying calls yield with its members that are allocated and not leaving, oldest first.
func (u Unit) Staying(yield func(Ask) bool) {
	for v := u.of.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
		if !v.Leaving() && u.Has(v) && !yield(v) {
			return
		}
	}
}

// Spare bounds what may leave of a unit together while the rest runs on.
type Spare struct {
	Lane   int // a type, or Members
	Amount int64
}

// Members is the lane of a Spare that bounds the number of members.
const Members = -1

// Takes returns how much of the spare amount a member takes that leaves.
func (s Spare) Takes(member Ask) int64 {
	if s.Lane == Members {
		return 1
	}
	return member.Class().Demand().At(s.Lane)
}

// Spare returns the bounds of what may leave while the rest runs on. They are nil if nothing may.
func (u Unit) Spare() []Spare {
	if !u.gang.IsNone() {
		if n := u.gang.Surplus(); n > 0 {
			return []Spare{{Members, int64(n)}}
		}
		return nil
	}
	list := []Spare{{Members, int64(u.of.Allocations())}}
	u.of.asks.gangValues.Kept(u.of.number, u.of.leaf.types.View(), func(lane int, has, declared int64) {
		list = append(list, Spare{lane, has - declared})
	})
	if slices.ContainsFunc(list, func(s Spare) bool { return s.Amount < 0 }) {
		return nil // it has less than it declared
	}
	return list
}

// Spares reports whether some members may leave together while the rest runs on.
func (u Unit) Spares(members []Ask) bool {
	list := u.Spare()
	for _, s := range list {
		for _, m := range members {
			if s.Amount -= s.Takes(m); s.Amount < 0 {
				return false
			}
		}
	}
	return list != nil || len(members) == 0
}

// Surplus returns how many of its members may leave while the others run on. A broken gang has none.
func (g *atomicGang) Surplus() int {
	if g.row.Disrupt == core.DisruptWhole {
		return 0
	}
	return max(0, g.row.Staying-max(0, g.Need()))
}

// ElasticSurplus returns how many members of a unit may be preempted before others, since its gang gives a largest size and has more members
// than it needs. A property of its queue may say otherwise.
func (u Unit) ElasticSurplus() int {
	if g := u.gang; g.leavesAsUnit() && g.row.Max > 0 {
		return g.Surplus()
	}
	return 0
}

// MayBeElasticSurplus reports whether an allocation belongs to a gang with elastic surplus.
func (a Ask) MayBeElasticSurplus() bool {
	g := a.Atomic()
	return !g.IsNone() && Unit{gang: g}.ElasticSurplus() > 0
}

// Elastic calls yield with the gangs that give a largest size, placed or not, in no particular order.
func (s *reader) Elastic(yield func(Unit) bool) {
	for _, u := range s.elastic {
		if !yield(u) {
			return
		}
	}
}

// RepairEnds returns when the gang ends if it stays broken. ok is false if it is not, or if its repair is not bounded.
func (g *atomicGang) RepairEnds() (at time.Duration, ok bool) {
	return instant.Add(g.row.BrokenSince, g.row.Repair.Within), g.row.Broken && g.row.Repair.Bounded
}
