package app

import "sort"

// InOrder reads the pending asks of a turn one by one, in the order of its application: of a waiting gang only the first member, and none that
// searches do not find. It is valid until an ask of the application changes.
type InOrder struct {
	app    *application
	groups []groupReader // a heap by their next asks
}

// groupReader reads the asks of one group.
type groupReader struct {
	group *askGroup
	next  Ask
	list  int    // in group.lists
	rest  []Slot // after next, if the group has no lists
}

// InOrder returns a reader of the asks of the turn.
func (t Turn) InOrder() InOrder {
	x := InOrder{app: t.application}
	a := t.application
	if a.groups == nil {
		if !a.onlyGroup.empty() && !t.Surplus {
			x.add(&a.onlyGroup)
		}
		return x
	}
	order := a.groups.order
	if t.Surplus {
		order = a.groups.surplus
	}
	if order != nil {
		order.Each(func(slot int32) bool { x.add(a.groups.slots.Items[slot]); return true })
	}
	return x
}

func (x *InOrder) add(g *askGroup) {
	if g.empty() || g.hidden() {
		return
	}
	r := groupReader{group: g, next: g.head()}
	if g.inHeap && g.gang == nil {
		r.rest = g.heap.sorted()[1:]
	}
	x.groups = append(x.groups, r)
	x.rise(len(x.groups) - 1)
}

// Next returns the next ask, or none.
func (x *InOrder) Next() Ask {
	if len(x.groups) == 0 {
		return Ask{}
	}
	r := &x.groups[0]
	ask := r.next
	if r.advance(); r.next.IsNone() {
		x.drop()
	} else {
		x.sink(0)
	}
	return ask
}

// advance moves to the next ask of the group.
func (r *groupReader) advance() {
	g := r.group
	switch {
	case g.gang != nil:
		r.next = Ask{}
	case g.inHeap && len(r.rest) == 0:
		r.next = Ask{}
	case g.inHeap:
		r.next, r.rest = Ask{g.in, r.rest[0]}, r.rest[1:]
	default:
		if slot := r.next.order().next; slot != NoSlot {
			r.next = Ask{g.in, slot}
		} else if r.list++; r.list < len(g.lists) {
			r.next = Ask{g.in, g.lists[r.list].asks.first}
		} else {
			r.next = Ask{}
		}
	}
}

// SkipLike drops the asks that come later and are of the group of an ask, the last one that Next returned.
func (x *InOrder) SkipLike(ask Ask) {
	g := x.app.group(ask)
	for i := range x.groups {
		if x.groups[i].group == g {
			last := len(x.groups) - 1
			x.groups[i] = x.groups[last]
			x.groups = x.groups[:last]
			if i < last {
				x.sink(i)
				x.rise(i)
			}
			return
		}
	}
}

func (x *InOrder) drop() {
	last := len(x.groups) - 1
	x.groups[0] = x.groups[last]
	x.groups = x.groups[:last]
	if last > 0 {
		x.sink(0)
	}
}

func (x *InOrder) before(i, j int) bool { return x.app.Before(x.groups[i].next, x.groups[j].next) }

func (x *InOrder) rise(i int) {
	for i > 0 && x.before(i, (i-1)/2) {
		x.groups[i], x.groups[(i-1)/2] = x.groups[(i-1)/2], x.groups[i]
		i = (i - 1) / 2
	}
}

func (x *InOrder) sink(i int) {
	for {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(x.groups); c++ {
			if x.before(c, least) {
				least = c
			}
		}
		if least == i {
			return
		}
		x.groups[i], x.groups[least] = x.groups[least], x.groups[i]
		i = least
	}
}

// sorted returns the asks of the heap in order.
func (h *askHeap) sorted() []Slot {
	list := make([]entry, len(h.asks.entries))
	copy(list, h.asks.entries)
	sort.Slice(list, func(i, j int) bool { return h.asks.before(&list[i], &list[j]) })
	slots := make([]Slot, len(list))
	for i := range list {
		slots[i] = list[i].ask
	}
	return slots
}
