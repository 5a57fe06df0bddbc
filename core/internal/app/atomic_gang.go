package app

import (
	"math"
	"slices"
	"sort"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/gangs"
	"github.com/quern-project/quern/core/resource"
)

// AtomicGang reads a set of asks of one application. Its first Need members are allocated together, or not at all. A gang exists while
// it has members, pending or allocated. The zero value is no gang.
type AtomicGang struct{ *atomicGang }

// IsNone reports whether it is no gang.
func (g AtomicGang) IsNone() bool { return g.atomicGang == nil }

type atomicGang struct {
	row    AtomicRow
	number int32 // in the rows of its members; 0 is of none
}

// AtomicRow is the state of an atomic gang.
type AtomicRow struct {
	ID        string
	Min       int           // number of members that must be allocated or have succeeded
	Max       int           // the most members at a time; 0: no bound
	Timeout   time.Duration // from Since; 0: it waits without limit
	Fallback  bool          // after Timeout, its members become ordinary asks instead of being rejected
	Repair    core.Repair
	Disrupt   core.Disruption
	Topology  core.Topology  // that of each member
	Bound     class.Topology // of its pending members, if a level is required: that of its domain once it is placed
	Since     time.Duration  // when its first member was submitted
	Seq       uint64         // of its first member; unique among gangs
	Placed    bool           // it was allocated, and further members are ordinary asks
	Succeeded int            // number of succeeded members, including earlier gangs with this ID; constant while the gang waits
	Members   int            // number of members, pending and allocated

	Set         string             // of gangs that start together; empty if it waits for itself
	SetMin      int                // number of gangs of the set that start together
	SetStarted  bool               // they have started, so that it waits for itself
	SucceededIn readonly.List[int] // by slice: number of succeeded members
	Staying     int                // number of members that are allocated and not leaving, or for which a placeholder is leaving

	Whole       bool          // enough members were there at some time since it was placed
	Dissolved   bool          // its timeout made its members ordinary asks, each a victim for itself
	Broken      bool          // it was whole, and too few members are left
	BrokenSince time.Duration // while it is broken
	BrokenBy    core.Reason   // likewise: the first cause
	Judge       bool          // it has to be judged
	Wanting     int           // Missing when the roles of its pending members were last chosen
	Lost        core.Reason   // why members are gone since it was last judged: the first cause, or empty
	Restored    bool          // a restored member has made it placed, and it has not been judged since

	RestsUntil time.Duration // before then it does not accumulate room, since it has done so for long enough
	Pending    int
	Resting    int    // of Pending: those that wait for placeholders of the application, or to replace one
	Claims     int    // number of members with a claim
	Version    uint64 // incremented by each change of its pending members
}

// Number returns the number that rows of its members contain.
func (g *atomicGang) Number() int32 { return g.number }

// Row returns its current state.
func (g *atomicGang) Row() AtomicRow { return g.row }

// Need returns the number of members that are allocated together. It is at least 1 while the gang waits.
func (g *atomicGang) Need() int { return g.row.Min - g.row.Succeeded }

// count adds to the number of pending members. Call it with 0 after a change of a member.
func (g *atomicGang) count(ask Ask, more int) {
	g.row.Pending += more
	if ask.WaitsForGang() {
		g.row.Resting += more
	}
	g.row.Version++
}

// addResting adds a pending member that waits for placeholders or, if begins is false, removes one.
func (g *atomicGang) addResting(begins bool) {
	if begins {
		g.row.Resting++
	} else {
		g.row.Resting--
	}
}

// Ends returns when the gang's timeout expires. ok is false if no timeout runs.
func (g *atomicGang) Ends() (at time.Duration, ok bool) {
	return instant.Add(g.row.Since, g.row.Timeout), g.row.Timeout > 0 && !g.row.Placed && g.row.Members > 0
}

// Complete reports whether the gang can be tried: enough members are ready, and none has a claim.
func (g *atomicGang) Complete() bool { return g.Ready() >= g.Need() && g.row.Claims == 0 }

// Waits reports whether the gang waits for being allocated.
func (g *atomicGang) Waits() bool { return !g.row.Placed && g.row.Pending > 0 }

// WaitsForSet reports whether the gang waits for being allocated together with other gangs of its set.
func (g *atomicGang) WaitsForSet() bool { return g.row.Set != "" && !g.row.SetStarted && g.Waits() }

// Ready returns the number of pending members that wait only for the other members and for room.
func (g *atomicGang) Ready() int { return g.row.Pending - g.row.Resting }

// WaitingGang returns the gang with which a pending ask is allocated together, or none if it is allocated alone.
func (a Ask) WaitingGang() AtomicGang { return AtomicGang{a.waitingGang()} }

func (a Ask) waitingGang() *atomicGang {
	g := a.atomic()
	if g == nil || g.row.Placed {
		return nil
	}
	return g
}

// GangOf returns the gang that a candidate of the application represents, or none if it represents the asks of its class.
func (a *application) GangOf(candidate Ask) AtomicGang {
	if len(a.atomicGangs) == 0 {
		return AtomicGang{}
	}
	return AtomicGang{a.gangOf(candidate)}
}

func (a *application) gangOf(candidate Ask) *atomicGang {
	g := a.group(candidate)
	if g.gang == nil {
		return nil
	}
	return g.gang.of
}

// gangGroup is the part of an askGroup that only groups of waiting gangs have. Their asks may be of several classes, so the row of
// the group describes a lower bound of its members: it passes a search if any member might.
type gangGroup struct {
	of         *atomicGang
	bits       uint64       // superset of the members' classes
	least      resource.Vec // lower bound of the members' demands
	reopen     bool         // a member was removed, so the others may fit now
	hidden     bool         // see App.HideGang
	narrowedAt uint64       // Version of the gang when the bounds were last computed from all members
	triedAt    uint64       // event number of the last RecordGangTry
}

// RecordGangTry records the event number, from 1, at which the candidate's gang was last tried and did not fit.
func (a Ask) RecordGangTry(moment uint64) { a.group().gang.triedAt = moment }

// GangTriedAt reports whether the gang was last tried at an event number.
func (a Ask) GangTriedAt(moment uint64) bool { return a.group().gang.triedAt == moment }

// gangHold is the hold in the key of a waiting gang's group. The key contains the gang's Seq instead of a class ID.
const gangHold = replacing + 1

func gangKey(g *atomicGang) uint64 { return g.row.Seq<<holdBits | uint64(gangHold) }

// groupOfMember returns the group of a pending ask that may belong to a gang. It makes the group if necessary.
func (a *application) groupOfMember(ask Ask, r *asks.Ask) *askGroup {
	of := ask.waitingGang()
	if of == nil || ask.WaitsForGang() {
		return a.groupFor(ask, r)
	}
	g := a.groupOfGang(of)
	g.gang.include(ask)
	return g
}

func (a *application) groupOfGang(of *atomicGang) *askGroup {
	if a.groups == nil {
		a.startGroups()
	}
	if g := a.groups.find(gangKey(of)); g != nil {
		if g.empty() {
			g.blockedBy = 0 // its Sleepers ended with its former members
		}
		return g
	}
	g := a.groups.newGroup()
	g.begin(a.asks, class.Class{}, ordinary, nil, independent)
	g.gang = &gangGroup{of: of, least: make(resource.Vec, a.leaf.types.Width())}
	g.gang.least.Fill(resource.Most)
	a.groups.add(g)
	return g
}

// include extends the bounds of the group's row to a member.
func (g *gangGroup) include(ask Ask) {
	if g.of.row.Set != "" && !g.of.row.SetStarted { // other gangs of the set may fit although none of its members does
		g.bits = class.AllBits
		g.least.Fill(0)
		return
	}
	c := ask.Class()
	g.bits |= c.Bit()
	for t, d := range c.Demand().All {
		g.least[t] = min(g.least[t], d)
	}
}

// narrow computes the bounds of the group's row from its current members.
func (g *askGroup) narrow() {
	g.gang.bits = 0
	g.gang.least.Fill(resource.Most)
	g.each(func(ask Ask) bool { g.gang.include(ask); return true })
}

func (g *gangGroup) describe(r *demandrow.Row, priority int32) {
	r.Class(g.bits, g.least.Amounts(), 0, priority)
	r.NoReserve()
	if !g.of.Complete() || g.hidden {
		r.Hide()
	}
}

// key identifies the group in its application: by gang, or by class and hold.
func (g *askGroup) key() uint64 {
	if g.gang != nil {
		return gangKey(g.gang.of)
	}
	return groupKey(g.class, g.standing, g.tasks, g.role)
}

// EachMember calls yield with the pending members of the candidate's gang, in order.
func (a *application) EachMember(candidate Ask, yield func(Ask) bool) {
	g := a.group(candidate)
	if !g.inHeap { // its lists are in order
		g.each(yield)
		return
	}
	h := &g.heap.asks
	list := make([]entry, len(h.entries))
	copy(list, h.entries)
	sort.Slice(list, func(i, j int) bool { return h.before(&list[i], &list[j]) })
	for i := range list {
		if !yield(Ask{g.in, list[i].ask}) {
			return
		}
	}
}

// FailGang records that the candidate's gang failed in a shrink epoch. Shrink epoch 0 clears the record.
func (a *application) FailGang(candidate Ask, shrinkEpoch uint64) {
	if g := a.group(candidate); g.gang.narrowedAt != g.gang.of.row.Version {
		g.narrow()
		g.gang.narrowedAt = g.gang.of.row.Version
	}
	a.FailAsk(candidate, shrinkEpoch)
}

// FirstOfGang returns the first pending member of a waiting gang in the order of asks, or none if none is sorted in.
func (a *application) FirstOfGang(of AtomicGang) Ask {
	if a.groups == nil {
		return Ask{}
	}
	g := a.groups.find(gangKey(of.atomicGang))
	if g == nil || g.empty() {
		return Ask{}
	}
	return g.head()
}

// Reopen makes searches try the group of an ask again, for a reason other than more room. It reports false if the ask is not sorted in.
func (a *application) Reopen(ask Ask, shrinkEpoch uint64) bool {
	g := a.group(ask)
	if g == nil {
		return false
	}
	a.groupChanged(g, shrinkEpoch)
	a.retry()
	a.leaf.queue(a)
	return true
}

// ReopenGang makes searches try a waiting gang again. It reports false if none of its members is sorted in.
func (a *application) ReopenGang(of AtomicGang, shrinkEpoch uint64) bool {
	if a.groups == nil {
		return false
	}
	g := a.groups.find(gangKey(of.atomicGang))
	if g == nil || g.empty() {
		return false
	}
	a.groupChanged(g, shrinkEpoch)
	a.retry()
	a.leaf.queue(a)
	return true
}

// Regroup sorts the pending members of a gang in again: as ordinary asks after it was allocated, or as one if it waits again.
func (a *Record) Regroup(g AtomicGang) {
	if g.row.Pending == 0 {
		return
	}
	var rest []Ask
	a.Pending(func(ask Ask) bool {
		if ask.atomic() == g.atomicGang {
			rest = append(rest, ask)
		}
		return true
	})
	slices.SortFunc(rest, func(x, y Ask) int { // in order of submission, they are appended
		if x.Seq() < y.Seq() {
			return -1
		}
		return 1
	})
	for _, ask := range rest {
		a.updateAsk(ask)
	}
}

// Most returns an upper bound of the sum of Need members that each ask for at most some amount.
func (g *atomicGang) Most(demand int64) int64 {
	if demand > math.MaxInt64/int64(g.Need()) {
		return math.MaxInt64
	}
	return demand * int64(g.Need())
}

// Together makes one ask that represents several asks of an application. It is not pending in the application.
func Together(a App, c class.Class, priority int32) Ask {
	owner := asks.New()
	in := NewOwner(owner.View(), apps.View{}, gangs.View{}, class.Only(c))
	r := asks.Ask{Priority: priority}
	if a.IsNone() {
		in.apps = []*application{nil}
	} else {
		in.apps, in.values, in.gangValues, r.App = a.asks.apps, a.asks.values, a.asks.gangValues, int32(a.number)
	}
	return in.Begin(owner.Add("", r))
}
