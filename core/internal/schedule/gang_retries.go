package schedule

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/resource"
)

// A failed gang is tried again when a node or a queue has more room, like any ask. It is also tried again when a limit has more room and,
// for some gangs, whenever anything has changed.

type reopeningGang struct {
	app  app.App
	gang app.AtomicGang
}

// reopenOnChange has a gang tried again whenever anything has changed.
func (s *Walk) reopenOnChange(a app.App, g app.AtomicGang) {
	r := reopeningGang{a, g}
	if !slices.Contains(s.gangs.reopening, r) {
		s.gangs.reopening = append(s.gangs.reopening, r)
	}
}

// reopenGangs reopens the gangs in reopening if anything has changed since the last call.
func (s *Walk) reopenGangs() {
	w := &s.gangs
	if w.reopenedAt == s.state.LogEnd() {
		return
	}
	w.reopenedAt = s.state.LogEnd()
	w.reopening = slices.DeleteFunc(w.reopening, func(r reopeningGang) bool {
		if !r.gang.Waits() || !r.app.ReopenGang(r.gang, s.state.ShrinkEpoch()) {
			return true
		}
		s.order.MarkChanged(queueOf(r.app.Leaf()))
		return false
	})
	s.Sync()
}

// mayFitLater reports whether the gang may fit after room has shrunk: if
// a chosen member no longer fits by itself, another one takes its place.
func (x *gangSearch) mayFitLater() bool {
	if len(x.chosen) < x.need || len(x.pending) == x.need {
		return false
	}
	first := x.pending[0]
	return slices.ContainsFunc(x.pending, func(ask app.Ask) bool { return ask.Class() != first.Class() || ask.Priority() != first.Priority() })
}

// holdsLeast reports whether sums permit the smallest members of a gang to fit. If not, less room cannot make the gang fit, whichever
// members are chosen.
func (s *Walk) holdsLeast(x *gangSearch, a app.App) bool {
	s.headroomOf(a)
	least, amounts := make(resource.Vec, x.width), make([]int64, len(x.pending))
	s.progress.Spend(len(x.pending) * x.width)
	for t := range x.width {
		for i, ask := range x.pending {
			amounts[i] = ask.Class().Demand().At(t)
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
		for n := range s.state.Nodes().Sorted().All {
			if sum <= 0 {
				break
			}
			s.progress.Spend(1)
			sum -= s.roomOf(n, t)
		}
		if sum > 0 {
			return false
		}
	}
	return s.hasRoomFor(least, int64(x.gang.Need()))
}

// hasRoomFor reports whether the nodes have room for count asks of an amount, none of them split over nodes.
func (s *Walk) hasRoomFor(amount resource.Vec, count int64) bool {
	for n := range s.state.Nodes().Sorted().All {
		s.progress.Spend(1)
		most := count
		for t, need := range amount {
			if need > 0 {
				most = min(most, s.roomOf(n, t)/need)
			}
		}
		if count -= most; count <= 0 {
			return true
		}
	}
	return false
}

// roomOf returns the free amount of a type on a node for asks without claims.
func (s *Walk) roomOf(n int32, t int) int64 {
	if !s.state.Nodes().Available(n) {
		return 0
	}
	return s.state.Nodes().Free(n, t)
}

// failGang records the failure of the gang of which an ask is the first pending member. Any limit of its application may be the cause, so
// the gang is listed at all of them.
func (s *Walk) failGang(ask app.Ask) {
	a := ask.App()
	a.FailGang(ask, s.state.ShrinkEpoch())
	if a.Limits().IsNone() || a.GangIsBlocked(ask) {
		return
	}
	x := a.Block(ask, s.blocked.number())
	for t := range a.Limits().Trackers().All {
		s.blocked.add(t, x)
	}
}

// bar records that a gang cannot be allocated until something changes. first is the Seq of its first claim.
func (s *Walk) bar(first uint64) {
	if s.gangs.barred == nil || len(s.gangs.barred) > barredLimit {
		s.gangs.barred = map[uint64]uint64{}
	}
	s.gangs.barred[first] = s.state.LogEnd()
}

// barredLimit limits the size of gangWalk.barred.
const barredLimit = 1024
