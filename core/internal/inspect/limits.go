package inspect

import (
	"cmp"
	"slices"
	"sort"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/resource"
)

// limitLacks lists the user and group limits that exclude an ask, each from leaf to root: first those of resources, then those of
// applications. beside is assumed to be used in addition; nil is none.
func (s *View) limitLacks(ask app.Ask, beside resource.Vec) []explain.LimitShortfall {
	l := ask.App().Limits()
	if l.IsNone() || ask.Hold().IsClaimed() { // the claim already counts against the limits
		return nil
	}
	var out []explain.LimitShortfall
	for t := range l.Trackers().All {
		for _, need := range ask.Class().Resources() {
			lane := s.lane(need.Type)
			amount, bounded := t.Of(lane)
			if beside != nil {
				amount.Room, amount.Taken = resource.Sub(amount.Room, beside[lane]), resource.Add(amount.Taken, beside[lane])
			}
			if held := s.walk.HeldAt(ask, t); held.Len() > 0 {
				amount.Room, amount.Taken = resource.Sub(amount.Room, held.At(lane)), resource.Add(amount.Taken, held.At(lane))
			}
			if missing := resource.Sub(need.Value, amount.Room); bounded && missing > 0 {
				out = append(out, explain.LimitShortfall{
					Reason: either(t, explain.WaitUserLimit, explain.WaitGroupLimit), Queue: s.shown(t), Name: t.Name(), Type: need.Type,
					Limit: amount.Limit, Used: amount.Taken, Missing: missing, Milli: need.Milli,
				})
			}
		}
	}
	return append(out, s.fullLimits(ask.App())...)
}

// fullLimits lists the user and group limits whose maxapplications keeps the application from starting, from leaf to root.
func (s *View) fullLimits(a app.App) []explain.LimitShortfall {
	if a.LacksPlace().IsNone() {
		return nil
	}
	var out []explain.LimitShortfall
	for t := range a.Limits().Trackers().All {
		if t.Full() {
			most, used := int64(t.MaxApplications()), int64(t.Places())
			out = append(out, explain.LimitShortfall{
				Reason: either(t, explain.WaitUserMaxApps, explain.WaitGroupMaxApps), Queue: s.shown(t), Name: t.Name(),
				Limit: most, Used: used, Missing: used - most + 1,
			})
		}
	}
	return out
}

// shown returns the displayed path of a tracker's queue.
func (s *View) shown(t limit.Tracker) string { return core.ShownPath(s.Shown(), t.Queue()) }

func either(t limit.Tracker, user, group core.Reason) core.Reason {
	if t.OfGroup() {
		return group
	}
	return user
}

// limitReasons returns those of the codes that occur in a list.
func limitReasons(list []explain.LimitShortfall, codes ...core.Reason) []core.Reason {
	var out []core.Reason
	for _, code := range codes {
		if slices.ContainsFunc(list, func(l explain.LimitShortfall) bool { return l.Reason == code }) {
			out = append(out, code)
		}
	}
	return out
}

// LimitUsage lists what users and groups use of the limits that apply to them, by queue, users before groups, then by name.
func (s *View) LimitUsage() []core.LimitUsage {
	used := map[limit.Tracker]resource.Vec{} // a tracker itself counts only the types that its limit names
	for a := range s.Asks().Apps {
		if a.Limits().IsNone() {
			continue
		}
		for t := range a.Limits().Trackers().All {
			if used[t] == nil {
				used[t] = make(resource.Vec, s.Types().Width())
			}
			used[t].Add(a.Used().Amounts())
		}
	}
	out := make([]core.LimitUsage, 0, len(used))
	for t, sum := range used {
		out = append(out, core.LimitUsage{
			Partition: s.Shown(), Queue: t.Queue(), Group: t.OfGroup(), Name: t.Name(), Used: s.Types().Set(sum, 0), Max: t.MaxResources(),
			Applications: t.Places(), MaxApplications: t.MaxApplications(),
		})
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		if a.Queue == b.Queue && a.Group != b.Group {
			return b.Group
		}
		return cmp.Or(cmp.Compare(a.Queue, b.Queue), cmp.Compare(a.Name, b.Name)) < 0
	})
	return out
}

// Limited reports whether any queue has user or group limits.
func (s *View) Limited() bool {
	for q := range s.Queues().All {
		if !s.Queues().Limits(q).IsNone() {
			return true
		}
	}
	return false
}

// AppLimits lists the limits that apply to an application and their usage, from leaf to root. It is empty if no live application has
// the ID.
func (s *View) AppLimits(id string) []core.LimitUsage {
	a := s.Asks().AppWithID(id)
	if a.IsNone() || a.Limits().IsNone() {
		return nil
	}
	out := make([]core.LimitUsage, 0, a.Limits().Trackers().Len())
	for t := range a.Limits().Trackers().All {
		u := core.LimitUsage{
			Partition: s.Shown(), Queue: t.Queue(), Group: t.OfGroup(), Name: t.Name(), Max: t.MaxResources(),
			Applications: t.Places(), MaxApplications: t.MaxApplications(),
		}
		for _, most := range t.MaxResources() {
			amount, _ := t.Of(s.lane(most.Type))
			u.Used = append(u.Used, resource.Quantity{Type: most.Type, Value: amount.Taken, Milli: most.Milli})
		}
		out = append(out, u)
	}
	return out
}
