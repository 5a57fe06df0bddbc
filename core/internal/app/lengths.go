package app

import (
	"time"

	"github.com/quern-project/quern/core/instant"
	heaps "github.com/quern-project/quern/core/internal/heap"
	"github.com/quern-project/quern/core/policy"
)

// lengths finds the longest walltime of an application's pending asks, for a policy that reads it. Asks are not removed when they go or change;
// stays checks them.
type lengths struct{ heap []length }

// length is the walltime of an ask or, if it has none, instant.Never.
type length struct {
	limit time.Duration
	seq   uint64 // of the ask, since its slot is reused
	ask   Slot
}

// Before sorts the longest first.
func (l *length) Before(other *length) bool { return l.limit > other.limit }

// spareLengths is the number of outdated entries beyond as many as there are of others, from which the heap is made again.
const spareLengths = 16

// length returns the walltime of an ask, or instant.Never.
func (a Ask) length() time.Duration {
	if limit := a.Walltime().Limit; limit > 0 {
		return limit
	}
	return instant.Never
}

func (l *lengths) add(a Ask) {
	l.heap = heaps.Push(l.heap, length{a.length(), a.Seq(), a.slot})
}

// addLength must be called when a pending ask is added, or gets another walltime.
func (a *application) addLength(ask Ask) {
	switch {
	case a.lengths == nil:
	case len(a.lengths.heap) > 2*int(a.waits)+spareLengths:
		a.lengths = nil // most entries are outdated
	default:
		a.lengths.add(ask)
	}
}

// stays reports whether an entry is that of an ask that is still pending, with the same walltime.
func (l *length) stays(in *reader, of *application) bool {
	ask := Ask{in, l.ask}
	return in.rows.Seq(l.ask) == l.seq && !in.rows.IsRemoved(l.ask) && in.rows.App(l.ask) == int32(of.number) && ask.Pending() && ask.length() == l.limit
}

// longest returns the longest walltime of the pending asks. ok is false if one has none, or nothing is pending.
func (a *application) longest() (limit time.Duration, ok bool) {
	if a.lengths == nil {
		a.lengths = &lengths{}
		a.Pending(func(ask Ask) bool { a.lengths.add(ask); return true })
	}
	l := a.lengths
	for len(l.heap) > 0 {
		if first := &l.heap[0]; first.stays(a.asks, a) {
			return first.limit, first.limit != instant.Never
		}
		_, l.heap = heaps.Pop(l.heap)
	}
	return 0, false
}

// WalltimeChanged must be called when the walltime of a pending ask changes. It reports whether a policy may read it, so that the order may
// change.
func (a *Record) WalltimeChanged(ask Ask) bool {
	a.addLength(ask)
	k := a.module
	read := a.leaf.readsWalltimes
	if k != nil && a.leaf.askOrder.Module.Points[policy.AskOrder].Reads(policy.ColumnKind.OfWalltime) {
		k.table.Touch(ask.order().row)
		read = true
	}
	if read {
		a.leaf.queue(&a.application)
	}
	return read
}
