package limit

import (
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/resource"
)

// Tracker counts what a user or a group uses below a queue, against the limit that holds for it there.
type Tracker struct {
	room resource.Vec // what the limit leaves beside what is used and kept, below 0 where it was lowered; resource.Most: no bound
	used resource.Vec // by allocations below the queue
	most resource.Vec // the limit; resource.Unlimited where it names no amount

	leaving, awaited resource.Vec // of used: by victims that are to leave; by asks that nodes are kept for; nil: there never were any

	ID     int32 // unlike that of any other tracker in the registry
	Group  bool  // of a group, else of a user
	places int   // held under maxapplications
	apps   int   // alive below the queue; never 0

	Name  string
	Table *Table
	limit *config.Limit
}

// measure makes the vectors as wide as the table of types.
func (t *Tracker) measure(types *resource.Types) {
	width := types.Width()
	memory := make(resource.Vec, 3*width)
	copy(memory[width:], t.used)
	t.room, t.used, t.most = memory[:width:width], memory[width:2*width:2*width], memory[2*width:]
	t.most.Fill(resource.Unlimited)
	types.Write(t.most, t.limit.MaxResources)
	if t.awaited != nil {
		t.leaving, t.awaited = t.leaving.Widen(width, 0), t.awaited.Widen(width, 0)
	}
	for lane := range t.room {
		t.setRoom(lane)
	}
}

func (t *Tracker) setRoom(lane int) {
	if t.most[lane] == resource.Unlimited {
		t.room[lane] = resource.Most
		return
	}
	t.room[lane] = resource.Sub(t.most[lane], t.Taken(lane))
}

// Taken is what counts as used of a type: what is used now or, where that is more, what will be used once victims have left
// and the asks that nodes are kept for have been allocated.
func (t *Tracker) Taken(lane int) int64 {
	if t.awaited == nil {
		return t.used[lane]
	}
	return resource.Add(t.used[lane], max(0, resource.Sub(t.awaited[lane], t.leaving[lane])))
}

// Fits reports whether the limit has room for the class beside what counts as used.
func (t *Tracker) Fits(c *class.Class) bool { return c.Fits(t.room) }

// FitsNow is Fits without what is kept: for asks that it is kept for.
func (t *Tracker) FitsNow(c *class.Class) bool {
	for _, n := range c.Needs {
		if t.most[n.Lane] != resource.Unlimited && resource.Sub(t.most[n.Lane], t.used[n.Lane]) < n.Min {
			return false
		}
	}
	return true
}

// MayBar reports whether the limit may keep an ask out, given the largest ask of each type.
func (t *Tracker) MayBar(largest resource.Vec) bool {
	for lane, room := range t.room {
		if room < largest[lane] {
			return true
		}
	}
	return false
}

// Use counts an allocation that was made.
func (t *Tracker) Use(c *class.Class) {
	for _, n := range c.Needs {
		t.used[n.Lane] = resource.Add(t.used[n.Lane], n.Min)
		t.setRoom(n.Lane)
	}
}

// Free counts an allocation that has ended.
func (t *Tracker) Free(c *class.Class) {
	for _, n := range c.Needs {
		t.used[n.Lane] = resource.Sub(t.used[n.Lane], n.Min)
		t.setRoom(n.Lane)
	}
}

// Leave counts a victim that is to leave, or one less where it has left.
func (t *Tracker) Leave(demand resource.Vec, more bool) {
	t.makePromises()
	change(t.leaving, demand, more)
	t.setRooms()
}

// Await counts a pending ask that a node is kept for, or one less where it is not any more.
func (t *Tracker) Await(demand resource.Vec, more bool) {
	t.makePromises()
	change(t.awaited, demand, more)
	t.setRooms()
}

// makePromises makes room for what most trackers never have.
func (t *Tracker) makePromises() {
	if t.awaited == nil {
		t.leaving, t.awaited = make(resource.Vec, len(t.used)), make(resource.Vec, len(t.used))
	}
}

func change(sum, demand resource.Vec, more bool) {
	if more {
		sum.Add(demand)
	} else {
		sum.Sub(demand)
	}
}

func (t *Tracker) setRooms() {
	for lane := range t.room {
		t.setRoom(lane)
	}
}

// Occupy counts places that applications have taken or, below 0, given back.
func (t *Tracker) Occupy(places int) { t.places += places }

// Full reports whether the limit is at its maxapplications: applications that have yet to start wait.
func (t *Tracker) Full() bool {
	return t.limit.MaxApplications > 0 && uint64(t.places) >= t.limit.MaxApplications
}

// Used is what allocations use, by type.
func (t *Tracker) Used() resource.Vec { return t.used }

// Max is the limit of a type, resource.Unlimited where there is none.
func (t *Tracker) Max(lane int) int64 { return t.most[lane] }

// Room is what the limit leaves of a type, below 0 where it was lowered; resource.Most where there is none.
func (t *Tracker) Room(lane int) int64 { return t.room[lane] }

// Places is how many applications hold a place.
func (t *Tracker) Places() int { return t.places }

// Limit is the entry of the configuration that holds.
func (t *Tracker) Limit() *config.Limit { return t.limit }
