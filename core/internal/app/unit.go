package app

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// LeavesAsUnit reports whether it is a gang whose members are not preempted one by one: a set of victims contains at most its surplus, or
// all of its members. A property of its queue may say otherwise.
func (g AtomicGang) LeavesAsUnit() bool {
	return g.atomicGang != nil && g.row.Placed && !g.row.Dissolved && g.row.Disrupt != core.DisruptMember
}

// Surplus returns how many of its members may leave while the others run on. A broken gang has none.
func (g *atomicGang) Surplus() int {
	if g.row.Disrupt == core.DisruptWhole {
		return 0
	}
	return max(0, g.row.Staying-max(0, g.Need()))
}

// RepairEnds returns when the gang ends if it stays broken. ok is false if it is not, or if its repair is not bounded.
func (g *atomicGang) RepairEnds() (at time.Duration, ok bool) {
	return instant.Add(g.row.BrokenSince, g.row.Repair.Within), g.row.Broken && g.row.Repair.Bounded
}
