package aged

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/decay"
	"github.com/quern-project/quern/core/resource"
)

// View reads a ledger.
type View struct{ l *Ledger }

// View returns a read-only view.
func (l *Ledger) View() View { return View{l} }

// Find returns the record with a name, or None.
func (v View) Find(name Name) ID { return v.l.byName[name] }

// Name returns the name of a record.
func (v View) Name(id ID) Name { return v.l.names[id] }

// HalfLife returns the half-life of a record, or 0 if its usage does not age.
func (v View) HalfLife(id ID) instant.Delay { return v.l.rows.Peek()[id].halfLife }

// Usage returns the current usage of a type.
func (v View) Usage(id ID, t int) int64 { return v.l.totals.Peek()[int(id)*v.l.width+t].usage }

// At returns the aged usage of a type at an instant, which must not be before the last change.
func (v View) At(id ID, t int, at time.Duration) decay.Amount {
	r, of := &v.l.rows.Peek()[id], &v.l.totals.Peek()[int(id)*v.l.width+t]
	if r.forgotten(at) {
		return decay.Amount{}
	}
	return of.aged.Toward(of.usage, r.factor(at))
}

// Reader computes what the order compares of one record. Making one costs more than reading a type.
type Reader struct {
	totals    []total
	since     decay.Factor // from the last change to the last multiple
	ahead     decay.Factor
	stored    bool // the amounts at the last multiple are stored, since usage has changed after it
	forgotten bool
}

// Shown returns a reader of the usage E that orders compare now: of the aged usage at the last multiple of the period, and of current usage,
// each with its weight. ahead is the weight of the first.
func (v View) Shown(id ID, now time.Duration, ahead decay.Factor) Reader {
	row := &v.l.rows.Peek()[id]
	r := Reader{totals: v.l.totals.Peek()[int(id)*v.l.width:][:v.l.width], ahead: ahead}
	multiple := Multiple(now, row.halfLife)
	if r.stored = multiple < row.at; !r.stored {
		r.since, r.forgotten = row.factor(multiple), row.forgotten(multiple)
	}
	return r
}

// Type returns the usage of a type.
func (r *Reader) Type(t int) decay.Amount { return r.TypeWith(t, 0) }

// TypeWith is Type as if more were used now.
func (r *Reader) TypeWith(t int, more int64) decay.Amount {
	return r.Aged(t).Toward(resource.Add(r.totals[t].usage, more), r.ahead)
}

// Aged returns the aged usage of a type at the last multiple of the period.
func (r *Reader) Aged(t int) decay.Amount {
	of := &r.totals[t]
	switch {
	case r.stored:
		return of.shown
	case r.forgotten:
		return decay.Amount{}
	}
	return of.aged.Toward(of.usage, r.since)
}

// Outdated reports whether a record can be removed without a trace: its user or queue is gone for so long that it counts no more.
func (v View) Outdated(id ID, now time.Duration) bool {
	r := &v.l.rows.Peek()[id]
	return r.forgotten(Multiple(now, r.halfLife))
}

// All returns the records by name, those of a queue before those of its users.
func (v View) All() []ID {
	list := make([]ID, 0, len(v.l.byName))
	for id := range v.l.names {
		if v.l.rows.Peek()[id].used {
			list = append(list, ID(id))
		}
	}
	slices.SortFunc(list, func(a, b ID) int { return compareNames(v.l.names[a], v.l.names[b]) })
	return list
}

func compareNames(a, b Name) int {
	if c := cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.User, b.User)); c != 0 {
		return c
	}
	switch {
	case a.OfUser == b.OfUser:
		return 0
	case b.OfUser:
		return -1
	}
	return 1
}

// Users returns the records of users in a leaf, by name.
func (v View) Users(path string) (list []ID) {
	for id := range v.l.names {
		if name := &v.l.names[id]; name.OfUser && name.Path == path {
			list = append(list, ID(id))
		}
	}
	slices.SortFunc(list, func(a, b ID) int { return strings.Compare(v.l.names[a].User, v.l.names[b].User) })
	return list
}

// Len returns the number of records.
func (v View) Len() int { return len(v.l.byName) }
