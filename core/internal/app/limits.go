package app

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/resource"
)

// Limits are those of an application's user, and of the group that it counts for.
type Limits struct {
	Group    string         // empty: it counts for none
	Trackers limit.Trackers // from its leaf to root, the user's before the group's; not empty

	asleep uint64 // the number of the Sleeper by which the application waits for a place; 0: it does not
}

// FitsNow reports whether every limit has room for a class beside what is used, and some more (nil: none); what is kept for asks
// does not count.
func (l *Limits) FitsNow(c *class.Class, more resource.Vec) bool {
	for _, t := range l.Trackers {
		if !t.FitsNow(c.Demand, more) {
			return false
		}
	}
	return true
}

// FitsWithout reports whether every limit has room for a class once what a placeholder holds is gone; nil: as things are.
func (l *Limits) FitsWithout(c *class.Class, held resource.Vec) bool {
	for _, t := range l.Trackers {
		if !t.FitsWithout(c.Demand, held) {
			return false
		}
	}
	return true
}

// Full returns the first limit that is at its maxapplications, or nil.
func (l *Limits) Full() *limit.Tracker {
	for _, t := range l.Trackers {
		if t.Full() {
			return t
		}
	}
	return nil
}

// WithinLimits reports whether the limits of the application, if there are any, have room for a class.
func (a *App) WithinLimits(c *class.Class) bool {
	return a.Limits == nil || a.Limits.Trackers.Bars(c.Demand) == nil
}

// LacksPlace returns the limit at its maxapplications that keeps the application from starting, or nil.
func (a *App) LacksPlace() *limit.Tracker {
	if a.Limits == nil || a.HasPlace() {
		return nil
	}
	return a.Limits.Full()
}
