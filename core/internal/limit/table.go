// Package limit counts what users and groups use in the queues that limit them.
//
// A queue with limits has a Table. The first application of a user, or of a group, that comes below the queue gets a Tracker
// there, which the others share and which goes with the last: memory follows the users that are alive, not those that a
// configuration names. Package state keeps the numbers; package schedule lets asks sleep until those of a tracker fall.
package limit

import (
	"math"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/access"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/resource"
)

// Table is the limits of a queue, with the trackers of the users and groups that have an application below it.
type Table struct {
	Queue         string // its path
	users, groups entries
}

// entries are the limits of users, or those of groups.
type entries struct {
	byName   map[string]entry
	trackers map[string]*Tracker
}

// entry is where a name stands.
type entry struct {
	limit *config.Limit
	place int // among the names, in the order of the configuration
}

// NewTable makes the table of a queue; nil where there are no limits.
func NewTable(queue string, limits []config.Limit) *Table {
	if len(limits) == 0 {
		return nil
	}
	t := &Table{Queue: queue}
	for i := range limits {
		t.users.add(limits[i].Users, &limits[i])
		t.groups.add(limits[i].Groups, &limits[i])
	}
	return t
}

func (e *entries) add(names []string, l *config.Limit) {
	if e.byName == nil {
		e.byName, e.trackers = map[string]entry{}, map[string]*Tracker{}
	}
	for _, name := range names {
		if _, taken := e.byName[name]; !taken {
			e.byName[name] = entry{l, len(e.byName)}
		}
	}
}

// GroupOf is the one of a user's groups that the queue names first, or else the wildcard if the queue limits it; empty:
// neither.
func (t *Table) GroupOf(groups []string) string {
	first, chosen := math.MaxInt, ""
	for _, g := range groups {
		if e, named := t.groups.byName[g]; named && g != access.Wildcard && e.place < first {
			first, chosen = e.place, g
		}
	}
	if _, all := t.groups.byName[access.Wildcard]; all && chosen == "" {
		return access.Wildcard
	}
	return chosen
}

// eachHolding calls do with the limits that hold for a user and for a group, empty for none.
func (t *Table) eachHolding(user, group string, do func(l *config.Limit, name string, ofGroup bool)) {
	e, named := t.users.byName[user]
	if !named {
		e, named = t.users.byName[access.Wildcard]
	}
	if named {
		do(e.limit, user, false)
	}
	if e, named = t.groups.byName[group]; named {
		do(e.limit, group, true)
	}
}

// Join appends the trackers of a user and of a group, empty for none, for one more application of theirs.
func (t *Table) Join(list []*Tracker, r *Registry, user, group string) []*Tracker {
	t.eachHolding(user, group, func(l *config.Limit, name string, ofGroup bool) {
		tracker := t.tracker(r, l, name, ofGroup)
		if tracker.apps++; tracker.apps == 1 {
			tracker.ID = r.slots.Take(tracker)
			t.of(ofGroup)[name] = tracker
		}
		list = append(list, tracker)
	})
	return list
}

// Peek lists the trackers that Join would append, without one more application: one that is not there yet counts nothing, and is
// not kept.
func (t *Table) Peek(r *Registry, user, group string) (list []*Tracker) {
	t.eachHolding(user, group, func(l *config.Limit, name string, ofGroup bool) {
		list = append(list, t.tracker(r, l, name, ofGroup))
	})
	return list
}

// Of lists the limits that hold for a user and for a group, empty for none.
func (t *Table) Of(user, group string) (limits []*config.Limit) {
	t.eachHolding(user, group, func(l *config.Limit, _ string, _ bool) { limits = append(limits, l) })
	return limits
}

// tracker is the one that is there, or a new one.
func (t *Table) tracker(r *Registry, l *config.Limit, name string, group bool) *Tracker {
	if tracker := t.of(group)[name]; tracker != nil {
		return tracker
	}
	return newTracker(t, name, group, l, r.types)
}

func (t *Table) of(group bool) map[string]*Tracker {
	if group {
		return t.groups.trackers
	}
	return t.users.trackers
}

// Registry has all trackers.
type Registry struct {
	types *resource.Types
	slots index.Slots[Tracker]
}

// NewRegistry makes an empty registry over a table of types, which must know those of every limit.
func NewRegistry(types *resource.Types) *Registry { return &Registry{types: types} }

// Leave counts one application of a tracker less; the last one ends the tracker.
func (r *Registry) Leave(t *Tracker) {
	if t.apps--; t.apps == 0 {
		r.slots.Free(t.ID)
		delete(t.Table.of(t.Group), t.Name)
	}
}
