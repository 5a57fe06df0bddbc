// Package limit counts the usage of users and groups in the queues that limit them.
//
// A queue with limits has a Table. All applications of a user, or of a group, below the queue share a Tracker, which exists while there
// are any. So memory depends on the number of active users, not on the names in a configuration. Package state keeps the numbers up to
// date. Package schedule blocks asks until the usage of a tracker falls.
package limit

import (
	"math"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/access"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/resource"
)

// Table holds the limits of a queue, with the trackers of the users and groups that have applications below it.
type Table struct {
	Queue         string // path of the queue
	users, groups entries
}

// entries are the limits of users, or of groups.
type entries struct {
	byName   map[string]entry
	trackers map[string]*Tracker
}

// entry is the limit of a name.
type entry struct {
	limit *config.Limit
	place int // position among the names, in the order of the configuration
}

// NewTable makes the table of a queue. It returns nil if there are no limits.
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

// GroupOf returns the group of a user that the queue's limits name first, or else the wildcard if they name it, or else "".
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

// eachHolding calls do with the limits that apply to a user and to a group, which is empty for none.
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

// Join counts one more application of a user and a group, which is empty for none, and appends their trackers.
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

// Peek lists the trackers that Join would append, without counting an application. A tracker that does not exist yet is made only
// for the list.
func (t *Table) Peek(r *Registry, user, group string) (list []*Tracker) {
	t.eachHolding(user, group, func(l *config.Limit, name string, ofGroup bool) {
		list = append(list, t.tracker(r, l, name, ofGroup))
	})
	return list
}

// Of lists the limits that apply to a user and to a group, which is empty for none.
func (t *Table) Of(user, group string) (limits []*config.Limit) {
	t.eachHolding(user, group, func(l *config.Limit, _ string, _ bool) { limits = append(limits, l) })
	return limits
}

// tracker returns the existing tracker of a name, or a new one.
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

// Registry assigns IDs to the trackers of a partition.
type Registry struct {
	types *resource.Types
	slots index.Slots[Tracker]
}

// NewRegistry makes an empty registry over a table of types, which must contain the types of all limits.
func NewRegistry(types *resource.Types) *Registry { return &Registry{types: types} }

// Leave counts one application of a tracker less. The last one removes the tracker.
func (r *Registry) Leave(t *Tracker) {
	if t.apps--; t.apps == 0 {
		r.slots.Free(t.ID)
		delete(t.Table.of(t.Group), t.Name)
	}
}
