package aged

import (
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/decay"
	"github.com/quern-project/quern/core/internal/state/internal/table"
)

// Frozen is an immutable version of a ledger. Any goroutine may fork it.
type Frozen struct {
	width  int
	rows   table.FrozenDense[row]
	totals table.FrozenDense[total]
	names  []Name
	free   []ID
	byName map[Name]ID
}

// Freeze returns an immutable version, in constant time.
func (l *Ledger) Freeze() *Frozen {
	l.shared = true
	return &Frozen{l.width, l.rows.Freeze(), l.totals.Freeze(), l.names, l.free, l.byName}
}

// Fork returns a ledger that starts with the records of the version, under the same IDs.
func (f *Frozen) Fork() *Ledger {
	return &Ledger{width: f.width, rows: f.rows.Fork(), totals: f.totals.Fork(), names: f.names, free: f.free, byName: f.byName, shared: true}
}

func cloneNames(names []Name, free []ID, byName map[Name]ID) ([]Name, []ID, map[Name]ID) {
	return slices.Clone(names), slices.Clone(free), maps.Clone(byName)
}

// Record holds what a snapshot has of a record. Its usage follows from the allocations.
type Record struct {
	Name
	HalfLife instant.Delay
	At       time.Duration  // of the last change
	Since    *time.Duration // since when its user uses nothing, or its queue is gone; nil if it does not
	Amounts  []Amounts      // by type
}

// Amounts are the aged usage of a type at the last change, and at the last multiple of the period before that.
type Amounts struct{ Aged, Shown decay.Amount }

// Record returns a record for a snapshot.
func (v View) Record(id ID) Record {
	r := &v.l.rows.Peek()[id]
	out := Record{Name: v.l.names[id], HalfLife: r.halfLife, At: r.at, Amounts: make([]Amounts, v.l.width)}
	if r.idle {
		since := r.since
		out.Since = &since
	}
	for t := range out.Amounts {
		of := &v.l.totals.Peek()[int(id)*v.l.width+t]
		out.Amounts[t] = Amounts{of.aged, of.shown}
	}
	return out
}

// Restore adds the record of a snapshot with its current usage, by type. None may have its name.
func (l *Ledger) Restore(m *Record, usage []int64) ID {
	id := l.Start(m.Name, m.HalfLife, m.At)
	r := &l.rows.Edit()[id]
	if r.idle = m.Since != nil; r.idle {
		r.since = *m.Since
	}
	all := l.of(id)
	for t := range all {
		all[t] = total{m.Amounts[t].Aged, m.Amounts[t].Shown, usage[t]}
	}
	return id
}
