package app

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/internal/placement"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// App is an application: its pending asks in order, its allocations, its state. What every allocation reads comes first, so
// that few lines of the processor's cache are touched where there are many applications.
type App struct {
	Leaf            *Leaf
	Asks            int // pending
	Allocations     int
	AllocationsMade int   // allocations ever made, restored ones included
	Claims          int   // of its asks; an application that has one holds a place
	Gang            *Gang // nil: it has no placeholders

	slot       int32 // in the leaf
	Started    bool  // past Accepted: it holds a place under maxapplications or had one
	queued     bool  // in the leaf's list of applications to sort in
	keyed      bool  // the leaf has its keys
	ineligible bool  // the policy says: not eligible now
	paused     bool  // Resuming or Completing: nothing is allocated to it

	failed  uint64
	changed uint64

	// A pending ask is in a group. One that changed while a walk may be under way is in incoming until the leaf's next Sync:
	// the walk is not to meet it again. With a module an ask is in a row of the module's, from the leaf's next Sync on in a
	// group as well, and never in incoming.
	groups   *askGroups // from the second group on, and with a module
	module   *askKeys   // nil while asks are ordered by submission
	incoming List
	sole     askGroup // the only group, while groups is nil

	State   string       // one of core's State constants
	Used    resource.Vec // by allocations
	Waiting resource.Sum // by pending asks
	Placed  List         // allocations, in order
	Limits  *Limits      // nil: none hold for it

	ID        string
	Seq       uint64 // order of submission over the partition, from 1
	Since     time.Duration
	User      string
	Groups    []string
	Tags      map[string]string
	Submitted time.Duration
	Placement *placement.Outcome // of the placement rules; nil: none chose its queue

	gate        *gate           // where a limit keeps its asks waiting; nil: nowhere
	AtomicGangs []*AtomicGang   // those that have members, in the order of their first ones
	Succeeded   []SucceededGang // those that have none, and had some that succeeded; sorted by ID
}

// NewApp makes an application of a leaf; the leaf's Admit takes it in.
func NewApp(id string, seq uint64, width int) *App {
	sums := make(resource.Vec, 2*width) // side by side, since they change together
	a := &App{ID: id, Seq: seq, Used: sums[:width:width]}
	a.Waiting.MoveTo(sums[width:])
	return a
}

// AddAsk takes in a pending ask that came in a world. The leaf's next Sync has its order follow.
func (a *App) AddAsk(ask *Ask, world uint64) {
	ask.App = a
	a.Asks++
	a.Waiting.Add(ask.Class.Demand)
	if ask.Atomic != nil {
		ask.Atomic.count(ask, 1)
	}
	if a.Leaf.asksByModule {
		a.addRow(ask)
	} else {
		a.sortIn(ask, world)
	}
	a.failed = 0
	a.Leaf.queue(a)
}

func (a *App) addRow(ask *Ask) {
	if a.module == nil {
		a.module = &askKeys{table: policy.NewTable(a.Leaf.AskOrder)}
	}
	ask.row = a.module.rows.Take(ask)
	a.module.table.Touch(ask.row)
}

// DropAsk lets a pending ask go: it is withdrawn, or was allocated.
func (a *App) DropAsk(ask *Ask) {
	a.Asks--
	a.Waiting.Sub(ask.Class.Demand)
	if ask.Atomic != nil {
		ask.Atomic.count(ask, -1)
	}
	if !a.takeOut(ask) && a.module == nil {
		a.incoming.Remove(ask, OfApp)
	}
	if k := a.module; k != nil {
		k.table.Drop(ask.row)
		k.rows.Free(ask.row)
	}
	a.Leaf.queue(a)
}

// UpdateAsk sorts a pending ask again, whose priority changed, or that gained or lost a reservation or a claim.
func (a *App) UpdateAsk(ask *Ask) {
	if ask.Atomic != nil {
		ask.Atomic.count(ask, 0)
	}
	sorted := a.takeOut(ask)
	if a.module != nil {
		a.module.table.Touch(ask.row)
	} else if sorted {
		a.incoming.Append(ask, OfApp)
	}
	a.failed = 0
	a.Leaf.queue(a)
}

// takeOut takes an ask out of its group and reports whether it was in one.
func (a *App) takeOut(ask *Ask) bool {
	g := ask.group
	if g == nil {
		return false
	}
	g.remove(ask)
	if g.gang != nil {
		g.gang.reopen = true
	}
	a.unfile(g)
	return true
}

// MarkChanged says that something about the application changed that may let its asks be placed.
func (a *App) MarkChanged(world uint64) {
	a.changed, a.failed = world, 0
	if a.Limits != nil {
		a.Limits.asleep = 0
	}
	a.Leaf.queue(a)
}

// sync sorts changed asks in and brings the order of groups up to date.
func (a *App) sync(world uint64) {
	if a.module != nil {
		a.syncByKeys(world)
	}
	ask := a.incoming.First
	a.incoming = List{}
	for ask != nil {
		next := ask.links[OfApp].next
		ask.links[OfApp] = links{}
		a.sortIn(ask, world)
		ask = next
	}
	a.fileGroups(world)
}

// sortIn adds an ask to the group that it belongs to.
func (a *App) sortIn(ask *Ask, world uint64) {
	if a.gate != nil && (ask.Atomic != nil || ask.Class != a.sole.class || ask.standing() != a.sole.standing) {
		a.wakeAtGate(world) // only applications with one group wait there
	}
	var g *askGroup
	if ask.Atomic == nil {
		g = a.groupFor(ask)
	} else {
		g = a.groupOfMember(ask)
	}
	g.add(ask)
	a.groupChanged(g, world)
}

// reorderAsks has every pending ask sorted again, since another policy orders them.
func (a *App) reorderAsks() {
	if k := a.module; k != nil && a.Leaf.asksByModule {
		k.table, k.width = policy.NewTable(a.Leaf.AskOrder), 0
		for _, ask := range k.rows.Items {
			if ask != nil {
				ask.group, ask.links[OfApp] = nil, links{}
				k.table.Touch(ask.row)
			}
		}
		a.groups = nil
		return
	}
	list := make([]*Ask, 0, a.Asks)
	a.Pending(func(ask *Ask) bool { list = append(list, ask); return true })
	slices.SortFunc(list, func(x, y *Ask) int { return cmp.Compare(x.Seq, y.Seq) })
	a.incoming, a.sole, a.groups, a.module = List{}, askGroup{}, nil, nil
	for _, ask := range list {
		ask.group, ask.links[OfApp] = nil, links{}
		if a.Leaf.asksByModule {
			a.addRow(ask)
		} else {
			a.incoming.Append(ask, OfApp)
		}
	}
}

// ChangedSince reports whether the application itself changed after a world, so that all of its asks may fare otherwise.
func (a *App) ChangedSince(world uint64) bool { return a.changed > world }

// HasPlace reports whether the application needs no new place under maxapplications to be allocated to.
func (a *App) HasPlace() bool { return a.Started || a.Claims > 0 || a.HoldsPlaceholder() }

// HoldsPlaceholder reports whether a placeholder is allocated.
func (a *App) HoldsPlaceholder() bool { return a.Gang != nil && a.Gang.Allocated > 0 }

// CountClaim counts one more claim of an ask of the application, or one less.
func (a *App) CountClaim(more bool, world uint64) {
	change := -1
	if more {
		change = 1
	}
	a.ChangeHeld(world, func() { a.Claims += change })
}

// ChangeHeld changes what the application holds a place by, beside its state: claims of its asks, and placeholders.
func (a *App) ChangeHeld(world uint64, change func()) {
	a.Leaf.countStarting(a, -1)
	change()
	a.Leaf.countStarting(a, 1)
	a.MarkChanged(world)
}

// Eligible reports whether the application may be allocated to as far as its leaf's order and filter are concerned.
func (a *App) Eligible() bool { return !a.ineligible && a.Leaf.passes(a) }

// Paused reports whether nothing is allocated to the application since it is Resuming or Completing.
func (a *App) Paused() bool { return a.paused }

// PassesStateFilter is Eligible without the policy's word: the filter of stateaware alone.
func (a *App) PassesStateFilter() bool { return a.Leaf.passes(a) }

// IneligibleByPolicy reports whether the policy that orders applications says: not eligible now.
func (a *App) IneligibleByPolicy() bool { return a.ineligible }

// HasPriority reports whether anything is pending that has been sorted in, and Priority the highest priority among that.
func (a *App) HasPriority() bool {
	if a.groups != nil {
		return a.Asks > 0 && a.groups.order.Len() > 0
	}
	return !a.sole.empty()
}

// Priority is the highest priority among the pending asks; the leaf must be in sync.
func (a *App) Priority() int32 {
	if a.groups != nil {
		return pending.HighestPriority(a.groups.order)
	}
	return a.sole.head().Priority
}

// Highest is Priority counted again; it needs no sync. ok is false when nothing is pending.
func (a *App) Highest() (priority int32, ok bool) {
	a.Pending(func(ask *Ask) bool {
		if !ok || ask.Priority > priority {
			priority, ok = ask.Priority, true
		}
		return true
	})
	return priority, ok
}

// Pending calls yield with every pending ask, in no order.
func (a *App) Pending(yield func(*Ask) bool) {
	if a.module != nil {
		for _, ask := range a.module.rows.Items {
			if ask != nil && !yield(ask) {
				return
			}
		}
		return
	}
	if !a.sole.each(yield) {
		return
	}
	if a.groups != nil {
		for _, g := range a.groups.slots.Items {
			if g != nil && g != &a.sole && !g.each(yield) {
				return
			}
		}
	}
	for ask := a.incoming.First; ask != nil; ask = ask.links[OfApp].next {
		if !yield(ask) {
			return
		}
	}
}

// Before orders two pending asks of the application.
func (a *App) Before(x, y *Ask) bool {
	if x.group == nil || y.group == nil || a.module == nil { // not sorted in yet, so a module's word is still out
		return x.Priority > y.Priority || x.Priority == y.Priority && x.Seq < y.Seq
	}
	h := &x.group.heap.asks
	return h.before(&h.entries[x.place], &y.group.heap.asks.entries[y.place])
}

// Next returns the next candidate among the asks of an application that the leaf's Next found by the same search: the
// first of its group, which may be placed as far as the search knows and has not failed in its world.
func (a *App) Next(s *pending.Search) *Ask {
	if a.groups == nil { // what the leaf's row says is said of the only group
		if a.sole.empty() || a.sole.failed >= s.World || a.sole.asleep != 0 {
			return nil
		}
		return a.sole.head()
	}
	slot := a.groups.order.First(s.Pass, nil)
	if slot == index.None {
		return nil
	}
	return a.groups.slots.Items[slot].head()
}

// FirstDue returns the first ask, of the same class as a candidate, that is due.
func (a *App) FirstDue(candidate *Ask, isDue func(*Ask) bool) *Ask {
	return candidate.group.firstDue(isDue)
}

// Suspend has the asks of a candidate's class, which require a node that is held for none of them, offered no more until
// Resume: the others of the class would fare no better.
func (a *App) Suspend(candidate *Ask) {
	candidate.group.suspended = true
	a.file(candidate.group)
}

// Resume ends what Suspend began, since something about the node changed, and reports whether there was one.
func (a *App) Resume(c *class.Class) bool {
	g := &a.sole
	if a.groups != nil {
		g = a.groups.find(groupKey(c, ordinary, nil)) // asks that are suspended hold nothing
	}
	if g == nil || g.class != c || !g.suspended || g.empty() {
		return false
	}
	g.suspended, g.failed, a.failed = false, 0, 0
	a.unfile(g)
	a.Leaf.queue(a)
	return true
}

// FailAsk notes that a candidate, and so its class in this application, failed in this world; 0 takes it back.
func (a *App) FailAsk(ask *Ask, world uint64) {
	if ask.group == nil { // it is about to be sorted again: an allocation made it wait for its gang
		return
	}
	ask.group.failed = world
	a.file(ask.group)
}

// Heads calls yield with the first pending ask of each class, in order.
func (a *App) Heads(yield func(*Ask) bool) {
	if a.groups == nil {
		if !a.sole.empty() {
			yield(a.sole.head())
		}
		return
	}
	a.groups.order.Each(func(slot int32) bool {
		g := a.groups.slots.Items[slot]
		return g.empty() || yield(g.head()) // empty: its last ask left since the leaf was in sync
	})
}
