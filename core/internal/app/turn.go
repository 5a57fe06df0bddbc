package app

import (
	"slices"

	"github.com/quern-project/quern/core/internal/demandrow"
	"github.com/quern-project/quern/core/internal/index"
)

// Turn is a place of an application in the order of its leaf. An application with surplus asks has two: one for them, after all other asks
// of equal priority in the leaf, and one for its other asks.
type Turn struct {
	App
	Surplus bool
}

// Turn returns the turn in which searches try a pending ask.
func (a Ask) Turn() Turn { return Turn{a.App(), a.IsSurplus()} }

// Asks calls yield with the pending asks that are tried in the turn, in no particular order.
func (t Turn) Asks(yield func(Ask) bool) {
	t.Pending(func(ask Ask) bool { return ask.IsSurplus() != t.Surplus || yield(ask) })
}

// Len returns the number of pending asks that are tried in the turn.
func (t Turn) Len() (n int) {
	if !t.Surplus && !t.hasSurplus() {
		return t.PendingAsks()
	}
	t.Asks(func(Ask) bool { n++; return true })
	return n
}

// Next returns the next candidate in a turn that Leaf.Next returned for the same search: the first ask of the first group that passes the
// search, or none.
func (t Turn) Next(s *demandrow.Search) Ask {
	a := t.application
	if a.groups == nil { // the leaf's row describes the only group
		if a.onlyGroup.empty() || a.onlyGroup.failed >= s.ShrinkEpoch || a.onlyGroup.blockedBy != 0 {
			return Ask{}
		}
		return a.onlyGroup.head()
	}
	x := a.groups.order
	if t.Surplus {
		x = a.groups.surplus
	}
	if x == nil {
		return Ask{}
	}
	slot := x.FirstPassing(s) // the leaf has tested the summary
	if slot == index.None {
		return Ask{}
	}
	return a.groups.slots.Items[slot].head()
}

// Next returns the first turn that passes the search, or one of no application.
func (l *leaf) Next(s *demandrow.Search) Turn {
	first := Turn{App: l.next(s)}
	if !hasEntries(l.surplus) {
		return first
	}
	slot := l.surplus.FirstPassing(s)
	if slot == index.None {
		return first
	}
	if last := (Turn{App{l.apps.Items[slot]}, true}); first.IsNone() || l.ComesBefore(last, first) {
		return last
	}
	return first
}

// hasEntries reports whether an index exists and is not empty. Indexes of surplus asks are made when they are first needed.
func hasEntries(x *index.Index) bool { return x != nil && x.Len() > 0 }

// has reports whether an index exists and contains a slot.
func has(x *index.Index, slot int32) bool { return x != nil && x.Has(slot) }

// orderOf returns the order that contains a turn.
func (l *leaf) orderOf(t Turn) *index.Index {
	if t.Surplus {
		return l.surplus
	}
	return l.order
}

// Fail records that no ask of a turn could be allocated in a shrink epoch.
func (l *leaf) Fail(t Turn, shrinkEpoch uint64) {
	if t.Surplus {
		t.groups.surplusFailed = shrinkEpoch
	} else {
		t.failed = shrinkEpoch
	}
	l.file(t.application)
}

// Sorts reports whether a turn is in the order: it has pending asks, and has been sorted in.
func (l *leaf) Sorts(t Turn) bool { return has(l.orderOf(t), t.slot) }

// ComesBefore compares two turns with pending asks.
func (l *leaf) ComesBefore(a, b Turn) bool {
	return slices.Compare(l.orderOf(a).Key(a.slot), l.orderOf(b).Key(b.slot)) < 0
}

// Each calls yield with the turns that have pending asks, in order.
func (l *leaf) Each(yield func(Turn) bool) {
	merge(l.order, l.surplus, func(slot int32, second bool) bool { return yield(Turn{App{l.apps.Items[slot]}, second}) })
}

// Heads calls yield with the first pending ask of each group of the turn, in order.
func (t Turn) Heads(yield func(Ask) bool) {
	a := t.application
	if a.groups == nil {
		if !a.onlyGroup.empty() {
			yield(a.onlyGroup.head())
		}
		return
	}
	x := a.groups.order
	if t.Surplus {
		x = a.groups.surplus
	}
	if x != nil {
		x.Each(func(slot int32) bool { return a.yieldHead(slot, yield) })
	}
}

// Heads calls yield with the first pending ask of each group, in order.
func (a *application) Heads(yield func(Ask) bool) {
	if a.groups == nil {
		Turn{App: App{a}}.Heads(yield)
		return
	}
	merge(a.groups.order, a.groups.surplus, func(slot int32, _ bool) bool { return a.yieldHead(slot, yield) })
}

func (a *application) yieldHead(slot int32, yield func(Ask) bool) bool {
	g := a.groups.slots.Items[slot]
	return g.empty() || yield(g.head()) // a group is empty if its last ask was removed since the last sync
}

// merge calls yield with the slots of two indexes in the order of their keys. The second index may be nil.
func merge(x, y *index.Index, yield func(slot int32, second bool) bool) {
	var rest []int32
	if y != nil {
		y.Each(func(slot int32) bool { rest = append(rest, slot); return true })
	}
	more := true
	x.Each(func(slot int32) bool {
		for more && len(rest) > 0 && slices.Compare(y.Key(rest[0]), x.Key(slot)) < 0 {
			more, rest = yield(rest[0], true), rest[1:]
		}
		more = more && yield(slot, false)
		return more
	})
	for more && len(rest) > 0 {
		more, rest = yield(rest[0], true), rest[1:]
	}
}
