package app

import (
	"time"

	"github.com/quern-project/quern/core/internal/class"
)

// appEntry is a copy of the order's entry of an application with one group and without keys. The zero value is of no application.
type appEntry struct {
	app             *application
	class           class.Class
	bit             uint64
	oldest          time.Duration
	failed, changed uint64
	priority        int32
	role            role
	mayReserve      bool
	hasPlace        bool
	hidden          bool
}

// update makes it the entry of an application, and reports whether any field changed. It compares field by field, since building an
// entry to compare costs several times as much.
func (e *appEntry) update(a *application) bool {
	g := &a.onlyGroup
	changed, priority := max(a.changed, g.changed), g.priority()
	oldest, mayReserve := g.reservable()
	state, claims := a.asks.values.Status(a.number)
	hasPlace, hidden := a.hasPlace(state, claims), g.hidden() || a.ineligible || !a.leaf.passes(a, state) || a.isBlocked()
	if e.app == a && e.class == g.class && e.bit == g.class.Bit() && e.failed == a.failed && e.changed == changed && e.priority == priority && e.role == g.role &&
		e.oldest == oldest && e.mayReserve == mayReserve && e.hasPlace == hasPlace && e.hidden == hidden {
		return false
	}
	e.app, e.class, e.bit, e.failed, e.changed, e.priority = a, g.class, g.class.Bit(), a.failed, changed, priority
	e.role = g.role
	e.oldest, e.mayReserve, e.hasPlace, e.hidden = oldest, mayReserve, hasPlace, hidden
	return true
}
