package app

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/resource"
)

// Limits reads the limits of an application's user, and of the group that the application counts for. The zero value is none.
type Limits struct{ *limits }

// IsNone reports whether there are no limits.
func (l Limits) IsNone() bool { return l.limits == nil }

type limits struct {
	group    string         // empty if it counts for none
	trackers limit.Trackers // from its leaf to root, at each queue the user's before the group's; not empty

	blockedBy uint64 // number of the Blocked while the whole application is blocked by maxapplications; 0: not blocked
}

// Limits returns the limits that apply to the application, or none.
func (a *application) Limits() Limits { return Limits{a.limits} }

// Group returns the group that the application counts for, or an empty string.
func (l *limits) Group() string { return l.group }

// Trackers returns the trackers of the limits.
func (l *limits) Trackers() limit.Trackers { return l.trackers }

// FitsNow reports whether every limit has room for a class and more, which may be nil, in addition to current usage. Claims do not
// count.
func (l *limits) FitsNow(c class.Class, more resource.Vec) bool {
	for t := range l.trackers.All {
		if !t.FitsNow(c.Demand(), more) {
			return false
		}
	}
	return true
}

// FitsWithout reports whether every limit has room for a class once the amounts held by a placeholder are released. held may be empty.
func (l *limits) FitsWithout(c class.Class, held resource.Amounts) bool {
	for t := range l.trackers.All {
		if !t.FitsWithout(c.Demand(), held) {
			return false
		}
	}
	return true
}

// Full returns the first limit that is at its maxapplications, or none.
func (l *limits) Full() limit.Tracker {
	for t := range l.trackers.All {
		if t.Full() {
			return t
		}
	}
	return limit.Tracker{}
}

// WithinLimits reports whether all limits of the application have room for a class.
func (a *application) WithinLimits(c class.Class) bool {
	return a.limits == nil || a.limits.trackers.Bars(c.Demand()).IsNone()
}

// LacksPlace returns the limit at its maxapplications that keeps the application from starting, or none.
func (a *application) LacksPlace() limit.Tracker {
	if a.limits == nil || a.HasPlace() {
		return limit.Tracker{}
	}
	return a.limits.Full()
}

// WithinSum reports whether all limits of the application have room for amounts by type.
func (a *application) WithinSum(sum resource.Vec) bool {
	return a.limits == nil || a.limits.trackers.Bars(sum.Amounts()).IsNone()
}
