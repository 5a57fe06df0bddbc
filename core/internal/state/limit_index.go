package state

import (
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/policy"
)

// limitIndex lists the applications that each limit counts. It exists only while a policy reads the usage of the limits of users or groups:
// the usage of one application then changes the columns of all of them.
type limitIndex struct {
	apps  map[limit.Tracker]*index.Slots[app.Record]
	slots map[app.App][]int32 // slots in apps, in the order of the application's trackers
}

// indexLimits builds the index of all applications, unless it exists.
func (s *State) indexLimits() {
	if s.limitIndex != nil {
		return
	}
	s.limitIndex = &limitIndex{apps: map[limit.Tracker]*index.Slots[app.Record]{}, slots: map[app.App][]int32{}}
	for _, l := range s.leaves {
		if l != nil {
			l.Apps(func(a app.App) bool { s.limitIndex.add(s.edit(a)); return true })
		}
	}
}

// indexLimitsForRanks builds the index if the policy that ranks victims reads the usage of limits.
func (s *State) indexLimitsForRanks() {
	if ranks := s.RankPolicy(); ranks != nil && ranks.Module.Points[policy.VictimRank].Reads(policy.ColumnKind.OfLimit) {
		s.indexLimits()
	}
}

func (x *limitIndex) add(a *app.Record) {
	if a.Limits().IsNone() {
		return
	}
	slots := make([]int32, 0, a.Limits().Trackers().Len())
	for t := range a.Limits().Trackers().All {
		apps := x.apps[t]
		if apps == nil {
			apps = &index.Slots[app.Record]{}
			x.apps[t] = apps
		}
		slots = append(slots, apps.Take(a))
	}
	x.slots[a.App()] = slots
}

// remove removes an application that is about to leave its limits.
func (x *limitIndex) remove(a app.App) {
	i := 0
	for t := range a.Limits().Trackers().All {
		if t.Last() {
			delete(x.apps, t)
		} else {
			x.apps[t].Free(x.slots[a][i])
		}
		i++
	}
	delete(x.slots, a)
}

// AppsAt calls yield with the applications that a limit counts, in no particular order. It serves followers of LimitUsage.
func (s *State) AppsAt(t limit.Tracker, yield func(app.App)) {
	if s.limitIndex == nil || s.limitIndex.apps[t] == nil {
		return
	}
	for _, a := range s.limitIndex.apps[t].Items {
		if a != nil {
			yield(a.App())
		}
	}
}

// noteLimitUsage records that the usage of an application's limits has changed. Callers check for the index themselves, since it rarely
// exists and each allocation passes here (workload fill-limits).
func (s *State) noteLimitUsage(a app.App) {
	for t := range a.Limits().Trackers().All {
		s.note(LimitUsage).limit = t
	}
}
