package app

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/gangs"
)

// Owner is an Asks that can be changed, with the records of its applications. Only package state has one; others get its Asks, whose
// applications and leaves have no methods but those that read, and those that record what searches found out.
type Owner struct {
	reader
	records []*Record // by number; nil if no row has it
}

// Record is an App that can be changed. Only its Owner hands it out.
type Record struct{ application }

// OwnedLeaf is a Leaf that can be changed.
type OwnedLeaf struct{ leaf }

// NewOwner makes an owner of the orders of asks and applications. The classes are in a registry.
func NewOwner(rows asks.View, values apps.View, ofGangs gangs.View, classes class.View) *Owner {
	o := &Owner{reader: reader{rows: rows, values: values, gangValues: ofGangs, classes: classes, apps: []*application{nil}}}
	o.gangs.Take(nil)
	return o
}

// Asks returns the reader. It stays valid.
func (o *Owner) Asks() Asks { return Asks{&o.reader} }

// NewApp makes the orders of an application with a number. OwnedLeaf.Admit adds it to a leaf.
func (o *Owner) NewApp(number apps.ID) *Record {
	a := &Record{application{asks: &o.reader, number: number}}
	for int(number) >= len(o.records) {
		o.records = append(o.records, nil)
	}
	for int(number) >= len(o.apps) {
		o.apps = append(o.apps, nil)
	}
	o.records[number], o.apps[number] = a, &a.application
	return a
}

// App returns the reader of the application. It stays valid.
func (a *Record) App() App { return App{&a.application} }

// Edit returns the record of an application.
func (o *Owner) Edit(a App) *Record { return o.records[a.number] }

// Forget removes an application whose number is being freed. Timers may still refer to it, and find that it has ended.
func (o *Owner) Forget(a App) {
	o.records[a.number], o.apps[a.number] = nil, nil
	a.number = apps.None
}

// Begin prepares the slot of a new ask, and returns the ask.
func (o *Owner) Begin(slot Slot) Ask {
	for int(slot) >= len(o.orders)*ordersInPage {
		o.orders = append(o.orders, new([ordersInPage]order))
	}
	*o.order(slot) = order{}
	return Ask{&o.reader, slot}
}

// UpdateAsk sorts a pending ask again after its priority, its reservation or its claim has changed.
func (a *Record) UpdateAsk(ask Ask) { a.updateAsk(ask) }

// UpdateTask sorts a pending task in again if its hold has changed.
func (a *Record) UpdateTask(ask Ask) { a.updateTask(ask) }

// MarkChanged records a change of the application after which its asks may be allocated.
func (a *Record) MarkChanged(shrinkEpoch uint64) { a.markChanged(shrinkEpoch) }

// SetLimits sets the limits that apply to the application, of its user and of the group that it counts for. No trackers: there are none.
func (a *Record) SetLimits(group string, of limit.Trackers) {
	a.limits = nil
	if of.Len() > 0 {
		a.limits = &limits{group: group, trackers: of}
	}
}

// AddGang adds an atomic gang to the application.
func (a *Record) AddGang(row AtomicRow) AtomicGang {
	g := &atomicGang{row: row}
	g.number = a.asks.gangs.Take(g)
	a.listGang(g)
	return AtomicGang{g}
}

// listGang lists a gang among those of the application and, if it gives a largest size, of the partition.
func (a *application) listGang(g *atomicGang) {
	a.atomicGangs = append(a.atomicGangs, g)
	if g.row.Max > 0 {
		a.asks.elastic = append(a.asks.elastic, Unit{App{a}, AtomicGang{g}})
	}
}

// EditGang returns the state of one of its atomic gangs for changes.
func (a *Record) EditGang(g AtomicGang) *AtomicRow { return &g.row }

// EndGang removes an atomic gang that has no members from the application. Its number stays in use until ForgetGang.
func (a *Record) EndGang(g AtomicGang) {
	a.atomicGangs = slices.DeleteFunc(a.atomicGangs, func(other *atomicGang) bool { return other == g.atomicGang })
	if g.row.Max > 0 {
		a.asks.elastic = slices.DeleteFunc(a.asks.elastic, func(u Unit) bool { return u.gang == g })
	}
}

// ForgetGang frees the number of an atomic gang. No row may contain it any more.
func (o *Owner) ForgetGang(g AtomicGang) { o.gangs.Free(g.number) }

// Leaf returns the reader.
func (l *OwnedLeaf) Leaf() Leaf { return Leaf{&l.leaf} }

// SetID sets the number of the leaf.
func (l *OwnedLeaf) SetID(id int) { l.id = id }

// SortByPriority sets whether the priority of asks is the first sort key. Call SetOrder afterwards.
func (l *OwnedLeaf) SortByPriority(is bool) { l.prioritySort = is }

// SetReserved sets the ask that has the one ordinary reservation of the leaf, or NoSlot.
func (l *OwnedLeaf) SetReserved(slot Slot) { l.reserved = slot }

// Ban forbids reservations until a time, after a reservation expired at an event number.
func (l *OwnedLeaf) Ban(until time.Duration, expiredAt uint64) {
	l.bannedUntil, l.expiredAt = until, expiredAt
}

// EndBan makes the timer of a ban void.
func (l *OwnedLeaf) EndBan() { l.bannedUntil = 0 }
