package state

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// joinLimits finds the limits that apply to an application in its leaf and above, and counts the application's usage there.
func (s *State) joinLimits(a app.App) {
	tree, leaf := s.Queues(), QueueOfApp(a)
	group, known := "", false
	var list limit.Trackers
	for q := leaf; q != queues.None; q = tree.Parent(q) {
		if limits := tree.Limits(q); !limits.IsNone() {
			if !known { // most applications have no limits, and need no group
				group, known = groupOf(tree, leaf, a.Groups()), true
			}
			list = s.limits.Join(list, limits, a.User(), group)
		}
	}
	s.edit(a).SetLimits(group, list)
	if list.Len() == 0 {
		return
	}
	s.limits.Use(list, a.Used().Amounts())
	for t := range list.All {
		for ask := a.FirstPlaced(); !ask.IsNone() && s.Departures().Len()+s.Replacements().Notices() > 0; ask = ask.NextOfApp() {
			if ask.Leaving() {
				s.limits.Counter(t).AddLeaving(ask.Class().Demand(), true)
			}
		}
		a.Pending(func(ask app.Ask) bool {
			if ask.Hold().IsClaimed() {
				s.limits.Counter(t).AddClaim(ask.Class().Demand(), true)
			}
			if _, waits := s.Replacements().Of(ask.Slot()); waits {
				s.limits.Counter(t).AddReplacing(ask.Class().Demand(), true)
			}
			return a.Claims() > 0 || a.HasGang()
		})
		if HoldsPlace(a) {
			s.limits.Counter(t).AddPlaces(1)
		}
	}
	if s.limitIndex != nil {
		s.limitIndex.add(s.edit(a))
		s.noteLimitUsage(a)
	}
}

// groupOf returns the one group under which the applications of a user with these groups count in a leaf: the first queue from the leaf to
// root that limits one of them, or all groups, decides. It returns an empty string if none does.
func groupOf(tree queues.View, leaf queues.ID, groups []string) string {
	for q := leaf; q != queues.None; q = tree.Parent(q) {
		if limits := tree.Limits(q); !limits.IsNone() {
			if g := limits.GroupOf(groups); g != "" {
				return g
			}
		}
	}
	return ""
}

// leaveLimits removes an application without asks and allocations from its limits.
func (s *State) leaveLimits(a app.App) {
	if a.Limits().IsNone() {
		return
	}
	if s.limitIndex != nil {
		s.noteLimitUsage(a)
		s.limitIndex.remove(a)
	}
	for t := range a.Limits().Trackers().All {
		s.note(LimitOpened).limit = t // no ask is blocked any more at a limit that ends
		s.limits.Leave(t)
	}
	s.edit(a).SetLimits("", limit.Trackers{})
}

// quitLimits subtracts an application's usage from its limits, and removes it from them. leaving is the demand of its leaving allocations;
// landing is that of its tasks with leaving placeholders.
func (s *State) quitLimits(a app.App, leaving, landing resource.Vec) {
	if a.Limits().IsNone() {
		return
	}
	for t := range a.Limits().Trackers().All {
		s.limits.Counter(t).Free(a.Used().Amounts())
		s.limits.Counter(t).AddLeaving(leaving.Amounts(), false)
		s.limits.Counter(t).AddReplacing(landing.Amounts(), false)
		if HoldsPlace(a) {
			s.limits.Counter(t).AddPlaces(-1)
		}
	}
	s.leaveLimits(a)
}

// noteFullLimits records the limits that are full after an application with a place has joined them.
func (s *State) noteFullLimits(a app.App) {
	if a.Limits().IsNone() || !HoldsPlace(a) {
		return
	}
	for t := range a.Limits().Trackers().All {
		if t.Full() {
			s.note(LimitFull).limit = t
		}
	}
}

// limitsEntered returns the limits that would apply to an application in another leaf, and do not count it now: those of the queues below
// the common ancestor, and those of another group than its current one.
func (s *State) limitsEntered(a app.App, to, common queues.ID) (list []limit.Tracker) {
	tree := s.Queues()
	group, before, entered := groupOf(tree, to, a.Groups()), "", true
	if !a.Limits().IsNone() {
		before = a.Limits().Group()
	}
	for q := to; q != queues.None; q = tree.Parent(q) {
		entered = entered && q != common
		limits := tree.Limits(q)
		if limits.IsNone() {
			continue
		}
		for _, t := range s.limits.Peek(limits, a.User(), group) {
			if entered || t.OfGroup() && group != before {
				list = append(list, t)
			}
		}
	}
	return list
}

// reasonBy returns the reason for a limit of a user or of a group.
func reasonBy(t limit.Tracker, user, group core.Reason) core.Reason {
	if t.OfGroup() {
		return group
	}
	return user
}

// renewLimits determines the limits of each application and their usage after the tree was rebuilt.
func (s *State) renewLimits() {
	s.limits, s.limitIndex = limit.NewRegistry(s.types), nil
	for _, l := range s.leaves {
		if l != nil {
			l.Apps(func(a app.App) bool { s.joinLimits(a); return true })
		}
	}
}

// limitFell records that the usage or the number of applications of a limit is about to fall, if the limit may have blocked something.
func (s *State) limitFell(t limit.Tracker) {
	if t.Full() || t.MayBar(s.classes.Largest()) {
		s.note(LimitOpened).limit = t
	}
}

// countFreed subtracts an allocation from the limits of its application.
func (s *State) countFreed(a app.App, demand resource.Amounts) {
	for t := range a.Limits().Trackers().All {
		s.limitFell(t)
		s.limits.Counter(t).Free(demand)
	}
}

// countLimitLeaving adds or subtracts a leaving allocation at the limits of its application.
func (s *State) countLimitLeaving(v app.Ask, more bool) {
	if v.App().Limits().IsNone() {
		return
	}
	for t := range v.App().Limits().Trackers().All {
		if more {
			s.limitFell(t)
		}
		s.limits.Counter(t).AddLeaving(v.Class().Demand(), more)
	}
}

// countLimitClaim adds or subtracts an ask with a claim at the limits of its application.
func (s *State) countLimitClaim(ask app.Ask, more bool) {
	if ask.App().Limits().IsNone() {
		return
	}
	for t := range ask.App().Limits().Trackers().All {
		if !more {
			s.limitFell(t)
		}
		s.limits.Counter(t).AddClaim(ask.Class().Demand(), more)
	}
}

// countLanding adds or subtracts a task with a leaving placeholder at the limits of its application.
func (s *State) countLanding(task app.Ask, more bool) {
	if task.App().Limits().IsNone() {
		return
	}
	for t := range task.App().Limits().Trackers().All {
		if !more {
			s.limitFell(t)
		}
		s.limits.Counter(t).AddReplacing(task.Class().Demand(), more)
	}
}

// countLimitPlaces adds places, or subtracts them if places is negative, at the limits of an application.
func (s *State) countLimitPlaces(a app.App, places int) {
	if a.Limits().IsNone() {
		return
	}
	for t := range a.Limits().Trackers().All {
		full := t.Full()
		s.limits.Counter(t).AddPlaces(places)
		switch {
		case full && !t.Full():
			s.note(LimitOpened).limit = t
		case !full && t.Full():
			s.note(LimitFull).limit = t
		}
	}
}

// limitedTypes returns the amounts in a queue's configuration.
func limitedTypes(q *config.Queue) []resource.Set {
	sets := []resource.Set{q.Guaranteed, q.Max}
	for i := range q.Limits {
		sets = append(sets, q.Limits[i].MaxResources)
	}
	return sets
}
