package app

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// Leaf reads the applications of a leaf queue, in the order of its policy. The zero value is no leaf.
type Leaf struct{ *leaf }

// IsNone reports whether it is no leaf.
func (l Leaf) IsNone() bool { return l.leaf == nil }

// leaf has the fields that every allocation reads first, so that they share few cache lines.
type leaf struct {
	id int // number of the leaf, set by its owner

	reserved    Slot          // the ask that has the one ordinary reservation of the leaf, or NoSlot
	bannedUntil time.Duration // no reservations before then

	prioritySort   bool
	asksByModule   bool // a policy module orders asks, rather than submission
	stateAware     bool
	fair           bool // the least used application, or that of the least used user, comes first; keys are shares
	readsLimits    bool // a policy module orders applications and reads the usage of limits
	readsWalltimes bool // it reads walltimes
	sharesStale    bool // in a fair leaf: the shares of all applications have to be computed again
	starterLeft    bool // in a stateaware leaf: an application left, so another one may start

	// described is set if Row has described the current order; waits is its result. first is the first application, with a copy of its
	// row in firstRow; it is nil if it has not been looked up since the order changed.
	described        bool
	describedReserve bool // result of MayReserve at that time
	waits            bool
	first            *application
	firstRow         demandrow.Row

	passed passedRows // applications that no search of the shrink epoch needs to visit again

	dirty       []*application
	keyLen      int           // number of keys of an application between priority and submission
	table       *policy.Table // nil if a built-in policy orders applications
	order       *index.Index  // applications with pending asks, apart from surplus asks
	surplus     *index.Index  // applications with surplus asks; nil until there is one
	shrinkEpoch uint64        // of the last Sync

	eligibilityChanges uint64       // incremented whenever the eligibility of an application changes
	startOrder         *index.Index // in a stateaware leaf: Starting applications, then Accepted ones; nil otherwise
	lastEntry          appEntry     // the entry written last, since most allocations do not change it

	limitQueues limitQueues // applications that wait for limits

	starter   *application // in a stateaware leaf: the only application, Starting or Accepted, that may get allocations
	starting  int          // number of applications that count as Starting
	expiredAt uint64       // event number at which a reservation last expired; 0: none has

	apps  index.Slots[application]
	users *users // nil unless the usage of users is compared
	live  int

	types    *resource.Types
	askOrder *policy.Acting
	// denominators are the amounts by which usage is divided to get shares: the queue's guarantee of a type or, without one, the
	// nearest max.
	denominators resource.Vec

	keys    []int64 // keys[slot*keyLen+j]
	scratch []int64
	row     demandrow.Row
	shares  []int64
}

// NewLeaf makes a leaf without applications. Call SetOrder and SetAskOrder before Admit.
func NewLeaf(types *resource.Types) *OwnedLeaf {
	width := types.Width()
	return &OwnedLeaf{leaf{types: types, row: demandrow.NewRow(width), firstRow: demandrow.NewRow(width), denominators: make(resource.Vec, width)}}
}

// SetOrder puts an application order in force, and sorts all applications again. Keys of built-in orders are computed directly. A
// module keeps its table while its fallback answers, since it may recover. usage is for an order that compares users, or a module that reads their aged usage.
func (l *OwnedLeaf) SetOrder(order *policy.Acting, stateAware bool, usage UserUsage) {
	l.table, l.fair, l.readsLimits, l.readsWalltimes, l.users = nil, false, false, false, nil
	switch order.Module.Native {
	case policy.NativeFifoApps:
	case policy.NativeFairApps:
		l.fair = true
	case policy.NativeFairUsers:
		l.fair = true
		l.groupByUser(usage)
	default:
		l.table = policy.NewTable(order)
		l.followModule(order.Module.Points[policy.AppOrder], usage)
	}
	l.stateAware = stateAware
	l.reset()
}

// followModule records which columns a module reads that change without its applications.
func (l *leaf) followModule(spec *policy.PointSpec, usage UserUsage) {
	l.readsLimits = spec.Reads(policy.ColumnKind.OfLimit)
	l.readsWalltimes = spec.Reads(policy.ColumnKind.OfWalltime)
	if spec.Reads(policy.ColumnKind.Ages) {
		l.groupByUser(usage)
	}
}

// SetAskOrder puts an ask order in force in all applications.
func (l *OwnedLeaf) SetAskOrder(order *policy.Acting) {
	l.askOrder, l.asksByModule = order, order.Module.Native != policy.NativeFifoAsks
	for _, a := range l.apps.Items {
		if a != nil {
			a.reorderAsks()
			l.queue(a)
		}
	}
}

// Widen adapts all vectors to a new width of the table of types.
func (l *OwnedLeaf) Widen(width int) {
	l.row, l.firstRow = demandrow.NewRow(width), demandrow.NewRow(width)
	l.denominators = l.denominators.Widen(width, 0)
	l.SetAskOrder(l.askOrder)
	l.reset()
}

// reset empties the order, and queues all applications to be sorted in.
func (l *leaf) reset() {
	l.keyLen, l.keys, l.sharesStale = l.orderKeys(), nil, false
	l.makeOrder()
	l.orderChanged()
	l.lastEntry, l.startOrder = appEntry{}, nil
	if l.stateAware {
		l.startOrder = index.New(startKeys, 0, 0)
	}
	if len(l.limitQueues.at) > 0 {
		l.restoreLimitQueues()
	}
	for _, a := range l.apps.Items {
		if a != nil {
			a.hasKeys = false
			if l.table != nil {
				l.table.Touch(a.slot)
			}
			l.queue(a)
		}
	}
}

// makeOrder makes an empty order for keyLen keys.
func (l *leaf) makeOrder() {
	l.order, l.surplus = demandrow.NewIndex(l.keyLen+2, l.types.Width()), nil
	l.passed = passedRows{key: make([]int64, l.keyLen+2)}
}

// orderKeys returns the number of keys of applications in the order in force.
func (l *leaf) orderKeys() int {
	switch {
	case l.table != nil:
		return l.table.Keys()
	case l.fair:
		return min(policy.MaxKeys, l.types.Width()) // further shares would be 0
	}
	return 0
}

// Admit adds an application.
func (l *OwnedLeaf) Admit(a App) {
	a.leaf = &l.leaf
	a.slot = l.apps.Take(a.application)
	l.live++
	if l.users != nil {
		l.users.add(a.application)
	}
	l.countStarting(a.application, 1)
	l.queue(a.application)
}

// Dismiss removes an application, which must have no pending asks.
func (l *OwnedLeaf) Dismiss(a App) {
	l.countStarting(a.application, -1)
	l.unfile(a.application)
	if l.table != nil {
		l.table.Drop(a.slot)
	}
	l.apps.Free(a.slot)
	l.live--
	if l.users != nil {
		l.users.remove(a.application)
	}
	l.starterLeft = true
	if l.starter == a.application {
		l.starter = nil
	}
	if a.queued {
		a.queued = false
		l.dirty = slices.DeleteFunc(l.dirty, func(x *application) bool { return x == a.application })
	}
	a.groups, a.module, a.lengths, a.incoming, a.onlyGroup = nil, nil, nil, list{}, askGroup{} // frees memory, since timers may refer to an ended application for minutes
}

// MoveTo moves an application without pending asks from its leaf to another one.
func (a *Record) MoveTo(from, to *OwnedLeaf, shrinkEpoch uint64) {
	from.Dismiss(a.App())
	a.hasKeys, a.ineligible = false, false
	to.Admit(a.App())
	a.markChanged(shrinkEpoch)
}

// ID returns the number of the leaf.
func (l *leaf) ID() int { return l.id }

// Reserved returns the ask that has the one ordinary reservation of the leaf, or NoSlot.
func (l *leaf) Reserved() Slot { return l.reserved }

// BannedUntil returns the time before which the leaf gets no reservations.
func (l *leaf) BannedUntil() time.Duration { return l.bannedUntil }

// ExpiredAt returns the event number at which a reservation last expired, or 0 if none has.
func (l *leaf) ExpiredAt() uint64 { return l.expiredAt }

// AskOrder returns the policy that orders asks.
func (l *leaf) AskOrder() *policy.Acting { return l.askOrder }

// EligibilityChanges returns a number that grows whenever the eligibility of an application changes.
func (l *leaf) EligibilityChanges() uint64 { return l.eligibilityChanges }

// Measure sets the amounts by which usage is divided to get shares: of each type, the queue's guarantee or, without one, the nearest max.
func (l *leaf) Measure(denominator func(t int) int64) {
	for t := range l.denominators {
		l.denominators[t] = denominator(t)
	}
	l.ReorderAll()
}

// Live returns the number of applications.
func (l *leaf) Live() int { return l.live }

// Apps calls yield with every application, in no particular order.
func (l *leaf) Apps(yield func(App) bool) {
	for _, a := range l.apps.Items {
		if a != nil && !yield(App{a}) {
			return
		}
	}
}

// queue makes the next Sync sort an application in.
func (l *leaf) queue(a *application) {
	if !a.queued {
		a.queued = true
		l.dirty = append(l.dirty, a)
	}
}

// UsageChanged must be called when an application's usage changes, since its place in the order may change.
func (l *OwnedLeaf) UsageChanged(a App) {
	if l.users != nil {
		l.UserChanged(a.User())
	}
	if l.users != nil && l.table == nil {
		return
	}
	if !l.bySubmission() || a.gang != nil {
		l.queue(a.application)
	}
}

// bySubmission reports whether the order does not depend on usage or on other applications.
func (l *leaf) bySubmission() bool { return l.table == nil && !l.fair && !l.stateAware }

// Stale reports whether Sync has anything to do.
func (l *leaf) Stale() bool {
	return len(l.dirty) > 0 || l.starterLeft || l.sharesStale || l.table != nil && l.table.Stale()
}

// ReorderAll makes the next Sync compute the keys of all applications, after a change of the denominators or of the usage that is compared.
func (l *leaf) ReorderAll() {
	if l.table != nil {
		l.table.TouchAll()
	}
	if l.users != nil {
		l.users.outdate()
	}
	l.sharesStale = l.fair
}

// Sync brings the orders up to date. It asks policies only about changed asks and applications.
func (l *leaf) Sync(shrinkEpoch uint64) {
	if !l.Stale() {
		return
	}
	l.shrinkEpoch = shrinkEpoch
	for _, a := range l.dirty {
		a.sync(shrinkEpoch)
	}
	switch {
	case l.table != nil:
		l.askAboutDirty()
	case l.fair:
		l.computeShares()
	}
	for i, a := range l.dirty {
		if l.table == nil && a.ineligible {
			l.setIneligible(a, false) // an answer of a former module
		}
		a.queued = false
		l.file(a)
		l.dirty[i] = nil
	}
	l.dirty = l.dirty[:0]
	l.chooseStarter()
}

// file updates an application's entry in the order.
func (l *leaf) file(a *application) {
	l.fileStart(a)
	if a.waits == 0 {
		l.removeEntry(a)
		return
	}
	if a.groups != nil || l.keyLen > 0 || a.onlyGroup.empty() || a.limitQueue != nil {
		l.lastEntry.app = nil
	} else if !l.lastEntry.update(a) {
		return
	}
	if a.hasSurplus() || has(l.surplus, a.slot) {
		if l.fileSurplus(a); a.hasSurplus() && a.groups.order.Len() == 0 {
			l.remove(l.order, a)
			return
		}
	}
	a.describe(&l.row)
	key := l.put(l.order, a, a.firstRole(), a.failed)
	l.passed.filed(key)
	if a.limitQueue != nil {
		l.fileInLimitQueue(a, key)
	}
}

// fileSurplus updates the entry of an application's surplus asks.
func (l *leaf) fileSurplus(a *application) {
	if !a.hasSurplus() {
		l.remove(l.surplus, a)
		return
	}
	if l.surplus == nil {
		l.surplus = demandrow.NewIndex(l.keyLen+2, l.types.Width())
	}
	l.row.Of(a.groups.surplus)
	l.put(l.surplus, a, surplus, a.groups.surplusFailed)
}

// put writes an application's entry, of which the row describes the asks, to an order. It returns the key, which is valid until the next
// call. failed is the shrink epoch in which none of the asks could be allocated.
func (l *leaf) put(x *index.Index, a *application, first role, failed uint64) (key []int64) {
	r := &l.row
	key = append(l.scratch[:0], rankOf(0, first))
	if l.prioritySort {
		key[0] = rankOf(r.Priority(), first)
	}
	key = append(key, l.keysOf(a.slot)...)
	key = append(key, int64(a.Seq()))
	l.scratch = key
	r.Failed(failed)
	r.Changed(a.changed)
	if !a.HasPlace() {
		r.NotStarted()
	}
	if !a.Eligible() || a.isBlocked() {
		r.Hide()
	}
	r.Put(x, a.slot, key)
	l.orderChanged()
	return key
}

// orderChanged drops cached results about the order.
func (l *leaf) orderChanged() { l.first, l.described = nil, false }

func (l *leaf) removeEntry(a *application) {
	l.remove(l.order, a)
	l.remove(l.surplus, a)
	if l.lastEntry.app == a {
		l.lastEntry = appEntry{}
	}
	if a.limitQueue != nil {
		a.leaveLimitQueue()
	}
}

// remove removes an application from an order, which may be nil.
func (l *leaf) remove(x *index.Index, a *application) {
	if has(x, a.slot) {
		x.Remove(a.slot)
		l.orderChanged()
	}
}

func (l *leaf) unfile(a *application) {
	l.removeEntry(a)
	if l.startOrder != nil && l.startOrder.Has(a.slot) {
		l.startOrder.Remove(a.slot)
	}
}

// Row writes the summary of the leaf's pending asks to a row. waits reports whether there are any, and changed whether the row
// may have changed. The caller must always pass the same row.
func (l *leaf) Row(r *demandrow.Row, now time.Duration) (waits, changed bool) {
	may := l.MayReserve(now)
	if l.described && may == l.describedReserve {
		return l.waits, false
	}
	l.described, l.describedReserve = true, may
	last := hasEntries(l.surplus)
	if l.waits = l.order.Len() > 0 || last; !l.waits {
		return false, false
	}
	if l.order.Len() == 0 {
		changed = r.Of(l.surplus)
	} else if changed = r.Of(l.order); last {
		r.Include(l.surplus, 0)
		changed = true
	}
	for _, g := range l.limitQueues.open {
		r.Include(g.waiting, g.openedAt)
		changed = true
	}
	if !may {
		r.NoDelayedReserve()
		changed = true
	}
	return true, changed
}

// MayReserve reports whether an ask of the leaf may make a reservation at some time.
func (l *leaf) MayReserve(now time.Duration) bool {
	return l.reserved == NoSlot && (l.expiredAt == 0 || now >= l.bannedUntil) // ExpiredAt is tested, since times before 1970 are negative
}

// next returns the first application of which asks other than surplus asks pass the search, or none.
func (l *leaf) next(s *demandrow.Search) App {
	if p := &l.passed; p.known && s.Within(&p.extent) {
		if l.order.PassesAt(p.slot, p.key, s) {
			return App{l.apps.Items[p.slot]}
		}
		return l.found(l.order.FirstPassingFrom(p.key, s))
	}
	l.passed.known = false
	if l.first == nil {
		slot := l.firstRow.Head(l.order)
		if slot == index.None {
			return App{}
		}
		l.first = l.apps.Items[slot]
	}
	if s.PassRow(&l.firstRow) {
		return App{l.first}
	}
	l.passed.known, l.passed.extent = true, s.Extent()
	return l.found(l.order.FirstPassing(s))
}

// found returns the application that a search has found in a slot, or none, and records that those before it did not pass.
func (l *leaf) found(slot int32) App {
	if slot == index.None {
		l.passed.end()
		return App{}
	}
	l.passed.slot = slot
	copy(l.passed.key, l.order.Key(slot))
	return App{l.apps.Items[slot]}
}
