package inspect

import (
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
)

// runningGang describes the gang of an allocation, or returns nil if it belongs to none that was allocated.
func (s *View) runningGang(ask app.Ask) *explain.RunningGang {
	g := ask.Atomic()
	if g.IsNone() || !g.Row().Placed {
		return s.runningApp(ask)
	}
	row := g.Row()
	e := &explain.RunningGang{ID: row.ID, Running: row.Staying, Min: max(0, g.Need()), Surplus: g.Surplus()}
	if e.ByMember = !s.LeavesAsUnit(ask); e.ByMember {
		e.Surplus = row.Staying
	}
	return e
}

// runningApp describes the application of an allocation if its placeholders have it preempted as one, or returns nil.
func (s *View) runningApp(ask app.Ask) *explain.RunningGang {
	if !ask.LeavesAsUnit() {
		return nil
	}
	e := &explain.RunningGang{ByMember: !s.LeavesAsUnit(ask)}
	for u := range ask.Units {
		for range u.Staying {
			e.Running++
		}
	}
	s.Gangs().Kept(ask.App().Number(), s.Types(), func(lane int, has, declared int64) {
		e.Keeps = append(e.Keeps, explain.Kept{Type: s.Types().Name(lane), Has: has, Min: declared, Milli: s.Types().IsMilli(lane)})
	})
	return e
}
