package app

import (
	"math"
	"slices"
	"sort"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/resource"
)

// AtomicGang is a gang: asks of one application of which the first Need are placed by one decision, or none of them. It
// lives while it has members, pending or allocated.
type AtomicGang struct {
	ID        string
	Min       int           // members that are placed or have succeeded
	Timeout   time.Duration // from Since; 0: it waits for good
	Fallback  bool          // after Timeout its members are ordinary asks, instead of being rejected
	Since     time.Duration // when its first member came
	Seq       uint64        // of its first member, so no other gang has it
	Placed    bool          // its members are ordinary asks
	Succeeded int           // members that have, also of gangs of this ID that ended before; does not change while it waits
	Members   int           // pending and allocated
	Pending   int
	Resting   int    // of Pending: they wait for their application's placeholders, or for the place of one
	Claims    int    // of its members
	Version   uint64 // grows whenever its pending members change
}

// SucceededGang is how many members of a gang have succeeded that has none now.
type SucceededGang struct {
	ID    string
	Min   int // as AtomicGang.Min; 0: not known, since they succeeded before a restart
	Count int // 1 or more
}

// Need is how many members are placed together; 1 or more of a gang that waits.
func (g *AtomicGang) Need() int { return g.Min - g.Succeeded }

// count notes that so many more members are pending, or that one changed.
func (g *AtomicGang) count(ask *Ask, more int) {
	g.Pending += more
	if ask.Rests() {
		g.Resting += more
	}
	g.Version++
}

// rest notes that a pending member begins to wait for something beside the others, or ends to.
func (g *AtomicGang) rest(begins bool) {
	if begins {
		g.Resting++
	} else {
		g.Resting--
	}
}

// Ends is when the gang's time is over; ok is false where none is measured.
func (g *AtomicGang) Ends() (at time.Duration, ok bool) {
	return instant.Add(g.Since, g.Timeout), g.Timeout > 0 && !g.Placed && g.Members > 0
}

// Complete reports whether the gang may be tried: enough members wait for nothing else, and none has a claim.
func (g *AtomicGang) Complete() bool { return g.Ready() >= g.Need() && g.Claims == 0 }

// Waits reports whether the gang has yet to be placed.
func (g *AtomicGang) Waits() bool { return !g.Placed && g.Members > 0 }

// Ready is how many members wait for nothing but the others, and for room.
func (g *AtomicGang) Ready() int { return g.Pending - g.Resting }

// WaitingGang is the gang with which a pending ask waits; nil: it is placed by itself.
func (a *Ask) WaitingGang() *AtomicGang {
	if a.Atomic == nil || a.Atomic.Placed {
		return nil
	}
	return a.Atomic
}

// Gang is the gang that a candidate stands for; nil: it stands for asks of its class.
func (a *Ask) Gang() *AtomicGang {
	if a.group.gang == nil {
		return nil
	}
	return a.group.gang.of
}

// gangGroup is what the group of a waiting gang knows beside its asks, which are of several classes. Its row holds what any
// member could be placed by.
type gangGroup struct {
	of     *AtomicGang
	bits   uint64       // of at least the members' classes
	least  resource.Vec // at most what any member asks for
	reopen bool         // a member left: the others may fare better without it
	tried  uint64       // what TryGang was told
}

// TryGang notes the moment at which the candidate's gang was last tried and did not fit; moments are from 1.
func (a *Ask) TryGang(moment uint64) { a.group.gang.tried = moment }

// GangTriedAt reports whether that was at this moment.
func (a *Ask) GangTriedAt(moment uint64) bool { return a.group.gang.tried == moment }

// gangHold is the hold in the key of a waiting gang's group; its number takes the place of the class.
const gangHold = bound + 1

func gangKey(g *AtomicGang) uint64 { return g.Seq<<holdBits | uint64(gangHold) }

// groupOfMember finds or makes the group that a pending ask of a gang belongs to.
func (a *App) groupOfMember(ask *Ask) *askGroup {
	of := ask.WaitingGang()
	if of == nil || ask.Rests() {
		return a.groupFor(ask)
	}
	g := a.groupOfGang(of)
	g.gang.include(ask)
	return g
}

func (a *App) groupOfGang(of *AtomicGang) *askGroup {
	if a.groups == nil {
		a.groups = newAskGroups(0, len(a.Used))
		if !a.sole.empty() {
			a.groups.add(&a.sole)
			a.file(&a.sole)
		}
	}
	if g := a.groups.find(gangKey(of)); g != nil {
		if g.empty() {
			g.asleep = 0 // its Sleepers were forgotten with the members that were in it
		}
		return g
	}
	g := a.groups.take()
	g.begin(nil, ordinary, nil)
	g.gang = &gangGroup{of: of, least: make(resource.Vec, len(a.Used))}
	g.gang.least.Fill(resource.Most)
	a.groups.add(g)
	return g
}

// include widens what the group's row holds by a member.
func (g *gangGroup) include(ask *Ask) {
	g.bits |= ask.Class.Bit
	for t, d := range ask.Class.Demand {
		g.least[t] = min(g.least[t], d)
	}
}

// narrow works out again what the group's row holds.
func (g *askGroup) narrow() {
	g.gang.bits = 0
	g.gang.least.Fill(resource.Most)
	g.each(func(ask *Ask) bool { g.gang.include(ask); return true })
}

func (g *gangGroup) describe(r *pending.Row, priority int32) {
	r.Class(g.bits, g.least, 0, priority)
	r.NoReserve()
	if !g.of.Complete() {
		r.Hide()
	}
}

// key is what the group is found by: the gang, or the class and the hold.
func (g *askGroup) key() uint64 {
	if g.gang != nil {
		return gangKey(g.gang.of)
	}
	return groupKey(g.class, g.standing, g.tasks)
}

// EachMember calls yield with the pending members of the gang that a candidate stands for, in order.
func (a *App) EachMember(candidate *Ask, yield func(*Ask) bool) {
	g := candidate.group
	if !g.inHeap { // its lists are in order
		g.each(yield)
		return
	}
	h := &g.heap.asks
	list := make([]entry, len(h.entries))
	copy(list, h.entries)
	sort.Slice(list, func(i, j int) bool { return h.before(&list[i], &list[j]) })
	for i := range list {
		if !yield(list[i].ask) {
			return
		}
	}
}

// FailGang notes that the gang that a candidate stands for failed in this world; 0 takes it back.
func (a *App) FailGang(candidate *Ask, world uint64) {
	candidate.group.narrow()
	a.FailAsk(candidate, world)
}

// ReopenGang has a waiting gang looked at again, if it has members that were sorted in.
func (a *App) ReopenGang(of *AtomicGang, world uint64) bool {
	if a.groups == nil {
		return false
	}
	g := a.groups.find(gangKey(of))
	if g == nil || g.empty() {
		return false
	}
	a.groupChanged(g, world)
	a.failed = 0
	a.Leaf.queue(a)
	return true
}

// ReleaseMembers has the pending asks of a gang that was placed sorted in by themselves.
func (a *App) ReleaseMembers(g *AtomicGang) {
	if g.Pending == 0 {
		return
	}
	var rest []*Ask
	a.Pending(func(ask *Ask) bool {
		if ask.Atomic == g {
			rest = append(rest, ask)
		}
		return true
	})
	slices.SortFunc(rest, func(x, y *Ask) int { // asks that come in order of submission are appended
		if x.Seq < y.Seq {
			return -1
		}
		return 1
	})
	for _, ask := range rest {
		a.UpdateAsk(ask)
	}
}

// Most is an upper bound of what the members that are placed together ask for, by type, if none asks for more than this one.
func (g *AtomicGang) Most(demand int64) int64 {
	if demand > math.MaxInt64/int64(g.Need()) {
		return math.MaxInt64
	}
	return demand * int64(g.Need())
}

// Together is the asks of an application taken as one; it is pending nowhere.
func Together(a *App, c *class.Class, priority int32) *Ask {
	ask := &Ask{}
	ask.Reset()
	ask.App, ask.Class, ask.Priority = a, c, priority
	return ask
}
