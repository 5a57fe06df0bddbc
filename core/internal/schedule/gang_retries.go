package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/resource"
)

// A gang that failed is tried again when a node or a queue has more room, as any ask, and besides when a limit has, or, for
// some gangs, when anything has changed.

type reopeningGang struct {
	app  *app.App
	gang *app.AtomicGang
}

// reopenOnChange has a gang tried again whenever anything has changed.
func (s *Walk) reopenOnChange(a *app.App, g *app.AtomicGang) {
	r := reopeningGang{a, g}
	if !slices.Contains(s.gangs.reopening, r) {
		s.gangs.reopening = append(s.gangs.reopening, r)
	}
}

// reopenGangs has the gangs looked at again that may fit since anything changed.
func (s *Walk) reopenGangs() {
	w := &s.gangs
	if w.reopenedAt == s.state.LogEnd() {
		return
	}
	w.reopenedAt = s.state.LogEnd()
	w.reopening = slices.DeleteFunc(w.reopening, func(r reopeningGang) bool {
		if !r.gang.Waits() || !r.app.ReopenGang(r.gang, s.state.World) {
			return true
		}
		s.state.Leaves[r.app.Leaf.ID].Queue.MarkChanged()
		return false
	})
	s.Sync()
}

// mayFitLater reports whether less room may let the gang fit: where one of the chosen does not fit alone any more, another
// takes its place.
func (x *gangSearch) mayFitLater() bool {
	if len(x.chosen) < x.gang.Need() || len(x.pending) == x.gang.Need() {
		return false
	}
	first := x.pending[0]
	return slices.ContainsFunc(x.pending, func(ask *app.Ask) bool { return ask.Class != first.Class || ask.Priority != first.Priority })
}

// holdsLeast reports whether there is room for the smallest members of a gang as far as sums tell. Where there is not, less room
// does not let the gang fit, whichever of its members are chosen.
func (s *Walk) holdsLeast(x *gangSearch, a *app.App) bool {
	s.headroomOf(a)
	least, amounts := make(resource.Vec, x.width), make([]int64, len(x.pending))
	s.progress.Spend(len(x.pending) * x.width)
	for t := range x.width {
		for i, ask := range x.pending {
			amounts[i] = ask.Class.Demand[t]
		}
		slices.Sort(amounts)
		least[t] = amounts[0]
		sum := int64(0)
		for _, amount := range amounts[:x.gang.Need()] {
			sum = resource.Add(sum, amount)
		}
		if sum > 0 && sum > s.gangs.headroom[t] {
			return false
		}
		for _, n := range s.state.Nodes.Sorted() {
			if sum <= 0 {
				break
			}
			s.progress.Spend(1)
			sum -= roomOf(n, t)
		}
		if sum > 0 {
			return false
		}
	}
	return s.places(least, int64(x.gang.Need()))
}

// places reports whether the nodes, each for itself, have room for so many asks of an amount.
func (s *Walk) places(amount resource.Vec, count int64) bool {
	for _, n := range s.state.Nodes.Sorted() {
		s.progress.Spend(1)
		most := count
		for t, need := range amount {
			if need > 0 {
				most = min(most, roomOf(n, t)/need)
			}
		}
		if count -= most; count <= 0 {
			return true
		}
	}
	return false
}

// roomOf is what a node has free of a type for asks without claims.
func roomOf(n *node.Node, t int) int64 {
	if !n.Schedulable || n.Hold.IsClaimed() {
		return 0
	}
	return n.Free(t)
}

// failGang notes that the gang that an ask stands for failed. Any limit of its application may have barred it.
func (s *Walk) failGang(ask *app.Ask) {
	a := ask.App
	a.FailGang(ask, s.state.World)
	if a.Limits == nil || a.GangSleeps(ask) {
		return
	}
	x := a.Sleep(ask, s.asleep.number())
	for _, t := range a.Limits.Trackers {
		s.asleep.add(t, x)
	}
}

// bar notes that a gang cannot land until anything changes, by the number of its first claim.
func (s *Walk) bar(first uint64) {
	if s.gangs.barred == nil || len(s.gangs.barred) > barredLimit {
		s.gangs.barred = map[uint64]uint64{}
	}
	s.gangs.barred[first] = s.state.LogEnd()
}

// barredLimit is how many gangs are remembered that could not land.
const barredLimit = 1024
