package preempt

import (
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/policy"
)

// staleRows records which allocations' columns changed since the policy was last asked about them. The allocations are looked up only
// before a search for victims, since usage changes with each allocation.
type staleRows struct {
	limits, groups, gangs, walltimes bool // kinds of columns that the policy reads and that change while an allocation runs

	all   bool
	limit distinct[limit.Tracker] // the allocations of all applications that the tracker counts
	app   distinct[app.App]
}

// distinct is a list without duplicates.
type distinct[T comparable] struct {
	list  []T
	known map[T]bool
}

func (d *distinct[T]) add(x T) {
	if d.known[x] {
		return
	}
	if d.known == nil {
		d.known = map[T]bool{}
	}
	d.known[x] = true
	d.list = append(d.list, x)
}

func (s *staleRows) follow(a *policy.Acting) {
	spec := a.Module.Points[policy.VictimRank]
	s.limits, s.gangs = spec.Reads(policy.ColumnKind.OfLimit), spec.Reads(policy.ColumnKind.OfGang)
	s.walltimes = spec.Reads(policy.ColumnKind.OfWalltime)
	s.groups = s.limits || spec.Reads(func(k policy.ColumnKind) bool { return k == policy.GroupCode })
}

// follows reports whether the policy reads a column that may change while an allocation runs.
func (s *staleRows) follows() bool { return s.groups || s.gangs || s.walltimes }

// takeIn records the columns that a change affects. If the records outnumber the allocations, all allocations are marked instead.
func (s *staleRows) takeIn(c state.Change, allocations int) {
	if s.all {
		return
	}
	switch c.Kind() {
	case state.LimitUsage:
		if s.limits {
			s.limit.add(c.Limit())
		}
	case state.AppMoved, state.AppTransferred:
		if s.groups {
			s.app.add(c.App())
		}
	case state.AskPending, state.AskGone, state.AllocationMade, state.AllocationEnded:
		if s.gangs && c.InGang() {
			s.app.add(c.App())
		}
	case state.UnitChanged:
		if s.gangs || s.walltimes {
			s.app.add(c.App())
		}
	}
	if len(s.limit.list)+len(s.app.list) > allocations {
		s.forget()
		s.all = true
	}
}

// touchStale marks the allocations whose columns may have changed, so that the policy is asked about them again.
func (r *ranks) touchStale() {
	s := &r.stale
	if s.all {
		r.table.TouchAll()
	} else {
		for _, t := range s.limit.list {
			r.s.state.AppsAt(t, s.app.add)
		}
		for _, a := range s.app.list {
			r.touchApp(a)
		}
	}
	s.forget()
}

func (s *staleRows) forget() {
	s.all, s.limit, s.app = false, distinct[limit.Tracker]{}, distinct[app.App]{}
}

func (r *ranks) touchApp(a app.App) {
	for v := a.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
		if row, known := r.rows[v.Slot()]; known {
			r.table.Touch(row)
		}
	}
}
