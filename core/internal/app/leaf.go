package app

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/pending"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// Leaf owns the applications of a leaf queue, in the order of its policy. What every allocation reads comes first, so that
// few lines of the processor's cache are touched where there are many leaves.
type Leaf struct {
	ID int // the owner's own number for the leaf

	Reserved    Slot          // the ask that has the one ordinary reservation of the leaf, or NoSlot
	BannedUntil time.Duration // no reservations before then

	PrioritySort bool
	asksByModule bool // a policy module orders asks, not submission
	stateAware   bool
	fair         bool // least used first: keys are shares
	readsLimits  bool // a policy module orders applications, by what is used of limits too
	sharesStale  bool // fair: every application's shares have to be worked out again
	starterLeft  bool // stateaware: an application left, so another may pass

	// While described is set, Row has described the order as it is; waits is what it reported. Of the application that
	// comes first, firstRow is a copy of its row in the order; nil: not looked up since the order changed.
	described        bool
	describedReserve bool // as MayReserve was
	waits            bool
	first            *App
	firstRow         pending.Row

	dirty  []*App
	keyLen int           // keys that an application has between priority and submission
	table  *policy.Table // nil where applications are ordered by a built-in policy
	order  *index.Index  // applications with pending asks
	world  uint64        // of the last Sync

	EligibilityChanges uint64       // grows whenever an application becomes eligible, or is no longer
	startOrder         *index.Index // stateaware: Starting applications, then Accepted ones; nil otherwise
	written            appEntry     // the entry written last: most allocations leave it as it is

	gates gates // where limits keep applications waiting

	starter   *App   // stateaware: the one application, Starting or Accepted, that passes
	starting  int    // applications that count as Starting for the filter of stateaware
	ExpiredAt uint64 // the moment (see core) at which a reservation last expired; 0: none has

	apps index.Slots[App]
	live int

	Types    *resource.Types
	AskOrder *policy.Acting
	// Denominators divide usage into shares: what the queue guarantees of a type or, where it guarantees none, the
	// nearest max. Used by policies that look at shares.
	Denominators resource.Vec

	keys    []int64 // keys[slot*keyLen+j]
	scratch []int64
	row     pending.Row
	shares  []int64
}

// NewLeaf makes a leaf without applications. SetOrder and AskOrder have to be set before the first one comes.
func NewLeaf(types *resource.Types) *Leaf {
	width := types.Width()
	return &Leaf{Types: types, row: pending.NewRow(width), firstRow: pending.NewRow(width), Denominators: make(resource.Vec, width)}
}

// SetOrder puts an application order in force; every application is sorted again. The keys of a built-in order are worked out
// here. A module keeps its table while its fallback answers, since it may come back.
func (l *Leaf) SetOrder(order *policy.Acting, stateAware bool) {
	l.table, l.fair, l.readsLimits = nil, false, false
	switch order.Module.Native {
	case policy.NativeFifoApps:
	case policy.NativeFairApps:
		l.fair = true
	default:
		l.table = policy.NewTable(order)
		l.readsLimits = order.Module.Points[policy.AppOrder].Reads(policy.ColumnKind.OfLimit)
	}
	l.stateAware = stateAware
	l.reset()
}

// SetAskOrder puts an ask order in force in all applications.
func (l *Leaf) SetAskOrder(order *policy.Acting) {
	l.AskOrder, l.asksByModule = order, order.Module.Native != policy.NativeFifoAsks
	for _, a := range l.apps.Items {
		if a != nil {
			a.reorderAsks()
			l.queue(a)
		}
	}
}

// Widen follows the table of types to a new width.
func (l *Leaf) Widen(width int) {
	l.row, l.firstRow = pending.NewRow(width), pending.NewRow(width)
	l.Denominators = l.Denominators.Widen(width, 0)
	for _, a := range l.apps.Items {
		if a == nil {
			continue
		}
		a.Used = a.Used.Widen(width, 0)
		if a.Gang != nil {
			a.Gang.Staying = a.Gang.Staying.Widen(width, 0)
		}
		a.Waiting.Widen(width)
	}
	l.SetAskOrder(l.AskOrder)
	l.reset()
}

// reset empties the order; every application is queued to be sorted in.
func (l *Leaf) reset() {
	l.keyLen, l.keys, l.sharesStale = l.orderKeys(), nil, false
	l.order = pending.NewIndex(l.keyLen+2, l.Types.Width())
	l.orderChanged()
	l.written, l.startOrder = appEntry{}, nil
	if l.stateAware {
		l.startOrder = index.New(startKeys, 0, 0)
	}
	if len(l.gates.at) > 0 {
		l.restoreGates()
	}
	for _, a := range l.apps.Items {
		if a != nil {
			a.keyed = false
			if l.table != nil {
				l.table.Touch(a.slot)
			}
			l.queue(a)
		}
	}
}

// orderKeys is how many keys applications have in the order in force.
func (l *Leaf) orderKeys() int {
	switch {
	case l.table != nil:
		return l.table.Keys()
	case l.fair:
		return min(policy.MaxKeys, l.Types.Width()) // beyond the types there are shares are 0
	}
	return 0
}

// Admit takes an application in.
func (l *Leaf) Admit(a *App) {
	a.Leaf = l
	a.slot = l.apps.Take(a)
	l.live++
	l.countStarting(a, 1)
	l.queue(a)
}

// Dismiss lets an application go; it has no asks.
func (l *Leaf) Dismiss(a *App) {
	l.countStarting(a, -1)
	l.unfile(a)
	if l.table != nil {
		l.table.Drop(a.slot)
	}
	l.apps.Free(a.slot)
	l.live--
	l.starterLeft = true
	if l.starter == a {
		l.starter = nil
	}
	if a.queued {
		a.queued = false
		l.dirty = slices.DeleteFunc(l.dirty, func(x *App) bool { return x == a })
	}
	a.groups, a.module, a.incoming, a.sole = nil, nil, List{}, askGroup{} // timers may hold an application that has ended for minutes
}

// MoveTo takes an application without pending asks to another leaf, whose orders and filter count for it from then on.
func (a *App) MoveTo(l *Leaf, world uint64) {
	a.Leaf.Dismiss(a)
	a.keyed, a.ineligible = false, false
	l.Admit(a)
	a.MarkChanged(world)
}

// Live is the number of applications.
func (l *Leaf) Live() int { return l.live }

// Apps calls yield with every application, in no order.
func (l *Leaf) Apps(yield func(*App) bool) {
	for _, a := range l.apps.Items {
		if a != nil && !yield(a) {
			return
		}
	}
}

// SetState changes an application's state; started says whether it is past Accepted.
func (l *Leaf) SetState(a *App, state string, started bool, at time.Duration, world uint64) {
	l.countStarting(a, -1)
	a.State, a.Started, a.Since = state, started, at
	a.paused = state == stateResuming || state == stateCompleting
	l.countStarting(a, 1)
	a.MarkChanged(world)
}

// queue has an application sorted in by the next Sync.
func (l *Leaf) queue(a *App) {
	if !a.queued {
		a.queued = true
		l.dirty = append(l.dirty, a)
	}
}

// UsageChanged says that an application's usage changed, and its place in the order with it.
func (l *Leaf) UsageChanged(a *App) { l.queue(a) }

// Stale reports whether Sync has anything to do.
func (l *Leaf) Stale() bool {
	return len(l.dirty) > 0 || l.starterLeft || l.sharesStale || l.table != nil && l.table.Stale()
}

// ReorderAll has every application's place worked out again: what shares are measured against changed.
func (l *Leaf) ReorderAll() {
	if l.table != nil {
		l.table.TouchAll()
	}
	l.sharesStale = l.fair
}

// Sync sorts in what changed, asking the policies about it.
func (l *Leaf) Sync(world uint64) {
	if !l.Stale() {
		return
	}
	l.world = world
	for _, a := range l.dirty {
		a.sync(world)
	}
	switch {
	case l.table != nil:
		l.askAboutDirty()
	case l.fair:
		l.measure()
	}
	for i, a := range l.dirty {
		if l.table == nil && a.ineligible {
			l.setIneligible(a, false) // by a module that was in force before
		}
		a.queued = false
		l.file(a)
		l.dirty[i] = nil
	}
	l.dirty = l.dirty[:0]
	l.chooseStarter()
}

// file brings an application's entry in the order up to date.
func (l *Leaf) file(a *App) {
	l.fileStart(a)
	if a.Asks == 0 {
		l.removeEntry(a)
		return
	}
	if a.groups != nil || l.keyLen > 0 || a.sole.empty() || a.gate != nil {
		l.written.app = nil
	} else if !l.written.update(a) {
		return
	}
	r := &l.row
	a.describe(r)
	key := append(l.scratch[:0], 0)
	if l.PrioritySort {
		key[0] = -int64(r.Priority())
	}
	key = append(key, l.keysOf(a.slot)...)
	key = append(key, int64(a.Seq))
	l.scratch = key
	r.Failed(a.failed)
	r.Changed(a.changed)
	if !a.HasPlace() {
		r.NotStarted()
	}
	if !a.Eligible() || a.sleeps() {
		r.Hide()
	}
	r.Put(l.order, a.slot, key)
	l.orderChanged()
	if a.gate != nil {
		l.fileAtGate(a, key)
	}
}

// orderChanged forgets what is remembered of the order.
func (l *Leaf) orderChanged() { l.first, l.described = nil, false }

func (l *Leaf) removeEntry(a *App) {
	if l.order.Has(a.slot) {
		l.order.Remove(a.slot)
		l.orderChanged()
	}
	if l.written.app == a {
		l.written = appEntry{}
	}
	if a.gate != nil {
		a.leaveGate()
	}
}

func (l *Leaf) unfile(a *App) {
	l.removeEntry(a)
	if l.startOrder != nil && l.startOrder.Has(a.slot) {
		l.startOrder.Remove(a.slot)
	}
}

// Row describes what waits in the leaf, if anything does, and reports whether the row was another one before. It is always
// the same row.
func (l *Leaf) Row(r *pending.Row, now time.Duration) (waits, changed bool) {
	may := l.MayReserve(now)
	if l.described && may == l.describedReserve {
		return l.waits, false
	}
	l.described, l.describedReserve = true, may
	if l.waits = l.order.Len() > 0; !l.waits {
		return false, false
	}
	changed = r.Of(l.order)
	for _, g := range l.gates.open {
		r.Include(g.waiting, g.openedAt)
		changed = true
	}
	if !may {
		r.NoDelayedReserve()
		changed = true
	}
	return true, changed
}

// MayReserve reports whether the leaf may make a reservation at a time.
func (l *Leaf) MayReserve(now time.Duration) bool {
	return l.Reserved == NoSlot && (l.ExpiredAt == 0 || now >= l.BannedUntil) // before 1970 times are below 0
}

// Next returns the first application that the search passes, or nil.
func (l *Leaf) Next(s *pending.Search) *App {
	if l.first == nil {
		slot := l.firstRow.Head(l.order)
		if slot == index.None {
			return nil
		}
		l.first = l.apps.Items[slot]
	}
	if s.PassRow(&l.firstRow) {
		return l.first
	}
	slot := l.order.First(s.Pass, nil)
	if slot == index.None {
		return nil
	}
	return l.apps.Items[slot]
}

// Fail notes that nothing of the application could be placed in this world.
func (l *Leaf) Fail(a *App, world uint64) {
	a.failed = world
	l.file(a)
}

// ComesBefore compares the places of two applications that have pending asks.
func (l *Leaf) ComesBefore(a, b *App) bool {
	return slices.Compare(l.order.Key(a.slot), l.order.Key(b.slot)) < 0
}

// Each calls yield with the applications that have pending asks, in order.
func (l *Leaf) Each(yield func(*App) bool) {
	l.order.Each(func(slot int32) bool { return yield(l.apps.Items[slot]) })
}
