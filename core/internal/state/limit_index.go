package state

import (
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/policy"
)

// limitIndex lists the applications that each limit counts. It is there while a policy reads how much of their limits users or
// groups use: what one application uses then changes the columns of all of them.
type limitIndex struct {
	apps  map[*limit.Tracker]*index.Slots[app.App]
	slots map[*app.App][]int32 // in apps, by the trackers of the application
}

// indexLimits makes the index of all applications, unless there is one.
func (s *State) indexLimits() {
	if s.limitIndex != nil {
		return
	}
	s.limitIndex = &limitIndex{apps: map[*limit.Tracker]*index.Slots[app.App]{}, slots: map[*app.App][]int32{}}
	for _, l := range s.Leaves {
		if l != nil {
			l.Apps(func(a *app.App) bool { s.limitIndex.add(a); return true })
		}
	}
}

// indexLimitsForRanks makes the index if the policy that ranks victims reads how much of limits is used.
func (s *State) indexLimitsForRanks() {
	if ranks := s.RankPolicy(); ranks != nil && ranks.Module.Points[policy.VictimRank].Reads(policy.ColumnKind.OfLimit) {
		s.indexLimits()
	}
}

func (x *limitIndex) add(a *app.App) {
	if a.Limits == nil {
		return
	}
	slots := make([]int32, 0, len(a.Limits.Trackers))
	for _, t := range a.Limits.Trackers {
		apps := x.apps[t]
		if apps == nil {
			apps = &index.Slots[app.App]{}
			x.apps[t] = apps
		}
		slots = append(slots, apps.Take(a))
	}
	x.slots[a] = slots
}

// remove takes out an application whose limits are about to end for it.
func (x *limitIndex) remove(a *app.App) {
	for i, t := range a.Limits.Trackers {
		if t.Last() {
			delete(x.apps, t)
		} else {
			x.apps[t].Free(x.slots[a][i])
		}
	}
	delete(x.slots, a)
}

// AppsAt calls yield with the applications that a limit counts, in no order. It is for those who follow LimitUsage.
func (s *State) AppsAt(t *limit.Tracker, yield func(*app.App)) {
	if s.limitIndex == nil || s.limitIndex.apps[t] == nil {
		return
	}
	for _, a := range s.limitIndex.apps[t].Items {
		if a != nil {
			yield(a)
		}
	}
}

// noteLimitUsage notes that what an application uses has changed at its limits. Callers look for the index: hardly ever is there one,
// and each allocation passes them (workload fill-limits).
func (s *State) noteLimitUsage(a *app.App) {
	for _, t := range a.Limits.Trackers {
		s.note(LimitUsage).Limit = t
	}
}
