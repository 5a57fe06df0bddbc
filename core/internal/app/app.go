package app

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/policy"
)

// App reads an application with its pending asks in order, its allocations and its state. The zero value is no application.
type App struct{ *application }

// IsNone reports whether it is no application.
func (a App) IsNone() bool { return a.application == nil }

// application has the fields that every allocation reads first, so that they share few cache lines.
type application struct {
	leaf *leaf
	gang *taskGroups // nil if it has no placeholders

	asks       *reader
	number     apps.ID // in the rows of applications and of its asks; apps.None after Asks.Forget
	slot       int32   // in the leaf
	waits      int32   // number of asks in the orders
	queued     bool    // in the leaf's list of applications to sort in
	hasKeys    bool    // the policy has answered its keys
	ineligible bool    // the policy answered that it is not eligible now

	failed  uint64
	changed uint64

	// A pending ask is in a group. If it changed during a walk, it is in incoming until the leaf's next Sync, so that the walk does not
	// meet it twice. With a module, an ask is in the module's rows, and from the leaf's next Sync on also in a group; incoming is
	// not used.
	groups    *askGroups // nil while there is at most one group and no module
	module    *askKeys   // nil while asks are ordered by submission
	incoming  list
	onlyGroup askGroup // the only group, while groups is nil

	placed  list     // allocations
	limits  *limits  // nil if no limits apply
	lengths *lengths // nil until a policy reads the longest walltime

	limitQueue  *limitQueue   // the limit queue in which its asks wait, or nil
	atomicGangs []*atomicGang // those with members, in the order of their first members
}

// AddAsk adds a new pending ask with its row, which the row of the application counts already. The leaf's next Sync updates the orders.
func (a *Record) AddAsk(ask Ask, r *asks.Ask, shrinkEpoch uint64) {
	a.waits++
	a.addLength(ask)
	if r.Atomic != 0 {
		ask.atomic().count(ask, 1)
	}
	if a.leaf.asksByModule {
		a.addRow(ask)
	} else {
		a.sortIn(ask, r, shrinkEpoch)
	}
	a.retry()
	a.leaf.queue(&a.application)
}

// retry makes searches visit the application again in both of its turns.
func (a *application) retry() {
	a.failed = 0
	if a.groups != nil {
		a.groups.surplusFailed = 0
	}
}

func (a *application) addRow(ask Ask) {
	if a.module == nil {
		a.module = &askKeys{table: policy.NewTable(a.leaf.askOrder)}
	}
	row := a.module.rows.Take(ask.slot)
	ask.order().row = row
	a.module.table.Touch(row)
}

// DropAsk removes a pending ask with its row, which was withdrawn or allocated, and which the row of the application counts no more.
func (a *Record) DropAsk(ask Ask, r *asks.Ask) {
	a.waits--
	if r.Atomic != 0 {
		ask.atomic().count(ask, -1)
	}
	if a.groups == nil && a.waits > 0 && a.dropSilently(ask) {
		return
	}
	if !a.removeFromGroup(ask) && a.module == nil {
		a.incoming.remove(a.asks, ask.slot)
	}
	ask.order().role = independent
	if k := a.module; k != nil {
		row := ask.order().row
		k.table.Drop(row)
		k.rows.Free(row)
	}
	a.leaf.queue(&a.application)
}

// updateAsk sorts a pending ask again after its priority, its reservation or its claim has changed.
func (a *application) updateAsk(ask Ask) {
	if g := ask.atomic(); g != nil {
		g.count(ask, 0)
	}
	sorted := a.removeFromGroup(ask)
	if a.module != nil {
		a.module.table.Touch(ask.order().row)
	} else if sorted {
		a.incoming.append(a.asks, ask.slot)
	}
	a.retry()
	a.leaf.queue(a)
}

// removeFromGroup removes an ask from its group, and reports whether it was in one.
func (a *application) removeFromGroup(ask Ask) bool {
	g := a.group(ask)
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

// markChanged records a change of the application after which its asks may be allocated.
func (a *application) markChanged(shrinkEpoch uint64) {
	a.changed = shrinkEpoch
	a.retry()
	if a.limits != nil {
		a.limits.blockedBy = 0
	}
	a.leaf.queue(a)
}

// sync sorts changed asks in, and updates the order of groups.
func (a *application) sync(shrinkEpoch uint64) {
	if a.module != nil {
		a.syncByKeys(shrinkEpoch)
	}
	slot := a.incoming.first
	a.incoming = list{}
	for slot != NoSlot {
		o := a.asks.order(slot)
		next := o.next
		o.prev, o.next = NoSlot, NoSlot
		ask := Ask{a.asks, slot}
		var r asks.Ask
		ask.Read(&r)
		a.sortIn(ask, &r, shrinkEpoch)
		slot = next
	}
	a.fileGroups(shrinkEpoch)
}

// sortIn adds an ask, with its row, to its group.
func (a *application) sortIn(ask Ask, r *asks.Ask, shrinkEpoch uint64) {
	if a.limitQueue != nil && (r.Atomic != 0 || ask.Class() != a.onlyGroup.class || ask.standing() != a.onlyGroup.standing || ask.order().role != independent) {
		a.unblockQueued(shrinkEpoch) // only applications with a single group may stay in a limit queue
	}
	var g *askGroup
	if r.Atomic == 0 {
		g = a.groupFor(ask, r)
	} else {
		g = a.groupOfMember(ask, r)
	}
	g.add(ask.slot, r)
	a.groupChanged(g, shrinkEpoch)
}

// reorderAsks sorts all pending asks again, after a change of the policy that orders them.
func (a *application) reorderAsks() {
	if k := a.module; k != nil && a.leaf.asksByModule {
		k.table, k.width = policy.NewTable(a.leaf.askOrder), 0
		for row, slot := range k.rows.Items {
			if slot != NoSlot {
				a.asks.order(slot).unsort()
				k.table.Touch(int32(row))
			}
		}
		a.groups = nil
		return
	}
	all := make([]Ask, 0, a.waits)
	a.Pending(func(ask Ask) bool { all = append(all, ask); return true })
	slices.SortFunc(all, func(x, y Ask) int { return cmp.Compare(x.Seq(), y.Seq()) })
	a.incoming, a.onlyGroup, a.groups, a.module = list{}, askGroup{}, nil, nil
	for _, ask := range all {
		ask.order().unsort()
		if a.leaf.asksByModule {
			a.addRow(ask)
		} else {
			a.incoming.append(a.asks, ask.slot)
		}
	}
}

// ChangedSince reports whether the application itself changed after a shrink epoch. All of its asks have to be tried again then.
func (a *application) ChangedSince(shrinkEpoch uint64) bool { return a.changed > shrinkEpoch }

// HasPlace reports whether the application already counts under maxapplications.
func (a *application) HasPlace() bool {
	state, claims := a.asks.values.Status(a.number)
	return a.hasPlace(state, claims)
}

func (a *application) hasPlace(state apps.State, claims bool) bool {
	return state.Started() || claims || a.HoldsPlaceholder()
}

// HoldsPlaceholder reports whether a placeholder of the application is allocated.
func (a *application) HoldsPlaceholder() bool {
	return a.gang != nil && a.asks.gangValues.Of(a.number).Allocated > 0
}

// Change runs a change of the state, the claims or the placeholders of the application, which determine whether it counts as Starting.
func (a *Record) Change(shrinkEpoch uint64, update func()) {
	a.leaf.countStarting(&a.application, -1)
	update()
	a.leaf.countStarting(&a.application, 1)
	a.markChanged(shrinkEpoch)
}

// Eligible reports whether both the policy of the leaf and its state filter permit allocations to the application.
func (a *application) Eligible() bool { return !a.ineligible && a.leaf.passes(a, a.State()) }

// PassesStateFilter reports whether the filter of stateaware permits allocations, regardless of the policy.
func (a *application) PassesStateFilter() bool { return a.leaf.passes(a, a.State()) }

// IneligibleByPolicy reports whether the policy that orders applications has answered that the application is not eligible now.
func (a *application) IneligibleByPolicy() bool { return a.ineligible }

// HasPriority reports whether any pending ask is sorted in, so that Priority is defined.
func (a *application) HasPriority() bool {
	if a.groups != nil {
		return a.waits > 0 && (a.groups.order.Len() > 0 || a.hasSurplus())
	}
	return !a.onlyGroup.empty()
}

// Priority returns the highest priority of the pending asks. The leaf must be in sync.
func (a *application) Priority() int32 {
	switch {
	case a.groups == nil:
		return a.onlyGroup.priority()
	case !a.hasSurplus():
		return demandrow.HighestPriority(a.groups.order)
	case a.groups.order.Len() == 0:
		return demandrow.HighestPriority(a.groups.surplus)
	}
	return max(demandrow.HighestPriority(a.groups.order), demandrow.HighestPriority(a.groups.surplus))
}

// Highest is Priority without the need of a sync: it reads all pending asks. ok is false if there are none.
func (a *application) Highest() (priority int32, ok bool) {
	a.Pending(func(ask Ask) bool {
		if !ok || ask.Priority() > priority {
			priority, ok = ask.Priority(), true
		}
		return true
	})
	return priority, ok
}

// Pending calls yield with every pending ask, in no particular order.
func (a *application) Pending(yield func(Ask) bool) {
	if a.module != nil {
		for _, slot := range a.module.rows.Items {
			if slot != NoSlot && !yield(Ask{a.asks, slot}) {
				return
			}
		}
		return
	}
	if !a.onlyGroup.each(yield) {
		return
	}
	if a.groups != nil {
		for _, g := range a.groups.slots.Items {
			if g != nil && g != &a.onlyGroup && !g.each(yield) {
				return
			}
		}
	}
	a.incoming.each(a.asks, yield)
}

// Before orders two pending asks of the application.
func (a *application) Before(x, y Ask) bool {
	first, second := a.group(x), a.group(y)
	if first == nil || second == nil || a.module == nil { // not sorted in yet, so a module has not answered its keys
		return CompareBuiltIn(x, y) < 0
	}
	if first.role != second.role && x.Priority() == y.Priority() {
		return first.role < second.role
	}
	h := &first.heap.asks
	return h.before(&h.entries[x.order().place], &second.heap.asks.entries[y.order().place])
}

// CompareBuiltIn orders pending asks of an application whose asks no policy orders.
func CompareBuiltIn(x, y Ask) int {
	return cmp.Or(cmp.Compare(rankOf(x.Priority(), x.order().role), rankOf(y.Priority(), y.order().role)), cmp.Compare(x.Seq(), y.Seq()))
}

// Compare orders pending asks of the application for a sort.
func (a *application) Compare(x, y Ask) int {
	switch {
	case x == y:
		return 0
	case a.Before(x, y):
		return -1
	}
	return 1
}

// FirstDue returns the first ask in the candidate's group that is due, or nil.
func (a *application) FirstDue(candidate Ask, isDue func(Ask) bool) Ask {
	return a.group(candidate).firstDue(isDue)
}

// Suspend keeps the asks of the candidate's class from searches until Resume. They require a node that is not reserved for any of
// them, so they would all fail.
func (a *application) Suspend(candidate Ask) {
	g := a.group(candidate)
	g.suspended = true
	a.file(g)
}

// Resume ends a Suspend of a class, after its required node has changed. It reports whether the class was suspended.
func (a *application) Resume(c class.Class) bool {
	if a.groups == nil {
		return a.resume(&a.onlyGroup, c)
	}
	resumed := false
	for of := repairs; of <= surplus; of++ { // suspended asks are ordinary, but may have any role
		g := a.groups.find(groupKey(c, ordinary, nil, of))
		resumed = g != nil && a.resume(g, c) || resumed
	}
	return resumed
}

func (a *application) resume(g *askGroup, c class.Class) bool {
	if g.class != c || !g.suspended || g.empty() {
		return false
	}
	g.suspended, g.failed = false, 0
	a.retry()
	a.unfile(g)
	a.leaf.queue(a)
	return true
}

// FailAsk records that a candidate, and so its whole group, failed in a shrink epoch. Shrink epoch 0 clears the record.
func (a *application) FailAsk(ask Ask, shrinkEpoch uint64) {
	g := a.group(ask)
	if g == nil { // it will be sorted again, since an allocation made it wait for its gang
		return
	}
	g.failed = shrinkEpoch
	a.file(g)
}
