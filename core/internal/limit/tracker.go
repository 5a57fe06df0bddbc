package limit

import (
	"math"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/resource"
)

// Tracker counts what a user or a group uses below a queue, against the limit that holds for it there. Only what the limit names
// is counted: each allocation passes several trackers (workload fill-limits), and most limits name two types.
type Tracker struct {
	bounds   []bound
	few      [2]bound  // memory for bounds, in the line of the processor's cache that reading them takes anyway
	promises []promise // by bound; nil: there never were any

	ID     int32 // unlike that of any other tracker in the registry
	Group  bool  // of a group, else of a user
	places int   // held under maxapplications
	apps   int   // alive below the queue; never 0

	Name  string
	Table *Table
	limit *config.Limit
}

// bound is the limit of one type.
type bound struct {
	left int64 // the limit less what allocations use; below 0 where it was lowered
	lane int   // of the type
}

// promise is what of a type is about to change.
type promise struct {
	leaving int64 // used by victims that are to leave
	claimed int64 // by pending asks that have claims
	landing int64 // by pending tasks that placeholders leave for
}

// kept is what will be used more than now.
func (p *promise) kept() int64 {
	return max(0, resource.Sub(resource.Add(p.claimed, p.landing), p.leaving))
}

func newTracker(t *Table, name string, group bool, l *config.Limit, types *resource.Types) *Tracker {
	tracker := &Tracker{Table: t, Name: name, Group: group, limit: l}
	tracker.bounds = tracker.few[:0]
	for _, q := range l.MaxResources {
		lane, _ := types.Find(q.Type) // known, as the registry demands
		tracker.bounds = append(tracker.bounds, bound{q.Value, lane})
	}
	return tracker
}

// Trackers are those of an application.
type Trackers []*Tracker

// Bars returns the first that has no room for a demand beside what is used and kept, or nil.
func (list Trackers) Bars(demand resource.Vec) *Tracker {
	for _, t := range list { // all in one loop: each allocation comes through here (workload fill-limits)
		bounds := t.bounds
		for i := range bounds {
			b := &bounds[i]
			if need := demand[b.lane]; need > b.left && need > 0 {
				return t
			}
		}
		if t.promises != nil && !t.Fits(demand) {
			return t
		}
	}
	return nil
}

// Narrow lowers the room of each type to what every limit leaves beside what is used and kept; below 0 where one was lowered.
func (list Trackers) Narrow(room resource.Vec) {
	for _, t := range list {
		for i := range t.bounds {
			lane := t.bounds[i].lane
			room[lane] = min(room[lane], t.room(i))
		}
	}
}

// Use counts what an allocation uses that was made.
func (list Trackers) Use(demand resource.Vec) {
	for _, t := range list {
		bounds := t.bounds
		for i := range bounds {
			b := &bounds[i]
			b.left -= demand[b.lane] // the sum of what is used is exact (see package state), and so is this
		}
	}
}

// Fits reports whether the limit has room for a demand beside what is used and kept.
func (t *Tracker) Fits(demand resource.Vec) bool {
	for i := range t.bounds {
		if need := demand[t.bounds[i].lane]; need > 0 && t.room(i) < need {
			return false
		}
	}
	return true
}

// FitsLeast is Fits for a demand that is negated.
func (t *Tracker) FitsLeast(negated []int64) bool {
	for i := range t.bounds {
		if d := negated[t.bounds[i].lane]; d < 0 && d != math.MinInt64 && t.room(i) < -d {
			return false
		}
	}
	return true
}

// FitsNow is Fits for asks with claims: what is kept for such asks does not count, what is for tasks does.
// More counts as used (nil: nothing does).
func (t *Tracker) FitsNow(demand, more resource.Vec) bool {
	for i, b := range t.bounds {
		left := b.left
		if more != nil {
			left = resource.Sub(left, more[b.lane])
		}
		if t.promises != nil {
			left = resource.Sub(left, max(0, resource.Sub(t.promises[i].landing, t.promises[i].leaving)))
		}
		if need := demand[b.lane]; need > left && need > 0 {
			return false
		}
	}
	return true
}

// FitsWithout is Fits once what a placeholder of the application holds is gone; nil: as things are.
func (t *Tracker) FitsWithout(demand, held resource.Vec) bool {
	for i := range t.bounds {
		lane, room := t.bounds[i].lane, t.room(i)
		if held != nil {
			room = resource.Add(room, held[lane])
		}
		if need := demand[lane]; need > 0 && room < need {
			return false
		}
	}
	return true
}

// TakesWith reports whether the limit holds with an application that comes: now is what it uses, later what it will once those
// have left that are to leave, and those have landed that wait for them. A type that it does not use is not asked about.
func (t *Tracker) TakesWith(now, later resource.Vec) bool {
	for i, b := range t.bounds {
		left := b.left
		if t.promises != nil {
			p := &t.promises[i]
			left = resource.Sub(resource.Add(left, p.leaving), resource.Add(p.claimed, p.landing))
		}
		if now[b.lane] > 0 && (now[b.lane] > b.left || later[b.lane] > left) {
			return false
		}
	}
	return true
}

// room is what a bound leaves beside what is used and kept.
func (t *Tracker) room(i int) int64 {
	if t.promises == nil {
		return t.bounds[i].left
	}
	return resource.Sub(t.bounds[i].left, t.promises[i].kept())
}

// MayBar reports whether the limit may keep an ask out, given the largest ask of each type.
func (t *Tracker) MayBar(largest resource.Vec) bool {
	for i := range t.bounds {
		if t.room(i) < largest[t.bounds[i].lane] {
			return true
		}
	}
	return false
}

// Free counts what an allocation used that has ended.
func (t *Tracker) Free(demand resource.Vec) {
	for i := range t.bounds {
		t.bounds[i].left += demand[t.bounds[i].lane]
	}
}

// Leave counts a victim that is to leave, or one less where it has left.
func (t *Tracker) Leave(demand resource.Vec, more bool) {
	t.promise(demand, more, func(p *promise) *int64 { return &p.leaving })
}

// CountClaim counts the demand of a pending ask that has a claim, or takes it back.
func (t *Tracker) CountClaim(demand resource.Vec, more bool) {
	t.promise(demand, more, func(p *promise) *int64 { return &p.claimed })
}

// Land counts a pending task that a placeholder leaves for, or one less where it is not so any more.
func (t *Tracker) Land(demand resource.Vec, more bool) {
	t.promise(demand, more, func(p *promise) *int64 { return &p.landing })
}

func (t *Tracker) promise(demand resource.Vec, more bool, sum func(*promise) *int64) {
	if t.promises == nil {
		t.promises = make([]promise, len(t.bounds))
	}
	for i := range t.bounds {
		amount := sum(&t.promises[i])
		if more {
			*amount = resource.Add(*amount, demand[t.bounds[i].lane])
		} else {
			*amount = resource.Sub(*amount, demand[t.bounds[i].lane])
		}
	}
}

// Amount is how a limit stands in one type.
type Amount struct {
	Limit int64
	Taken int64 // what counts as used: what is used and kept
	Room  int64 // below 0 where the limit was lowered
}

// Of is how the limit stands in a type; bounded is false where it names none.
func (t *Tracker) Of(lane int) (a Amount, bounded bool) {
	for i, q := range t.limit.MaxResources {
		if t.bounds[i].lane == lane {
			return Amount{q.Value, resource.Sub(q.Value, t.room(i)), t.room(i)}, true
		}
	}
	return Amount{}, false
}

// Share is the largest share, over the types that the limit names, of what it allows that allocations use; bounded is false where
// it names none.
func (t *Tracker) Share() (share int64, bounded bool) {
	for i, q := range t.limit.MaxResources {
		share = max(share, resource.Share(resource.Sub(q.Value, t.bounds[i].left), q.Value))
	}
	return share, len(t.bounds) > 0
}

// Share is the largest Share of the limits of the user, or of those of the group.
func (list Trackers) Share(group bool) (share int64, bounded bool) {
	for _, t := range list {
		if t.Group != group {
			continue
		}
		of, bounds := t.Share()
		share, bounded = max(share, of), bounded || bounds
	}
	return share, bounded
}

// Last reports whether only one application is alive that the limit counts.
func (t *Tracker) Last() bool { return t.apps == 1 }

// Occupy counts places that applications have taken or, below 0, given back.
func (t *Tracker) Occupy(places int) { t.places += places }

// Full reports whether the limit is at its maxapplications: applications that have yet to start wait.
func (t *Tracker) Full() bool {
	return t.limit.MaxApplications > 0 && uint64(t.places) >= t.limit.MaxApplications
}

// Places is how many applications hold a place.
func (t *Tracker) Places() int { return t.places }

// Limit is the entry of the configuration that holds.
func (t *Tracker) Limit() *config.Limit { return t.limit }
