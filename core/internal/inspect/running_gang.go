package inspect

import (
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
)

// runningGang describes the gang of an allocation, or returns nil if it belongs to none that was allocated.
func (s *View) runningGang(ask app.Ask) *explain.RunningGang {
	g := ask.Atomic()
	if g.IsNone() || !g.Row().Placed {
		return nil
	}
	row := g.Row()
	e := &explain.RunningGang{ID: row.ID, Running: row.Staying, Min: max(0, g.Need()), Surplus: g.Surplus()}
	if e.ByMember = !s.LeavesAsUnit(ask); e.ByMember {
		e.Surplus = row.Staying
	}
	return e
}
