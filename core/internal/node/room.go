package node

import (
	"slices"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/domain"
	"github.com/quern-project/quern/core/resource"
)

// mostRooms bounds the number of classes whose room is kept.
const mostRooms = 256

// room is the number of asks of a class that the nodes of each domain have room for. Contested nodes are left out, since only some asks may
// take them. It follows the change log, so that a search costs no more than the nodes that have changed (BenchmarkGangsInRacks).
type room struct {
	class      class.Class
	on         []int64     // by slot
	of         []domain.ID // by slot and level: the domains that count the node
	membership []uint32    // by slot: nodes.View.Membership when admits was found
	admits     []bool      // by slot: the node meets the constraints of the class
	in         []int64     // by domain
	whole      int64       // of all nodes
	most       []int64     // by level: upper bound of the room in its domains; last, of that on a node
	read       Cursor
	used       uint64

	listed  bool        // changed lists the domains whose room changes
	changed []domain.ID // each once
	marked  []bool      // by domain: it is in changed
}

// Rooms reads the room in regions for the asks of a class.
type Rooms struct {
	x      *room
	finder *finder
	extra  *extraRoom // of contested nodes; nil: none
}

// extraRoom is the room on nodes that a room leaves out.
type extraRoom struct {
	in    map[domain.ID]int64
	on    map[int32]int64
	whole int64
}

// Contest says which contested nodes some ask may take, and what it has to leave free there.
type Contest struct {
	Nodes []int32                        // all that it may take
	Held  func(n int32) resource.Amounts // may have the length 0; nil: it has to leave nothing
}

// room returns how many asks of a class the free room of a node takes.
func (k *Contest) room(free []int64, c class.Class, n int32) int64 {
	if k.Held == nil {
		return holds(free, c)
	}
	left := resource.Vec(free).Amounts().Clone()
	for t, amount := range k.Held(n).All {
		left[t] = max(0, resource.Sub(left[t], amount))
	}
	return holds(left, c)
}

// Rooms returns the room for a class, on all nodes that are not contested and on some that are. It does not ask the predicates of the class.
// It is brought up to date by the next call for the class.
func (p *finder) Rooms(c class.Class, contest Contest) Rooms {
	r := Rooms{x: p.roomOf(c), finder: p}
	r.x.sync(p)
	if len(contest.Nodes) > 0 {
		r.extra = r.x.extraOn(p, &contest)
	}
	return r
}

// roomOf returns the room for a class.
func (p *finder) roomOf(c class.Class) *room {
	x := p.domains.rooms[c.ID()]
	if x == nil {
		if p.domains.rooms == nil {
			p.domains.rooms = map[uint64]*room{}
		}
		if len(p.domains.rooms) >= mostRooms {
			delete(p.domains.rooms, p.oldestRoom())
		}
		x = &room{class: c}
		p.domains.rooms[c.ID()] = x
	}
	p.clock++
	x.used = p.clock
	return x
}

// extraOn returns the room on contested nodes.
func (x *room) extraOn(p *finder, contest *Contest) *extraRoom {
	v := p.Domains()
	extra := &extraRoom{in: map[domain.ID]int64{}, on: map[int32]int64{}}
	for _, n := range contest.Nodes {
		if !p.Available(n) || p.Hold(n).IsRequired() && x.class.Node() == "" || !p.meets(n, x.class) {
			continue
		}
		room := contest.room(p.free.of(n), x.class, n)
		extra.on[n] = room
		extra.whole += room
		for level := range v.Levels() {
			if d := v.Of(n, level); d != domain.None {
				extra.in[d] += room
			}
		}
	}
	return extra
}

// CountRooms returns the room for a class on the nodes that admit it and, if they are contested, that it may take. It takes time proportional
// to the number of nodes.
func (p *finder) CountRooms(c class.Class, contest Contest) Rooms {
	p.sync()
	v := p.Domains()
	x := &room{class: c, in: make([]int64, v.Len())}
	for n := range p.Sorted().All {
		x.on = extend(x.on, n, 0)
		hold := p.Hold(n)
		if !p.Available(n) || hold.IsRequired() && c.Node() == "" || hold.IsContested() && !slices.Contains(contest.Nodes, n) || !p.Admits(c, n) {
			continue
		}
		room := holds(p.free.of(n), c)
		if hold.IsContested() {
			room = contest.room(p.free.of(n), c, n)
		}
		x.on[n] = room
		x.whole += room
		for level := range v.Levels() {
			if d := v.Of(n, level); d != domain.None {
				x.in[d] += room
			}
		}
	}
	return Rooms{x: x, finder: p}
}

// Of returns the room in a region.
func (r Rooms) Of(region Region) int64 {
	switch {
	case region == Nowhere():
		return 0
	case region.kind == singleNode:
		return r.On(region.node)
	case region.kind == wholeDomain:
		return r.In(region.domain)
	}
	rest := r.In(region.domain)
	for d := range r.finder.domains.tree.View().Below(region.domain).All {
		rest -= r.In(d)
	}
	return rest
}

func (p *finder) oldestRoom() uint64 {
	oldest, at := uint64(0), p.clock+1
	for id, x := range p.domains.rooms {
		if x.used < at {
			oldest, at = id, x.used
		}
	}
	return oldest
}

// Holds reports whether some domain of a level has room for a number of asks, or some node if there is no such level.
func (r Rooms) Holds(level int, asks int64) bool {
	x, v := r.x, r.finder.domains.tree.View()
	extra := int64(0) // all in one domain, at most
	if r.extra != nil {
		extra = r.extra.whole
	}
	if len(x.most) <= level || x.most[level]+extra < asks {
		return false
	}
	x.most[level] = 0 // the bound may be of a domain that had more room
	if level == v.Levels() {
		for _, room := range x.on {
			x.most[level] = max(x.most[level], room)
		}
	} else {
		for d := range v.AtLevel(level).All {
			x.most[level] = max(x.most[level], x.in[d])
		}
	}
	return x.most[level]+extra >= asks
}

// In returns the room in a domain; domain.None stands for all nodes.
func (r Rooms) In(d domain.ID) (room int64) {
	switch {
	case d == domain.None:
		room = r.x.whole
		if r.extra != nil {
			room += r.extra.whole
		}
		return room
	case int(d) < len(r.x.in):
		room = r.x.in[d]
	}
	if r.extra != nil {
		room += r.extra.in[d]
	}
	return room
}

// On returns the room on a node.
func (r Rooms) On(slot int32) (room int64) {
	if int(slot) < len(r.x.on) {
		room = r.x.on[slot]
	}
	if r.extra != nil {
		room += r.extra.on[slot]
	}
	return room
}

// sync follows the changes of nodes.
func (x *room) sync(p *finder) {
	p.sync()
	v := p.Domains()
	slots, all := p.changes(&x.read)
	if all {
		for slot := range int32(p.Slots()) {
			x.count(p, v, slot)
		}
	}
	for _, slot := range slots {
		x.count(p, v, slot)
	}
}

// count counts the room on a node in its domains, which may be others than before.
func (x *room) count(p *finder, v domain.View, slot int32) {
	levels := v.Levels()
	if int(slot) >= len(x.on) {
		x.on, x.membership, x.admits = extend(x.on, slot, 0), extend(x.membership, slot, 0), extend(x.admits, slot, false)
		for len(x.of) < (int(slot)+1)*levels {
			x.of = append(x.of, domain.None)
		}
	}
	for len(x.in) < v.Len() {
		x.in = append(x.in, 0)
	}
	was, now := x.on[slot], x.roomOn(p, slot)
	x.on[slot] = now
	x.whole += now - was
	for len(x.most) <= levels {
		x.most = append(x.most, 0)
	}
	x.most[levels] = max(x.most[levels], now)
	of := x.of[int(slot)*levels:][:levels]
	for level, before := range of {
		after := v.Of(slot, level)
		if before == after && was == now {
			continue
		}
		if of[level] = after; before != domain.None {
			x.add(before, -was)
		}
		if after != domain.None {
			x.add(after, now)
			x.most[level] = max(x.most[level], x.in[after])
		}
	}
}

// add adds to the room in a domain.
func (x *room) add(d domain.ID, more int64) {
	x.in[d] += more
	if !x.listed {
		return
	}
	if x.marked = extend(x.marked, int32(d), false); !x.marked[d] {
		x.marked[d], x.changed = true, append(x.changed, d)
	}
}

// clearChanged empties the list of domains whose room has changed.
func (x *room) clearChanged() {
	for _, d := range x.changed {
		x.marked[d] = false
	}
	x.changed = x.changed[:0]
}

// meets reports whether a node meets a class's required node and constraints.
func (p *finder) meets(slot int32, c class.Class) bool {
	return (c.Node() == "" || c.Node() == p.ID(slot)) && p.Allows(slot, c.Constraints())
}

// roomOn returns how many asks of the class a node has room for.
func (x *room) roomOn(p *finder, slot int32) int64 {
	state := p.State(slot)
	if state.Membership == 0 {
		return 0
	}
	if x.membership[slot] != state.Membership {
		x.membership[slot], x.admits[slot] = state.Membership, p.meets(slot, x.class)
	}
	if !x.admits[slot] || !state.Available() || state.Hold.IsContested() {
		return 0
	}
	return holds(p.free.of(slot), x.class)
}

// holds returns how many asks of a class some room is enough for.
func holds(free []int64, c class.Class) int64 {
	most := int64(-1)
	for need := range c.RoomNeeds().All {
		if n := free[need.Lane] / need.Min; most < 0 || n < most {
			most = n
		}
	}
	return max(most, 0)
}
