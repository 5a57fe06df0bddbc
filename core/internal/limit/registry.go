package limit

import (
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/resource"
)

// Registry has the counters of a partition. Whoever has it can change them; readers of the state have Trackers.
type Registry struct {
	types    *resource.Types
	slots    index.Slots[Counter] // by ID of their trackers
	byMember map[member]*Counter
}

// member is a user or a group below a queue with limits.
type member struct {
	table *table
	name  string
	group bool
}

// NewRegistry makes an empty registry over a table of types, which must contain the types of all limits.
func NewRegistry(types *resource.Types) *Registry {
	return &Registry{types: types, byMember: map[member]*Counter{}}
}

// Join counts one more application of a user and a group, which is empty for none, and appends their trackers below a queue.
func (r *Registry) Join(list Trackers, t Table, user, group string) Trackers {
	t.eachHolding(user, group, func(l *config.Limit, name string, ofGroup bool) {
		c := r.counter(t.table, l, name, ofGroup)
		if c.apps++; c.apps == 1 {
			c.id = r.slots.Take(c)
			r.byMember[c.member()] = c
		}
		list.list = append(list.list, &c.tracker)
	})
	return list
}

// Peek lists the trackers that Join would append, without counting an application. A tracker that does not exist yet is made only
// for the list.
func (r *Registry) Peek(t Table, user, group string) (list []Tracker) {
	t.eachHolding(user, group, func(l *config.Limit, name string, ofGroup bool) {
		list = append(list, Tracker{&r.counter(t.table, l, name, ofGroup).tracker})
	})
	return list
}

// counter returns the existing counter of a name, or a new one.
func (r *Registry) counter(t *table, l *config.Limit, name string, group bool) *Counter {
	if c := r.byMember[member{t, name, group}]; c != nil {
		return c
	}
	return newCounter(t, name, group, l, r.types)
}

func (t *tracker) member() member { return member{t.table, t.name, t.group} }

// Counter returns the counter behind a tracker of the registry.
func (r *Registry) Counter(t Tracker) *Counter { return r.slots.Items[t.id] }

// Use adds a new allocation to the usage of an application's trackers.
func (r *Registry) Use(list Trackers, demand resource.Amounts) {
	for _, t := range list.list {
		bounds := r.slots.Items[t.id].bounds
		for i := range bounds {
			b := &bounds[i]
			b.left -= demand.At(b.lane) // this does not overflow, since the sum of all usage does not (see package state)
		}
	}
}

// Leave counts one application of a tracker less. The last one removes the tracker.
func (r *Registry) Leave(t Tracker) {
	c := r.Counter(t)
	if c.apps--; c.apps == 0 {
		r.slots.Free(c.id)
		delete(r.byMember, c.member())
	}
}
