// Package aged owns the aged usage of a partition: of queues, by whose parent's half-life it ages, and of the users in leaves that share by
// user.
//
// Ledger is the owner. Package state has one, and only state changes it. Others read it through View, which computes the aged usage at an
// instant and stores nothing. A record stays under its path, and the name of its user, while its queue is gone or its user uses nothing.
//
// The aged usage A of a type follows dA/dt = (U - A) ln(2)/H, where U is usage and H the half-life. A record advances only where its usage
// changes, in one step from the last change, rounded down. So a scheduler that was asked more often decides alike.
package aged

import (
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/decay"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// ID identifies a record. It is reused after Remove.
type ID table.ID

// None is the ID that no record has.
const None ID = 0

// Name says whose usage a record is about: that of a queue or, in a leaf, that of a user.
type Name struct {
	Path   string
	User   string
	OfUser bool
}

// Ledger is the owner. Make it with New.
type Ledger struct {
	width  int // number of types
	rows   *table.Dense[row]
	totals *table.Dense[total] // by record and type
	names  []Name
	free   []ID
	byName map[Name]ID
	shared bool // versions share names, free and byName
}

// row is a record without its amounts.
type row struct {
	halfLife instant.Delay // 0: usage does not age, so that only current usage counts
	at       time.Duration // of the last change of usage or of the half-life
	since    time.Duration // since when the user uses nothing, or the queue is gone; see idle
	idle     bool
	used     bool // the ID is in use
}

// total holds the amounts of a type.
type total struct {
	aged  decay.Amount // at row.at
	shown decay.Amount // at the last multiple of the period before row.at
	usage int64        // since row.at
}

// New makes a ledger without records for a number of types.
func New(width int) *Ledger {
	l := &Ledger{width: width, rows: table.NewDense[row](), totals: table.NewDense[total](), names: make([]Name, 1), byName: map[Name]ID{}}
	l.rows.Grow(1)
	l.totals.Grow(width)
	return l
}

// Widen adapts the records to a new number of types.
func (l *Ledger) Widen(width int) {
	before, old := l.totals.Peek(), l.width
	l.width, l.totals = width, table.NewDense[total]()
	l.totals.Grow(len(l.names) * width)
	all := l.totals.Edit()
	for id := range l.names {
		copy(all[id*width:][:width], before[id*old:][:old])
	}
}

// own copies what versions share, before it changes.
func (l *Ledger) own() {
	if l.shared {
		l.shared = false
		l.names, l.free, l.byName = cloneNames(l.names, l.free, l.byName)
	}
}

// Start makes a record whose aged usage is 0 now. None may have its name.
func (l *Ledger) Start(name Name, halfLife instant.Delay, now time.Duration) ID {
	l.own()
	id := ID(len(l.names))
	if n := len(l.free); n > 0 {
		id, l.free = l.free[n-1], l.free[:n-1]
		l.names[id] = name
	} else {
		l.names = append(l.names, name)
		l.rows.Grow(len(l.names))
		l.totals.Grow(len(l.names) * l.width)
	}
	l.rows.Edit()[id] = row{halfLife: halfLife, at: now, since: now, idle: name.OfUser, used: true}
	clear(l.of(id))
	l.byName[name] = id
	return id
}

// of returns the amounts of a record for changes.
func (l *Ledger) of(id ID) []total { return l.totals.Edit()[int(id)*l.width:][:l.width] }

// Remove forgets a record.
func (l *Ledger) Remove(id ID) {
	l.own()
	delete(l.byName, l.names[id])
	l.names[id], l.rows.Edit()[id] = Name{}, row{}
	l.free = append(l.free, id)
}

// Use adds a demand to the usage of a record from now on.
func (l *Ledger) Use(id ID, now time.Duration, demand resource.Amounts) { l.change(id, now, demand, 1) }

// Free subtracts a demand from the usage of a record from now on.
func (l *Ledger) Free(id ID, now time.Duration, demand resource.Amounts) {
	l.change(id, now, demand, -1)
}

func (l *Ledger) change(id ID, now time.Duration, demand resource.Amounts, sign int64) {
	r := &l.rows.Edit()[id]
	if r.at != now {
		l.advance(id, r, now)
	}
	all := l.of(id)
	for t := range demand.Len() {
		all[t].usage += sign * demand.At(t)
	}
	if l.names[id].OfUser {
		if idle := sumsToZero(all); idle != r.idle {
			r.idle, r.since = idle, now
		}
	}
}

func sumsToZero(all []total) bool {
	for t := range all {
		if all[t].usage != 0 {
			return false
		}
	}
	return true
}

// advance brings a record to an instant after its last change. If a multiple of its period has passed, it keeps the amounts at the last one.
func (l *Ledger) advance(id ID, r *row, now time.Duration) {
	all, multiple := l.of(id), Multiple(now, r.halfLife)
	if multiple >= r.at {
		f := r.factor(multiple)
		for t := range all {
			all[t].shown = all[t].aged.Toward(all[t].usage, f)
		}
		if r.forgotten(multiple) {
			for t := range all {
				all[t].shown = decay.Amount{}
			}
		}
	}
	f, forgotten := r.factor(now), r.forgotten(now)
	for t := range all {
		if all[t].aged = all[t].aged.Toward(all[t].usage, f); forgotten {
			all[t].aged = decay.Amount{}
		}
	}
	r.at = now
}

// SetHalfLife changes the half-life of a record from now on. Until the next multiple of the new period, its aged usage now counts. Usage that
// has not aged before begins with an aged usage of 0.
func (l *Ledger) SetHalfLife(id ID, halfLife instant.Delay, now time.Duration) {
	r := &l.rows.Edit()[id]
	if r.halfLife == halfLife {
		return
	}
	if r.at != now {
		l.advance(id, r, now)
	}
	begins := r.halfLife == 0
	r.halfLife = halfLife
	begins = begins || r.forgotten(now)
	all := l.of(id)
	for t := range all {
		if begins {
			all[t].aged = decay.Amount{}
		}
		all[t].shown = all[t].aged
	}
}

// Leave records that the queue of a record is gone.
func (l *Ledger) Leave(id ID, now time.Duration) {
	if r := &l.rows.Edit()[id]; !r.idle {
		r.idle, r.since = true, now
	}
}

// Return records that the queue of a record is there again.
func (l *Ledger) Return(id ID, now time.Duration) {
	r := &l.rows.Edit()[id]
	if !r.idle {
		return
	}
	if r.forgotten(now) {
		l.advance(id, r, now)
	}
	r.idle = false
}
