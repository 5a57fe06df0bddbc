package limit

import (
	"math"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/resource"
)

// Tracker reads the usage of a user or a group below a queue, against its limit there. The zero value is no tracker.
type Tracker struct{ *tracker }

// IsNone reports whether it is no tracker.
func (t Tracker) IsNone() bool { return t.tracker == nil }

// tracker counts the usage. Only the types that the limit names are counted, since each allocation passes several trackers (workload
// fill-limits), and most limits name two types.
type tracker struct {
	bounds []bound
	inline [2]bound    // memory for bounds, in the same cache line
	future []futureUse // by bound; nil if there never was any

	id     int32 // unique in the registry
	group  bool  // it is of a group, not of a user
	places int   // number of applications that count under maxapplications
	apps   int   // number of applications below the queue; never 0

	name  string
	table *table
	limit *config.Limit
}

// Counter is a Tracker that can be changed. Only a Registry hands it out.
type Counter struct{ tracker }

// bound is the limit of one type.
type bound struct {
	left int64 // the limit minus the usage of allocations; negative after the limit was lowered
	lane int   // index of the type
}

// futureUse is the future change of the usage of a type.
type futureUse struct {
	leaving   int64 // used by leaving allocations
	claimed   int64 // sum of pending asks with claims
	replacing int64 // sum of pending tasks that replace leaving placeholders
}

// additional returns the usage that will be added to the current one, at least 0.
func (p *futureUse) additional() int64 {
	return max(0, resource.Sub(resource.Add(p.claimed, p.replacing), p.leaving))
}

func newCounter(t *table, name string, group bool, l *config.Limit, types *resource.Types) *Counter {
	c := &Counter{tracker{table: t, name: name, group: group, limit: l}}
	c.bounds = c.inline[:0]
	for _, q := range l.MaxResources {
		lane, _ := types.Find(q.Type) // known, see NewRegistry
		c.bounds = append(c.bounds, bound{q.Value, lane})
	}
	return c
}

// ID returns its number, which is unique in the partition while the tracker exists.
func (t *tracker) ID() int32 { return t.id }

// OfGroup reports whether it is of a group, not of a user.
func (t *tracker) OfGroup() bool { return t.group }

// Name returns the name of its user or group.
func (t *tracker) Name() string { return t.name }

// Queue returns the path of its queue.
func (t *tracker) Queue() string { return t.table.queue }

// Trackers are the trackers of an application.
type Trackers struct{ list []*tracker }

// Len returns their number.
func (list Trackers) Len() int { return len(list.list) }

// All calls yield with each of them, in order.
func (list Trackers) All(yield func(Tracker) bool) {
	for _, t := range list.list {
		if !yield(Tracker{t}) {
			return
		}
	}
}

// Bars returns the first tracker without room for a demand in addition to current and future usage, or none.
func (list Trackers) Bars(demand resource.Amounts) Tracker {
	for _, t := range list.list { // a single loop, since each allocation runs it (workload fill-limits)
		bounds := t.bounds
		for i := range bounds {
			b := &bounds[i]
			if need := demand.At(b.lane); need > b.left && need > 0 {
				return Tracker{t}
			}
		}
		if t.future != nil && !t.Fits(demand) {
			return Tracker{t}
		}
	}
	return Tracker{}
}

// Narrow lowers the room of each type to what every limit leaves. It may become negative if a limit was lowered.
func (list Trackers) Narrow(room resource.Vec) {
	for _, t := range list.list {
		for i := range t.bounds {
			lane := t.bounds[i].lane
			room[lane] = min(room[lane], t.room(i))
		}
	}
}

// NarrowBeside is Narrow of one limit if more were used.
func (t *tracker) NarrowBeside(room, more resource.Vec) {
	for i := range t.bounds {
		lane := t.bounds[i].lane
		room[lane] = min(room[lane], resource.Sub(t.room(i), more[lane]))
	}
}

// Fits reports whether the limit has room for a demand in addition to current and future usage.
func (t *tracker) Fits(demand resource.Amounts) bool {
	for i := range t.bounds {
		if need := demand.At(t.bounds[i].lane); need > 0 && t.room(i) < need {
			return false
		}
	}
	return true
}

// FitsBeside is Fits if more were used.
func (t *tracker) FitsBeside(demand resource.Amounts, more resource.Vec) bool {
	for i := range t.bounds {
		lane := t.bounds[i].lane
		if need := demand.At(lane); need > 0 && resource.Sub(t.room(i), more[lane]) < need {
			return false
		}
	}
	return true
}

// FitsLeast is Fits for a negated demand.
func (t *tracker) FitsLeast(negated []int64) bool {
	for i := range t.bounds {
		if d := negated[t.bounds[i].lane]; d < 0 && d != math.MinInt64 && t.room(i) < -d {
			return false
		}
	}
	return true
}

// FitsNow is Fits for asks with claims: claims do not count, but tasks that replace placeholders do. more is added to the usage; it may
// be nil.
func (t *tracker) FitsNow(demand resource.Amounts, more resource.Vec) bool {
	for i, b := range t.bounds {
		left := b.left
		if more != nil {
			left = resource.Sub(left, more[b.lane])
		}
		if t.future != nil {
			left = resource.Sub(left, max(0, resource.Sub(t.future[i].replacing, t.future[i].leaving)))
		}
		if need := demand.At(b.lane); need > left && need > 0 {
			return false
		}
	}
	return true
}

// FitsWithout is Fits once the amounts held by a placeholder are released. held may be empty.
func (t *tracker) FitsWithout(demand, held resource.Amounts) bool {
	for i := range t.bounds {
		lane, room := t.bounds[i].lane, t.room(i)
		if held.Len() > 0 {
			room = resource.Add(room, held.At(lane))
		}
		if need := demand.At(lane); need > 0 && room < need {
			return false
		}
	}
	return true
}

// FitsMoved reports whether the limit still holds if an application is added. now is its current usage, and later its usage after
// leaving allocations have left and the asks that replace them are allocated. Types that it does not use are not checked.
func (t *tracker) FitsMoved(now, later resource.Vec) bool {
	for i, b := range t.bounds {
		left := b.left
		if t.future != nil {
			p := &t.future[i]
			left = resource.Sub(resource.Add(left, p.leaving), resource.Add(p.claimed, p.replacing))
		}
		if now[b.lane] > 0 && (now[b.lane] > b.left || later[b.lane] > left) {
			return false
		}
	}
	return true
}

// room returns what a bound leaves in addition to current and future usage.
func (t *tracker) room(i int) int64 {
	if t.future == nil {
		return t.bounds[i].left
	}
	return resource.Sub(t.bounds[i].left, t.future[i].additional())
}

// MayBar reports whether the limit may bar an ask, given the largest ask of each type.
func (t *tracker) MayBar(largest resource.Amounts) bool {
	for i := range t.bounds {
		if t.room(i) < largest.At(t.bounds[i].lane) {
			return true
		}
	}
	return false
}

// Free removes an ended allocation from the usage.
func (t *Counter) Free(demand resource.Amounts) {
	for i := range t.bounds {
		t.bounds[i].left += demand.At(t.bounds[i].lane)
	}
}

// AddLeaving adds a leaving allocation or, if more is false, removes one.
func (t *Counter) AddLeaving(demand resource.Amounts, more bool) {
	t.addFuture(demand, more, func(p *futureUse) *int64 { return &p.leaving })
}

// AddClaim adds a pending ask with a claim or, if more is false, removes one.
func (t *Counter) AddClaim(demand resource.Amounts, more bool) {
	t.addFuture(demand, more, func(p *futureUse) *int64 { return &p.claimed })
}

// AddReplacing adds a pending task whose placeholder is leaving or, if more is false, removes one.
func (t *Counter) AddReplacing(demand resource.Amounts, more bool) {
	t.addFuture(demand, more, func(p *futureUse) *int64 { return &p.replacing })
}

func (t *Counter) addFuture(demand resource.Amounts, more bool, sum func(*futureUse) *int64) {
	if t.future == nil {
		t.future = make([]futureUse, len(t.bounds))
	}
	for i := range t.bounds {
		amount := sum(&t.future[i])
		if more {
			*amount = resource.Add(*amount, demand.At(t.bounds[i].lane))
		} else {
			*amount = resource.Sub(*amount, demand.At(t.bounds[i].lane))
		}
	}
}

// Amount is a limit of one type and its usage.
type Amount struct {
	Limit int64
	Taken int64 // current and future usage
	Room  int64 // negative if the limit was lowered
}

// Of returns the limit of a type and its usage. bounded is false if the limit does not name the type.
func (t *tracker) Of(lane int) (a Amount, bounded bool) {
	for i, q := range t.limit.MaxResources {
		if t.bounds[i].lane == lane {
			return Amount{q.Value, resource.Sub(q.Value, t.room(i)), t.room(i)}, true
		}
	}
	return Amount{}, false
}

// Share returns the largest used share of the limit, over the types that it names. bounded is false if it names none.
func (t *tracker) Share() (share int64, bounded bool) {
	for i, q := range t.limit.MaxResources {
		share = max(share, resource.Share(resource.Sub(q.Value, t.bounds[i].left), q.Value))
	}
	return share, len(t.bounds) > 0
}

// Share returns the largest Share of the user's limits, or of the group's.
func (list Trackers) Share(group bool) (share int64, bounded bool) {
	for _, t := range list.list {
		if t.group != group {
			continue
		}
		of, bounds := t.Share()
		share, bounded = max(share, of), bounded || bounds
	}
	return share, bounded
}

// Last reports whether the limit counts only one application.
func (t *tracker) Last() bool { return t.apps == 1 }

// AddPlaces changes the number of applications that count under maxapplications.
func (t *Counter) AddPlaces(places int) { t.places += places }

// Full reports whether the limit is at its maxapplications, so that no further application may start.
func (t *tracker) Full() bool {
	return t.limit.MaxApplications > 0 && uint64(t.places) >= t.limit.MaxApplications
}

// Places returns the number of applications that count under maxapplications.
func (t *tracker) Places() int { return t.places }

// MaxApplications returns the limit of applications that may run; 0: unlimited.
func (t *tracker) MaxApplications() uint64 { return t.limit.MaxApplications }

// MaxResources returns the limits of types.
func (t *tracker) MaxResources() resource.Set { return t.limit.MaxResources }
