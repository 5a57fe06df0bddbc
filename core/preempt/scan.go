package preempt

import (
	"cmp"
	"math"
	"slices"

	"github.com/quern-project/quern/core/class"
	"github.com/quern-project/quern/core/resource"
)

// state is what is known of a node's offer.
type state uint8

const (
	unknown state = iota
	none          // nothing there is enough
	enough        // nobody has to leave there
	bounded       // a set may be there, and none that does less harm than the bound
	plain         // the best set is a few allocations that nothing protects: rows, and what they compare by
	solved        // the best set is known
)

// few is how many victims a plain offer may have.
const few = 4

// offer is what a node has for a problem, as far as it has been looked at.
type offer struct {
	state   state
	guarded bool       // guards stood in the way: with more slack there may be a better one
	pressed bool       // a max asked for more than the node's room did: with less of that there may be a better one
	floor              // harm is at least this
	prios   [few]int32 // from the highest, as many as count says, if it is not more
	oldest  uint64     // of its victims, by order of allocation; larger is better
	// A plain offer's rows, lowest priority first, and the rest of its harm.
	rows   [few]uint16
	shares [2]int64 // the largest in excess, -1 for none
	more   bool     // there are more than these
	types  int32    // bounded: how many types any victim uses at least
	call   uint32   // in which it was last looked at: there it is lawful
	set    *Set     // solved
	lost   *Set     // bounded: it was searched through, and has nothing better than this
	cut    *floor   // it was not searched through: it may have better, down to this
}

// floor is the harm that a node's sets do at least, in the first things that sets compare by.
type floor struct{ originators, optedOuts, top, count int32 }

func (a floor) compare(b floor) int {
	return cmp.Or(cmp.Compare(a.originators, b.originators), cmp.Compare(a.optedOuts, b.optedOuts), cmp.Compare(a.top, b.top), cmp.Compare(a.count, b.count))
}

// glimpse bounds a node's offer without looking at its rows one by one.
func (f *Finder) glimpse(p *problem, slot int32) offer {
	s := f.at(slot)
	o, done := f.first(p, s)
	if done {
		return o
	}
	o.state, o.count, o.types = bounded, 1, s.types
	for i := range f.cover.need {
		n := &f.cover.need[i]
		most := s.most[n.lane]
		if most == 0 {
			o.state = none
			return o
		}
		o.count = max(o.count, int32(min((n.value-1)/most+1, math.MaxInt32)))
	}
	first := &s.seen[0]
	if s.free == 0 { // how many protected ones, and of what priority, is not known
		protect := s.rows[0].protect
		o.floor = floor{int32(protect / originator), int32(protect % originator), math.MinInt32, 1}
		return o
	}
	o.top, o.oldest = first.prio, first.placed
	for i := range min(int(o.count), few) {
		o.prios[i] = first.prio
	}
	return o
}

// scan looks a node over. Steps are counted for what it reads.
func (f *Finder) scan(p *problem, slot int32) offer {
	s := f.at(slot)
	o, done := f.first(p, s)
	if done {
		return o
	}
	pressed := o.pressed
	o = f.weigh(p, s)
	o.pressed, o.call = pressed, f.call
	return o
}

// first looks at all of a node but its rows, and measures what has to become free there; done reports that nothing else
// matters.
func (f *Finder) first(p *problem, s *stand) (o offer, done bool) {
	if s.node == nil || p.Admits != nil && s.node.Schedulable && !p.Admits(s.node) {
		return offer{state: none}, true
	}
	c := &f.cover
	f.steps += 2
	pressed := c.measure(p, s)
	switch {
	case s.keeper != nil:
		return offer{state: c.afterKeeper(s, p), pressed: len(p.lacks) > 0}, true
	case !s.open || s.held && !p.MayTake(s.node):
		return offer{state: none}, true
	case len(c.need) == 0:
		return offer{state: enough}, true
	case s.mask&p.mask == 0, int64(s.lowest) > p.top:
		return offer{state: none, pressed: pressed}, true
	}
	return offer{pressed: pressed}, false
}

// cover is what has to become free on a node: for its room, and below each max that is lacking.
type cover struct {
	need  []amount
	most  []int64 // of each need: the largest that one allocation frees
	freed []int64 // of each need: by all that were counted
}

// amount is one need: of a type, by allocations that meet the ask at an index of its way or below.
type amount struct {
	lane  int
	meets int32
	value int64
}

// measure finds out what is needed, and whether a max needs more than the node's room does.
func (c *cover) measure(p *problem, s *stand) (pressed bool) {
	c.need = c.need[:0]
	for _, n := range p.Ask.Class.Needs {
		if short := p.missing(s, n.Lane, n.Min); short > 0 {
			c.need = append(c.need, amount{n.Lane, math.MaxInt32, short})
		}
	}
	room := len(c.need)
	for _, l := range p.lacks {
		if l.meets < len(p.way)-1 || !c.needs(room, l.lane, l.amount) { // a victim of any node is below root
			c.need = append(c.need, amount{l.lane, int32(l.meets), l.amount})
			pressed = true
		}
	}
	return pressed
}

// needs reports whether the node's room asks for so much of a type anyway.
func (c *cover) needs(room, lane int, value int64) bool {
	for _, n := range c.need[:room] {
		if n.lane == lane {
			return n.value >= value
		}
	}
	return false
}

// afterKeeper tells whether a node that is kept for another ask takes this one too once that one has landed.
func (c *cover) afterKeeper(s *stand, p *problem) state {
	if len(p.lacks) > 0 || !s.node.Schedulable || s.held && !p.MayTake(s.node) {
		return none
	}
	for _, n := range p.Ask.Class.Needs {
		if p.missing(s, n.Lane, n.Min) > -s.keeper.Class.Demand[n.Lane] {
			return none
		}
	}
	return enough
}

// start begins to count what allocations free.
func (c *cover) start() {
	c.most, c.freed = c.most[:0], c.freed[:0]
	for range c.need {
		c.most, c.freed = append(c.most, 0), append(c.freed, 0)
	}
}

// count adds an allocation of a class and a leaf, and reports whether it alone is enough, and whether all so far are.
func (c *cover) count(p *problem, g *glance) (alone, all bool) {
	alone, all = true, true
	for i := range c.need {
		n := &c.need[i]
		v := p.frees(g.leaf, g.class, n)
		c.most[i] = max(c.most[i], v)
		c.freed[i] = resource.Add(c.freed[i], v)
		alone = alone && v >= n.value
		all = all && c.freed[i] >= n.value
	}
	return alone, all
}

// frees is what an allocation of a class and a leaf frees of a need.
func (p *problem) frees(leaf int32, k *class.Class, n *amount) int64 {
	if p.leaves[leaf].meets > n.meets {
		return 0
	}
	return k.Demand[n.lane]
}

// fewest is a number of victims that no set has less than.
func (c *cover) fewest() int32 {
	n := int64(1)
	for i := range c.need {
		if c.most[i] > 0 {
			n = max(n, (c.need[i].value-1)/c.most[i]+1)
		}
	}
	return int32(min(n, math.MaxInt32))
}

// weigh bounds what a node offers. Rows come least harm first, so the first priority at which enough becomes free is a
// bound. Where one allocation of that priority is enough, or all up to it are of one class, the best set is plain to see.
func (f *Finder) weigh(p *problem, s *stand) (o offer) {
	c := &f.cover
	c.start()
	w := weighing{best: -1, end: len(s.seen)}
	own := int32(p.Leaf.ID)
	for i := 0; i < w.end; i++ {
		g := &s.seen[i]
		if int64(g.prio) > p.leaves[g.leaf].limit || g.leaf == own && s.rows[i].ask.App == p.Ask.App {
			continue
		}
		if p.guarded(g.leaf, g.class) {
			o.guarded = true
			continue
		}
		alone, all := c.count(p, g)
		w.note(i, g)
		if all && o.state != bounded {
			o.state, o.top, w.end = bounded, g.prio, s.level(i)
		}
		if alone && i < int(s.free) && f.Ranks == nil && (w.best < 0 || f.better(p, s, i, w.best)) {
			w.best = i
		}
	}
	f.steps += w.end
	switch {
	case o.state != bounded:
		o.state = none
	case w.end > int(s.free): // how many protected ones, and of what priority, is not known
		protect := s.rows[w.end-1].protect
		o.originators, o.optedOuts, o.top, o.count = int32(protect/originator), int32(protect%originator), math.MinInt32, 1
	default:
		o.count = c.fewest()
		if f.see(p, s, &o, &w); o.state == bounded {
			f.boundAges(p, s, &o, &w)
		}
	}
	return o
}

// boundAges bounds a set of so few victims by the lowest priorities and the youngest ages that there are.
func (f *Finder) boundAges(p *problem, s *stand, o *offer, w *weighing) {
	if o.count > few || f.Ranks != nil {
		return
	}
	n := int(o.count)
	var young [few]uint64 // last the youngest of all
	for i := range s.seen[:w.end] {
		g := &s.seen[i]
		placed := g.placed
		if int64(g.prio) > p.leaves[g.leaf].limit {
			continue
		}
		for k := few - 1; k >= 0 && placed > young[0]; k-- {
			if placed > young[k] {
				young[k], placed = placed, young[k]
			}
		}
	}
	for i, at := range w.first[:n] {
		o.prios[n-1-i] = s.seen[at].prio
	}
	o.types, o.oldest = w.types, young[few-n]
}

// level is the index after the last row of the same protection and priority as a row.
func (s *stand) level(at int) int {
	end := len(s.seen)
	free := int(s.free)
	if at < free {
		end = free
	}
	i := at + 1
	for i < end && s.seen[i].prio == s.seen[at].prio && (at < free || s.rows[i].protect == s.rows[at].protect) {
		i++
	}
	return i
}

// weighing is what weigh has come across.
type weighing struct {
	best   int // the best allocation that alone is enough; below 0: none is
	end    int // rows from here on do more harm than need be
	first  [few]int
	n      int          // of the allocations that may go
	class  *class.Class // of all of them
	varied bool         // they are of several classes
	types  int32        // that any of them uses at least
}

func (w *weighing) note(i int, g *glance) {
	if w.n == 0 {
		w.class, w.types = g.class, math.MaxInt32
	}
	w.types = min(w.types, int32(len(g.class.Needs)))
	w.varied = w.varied || g.class != w.class
	if w.n < few {
		w.first[w.n] = i
	}
	w.n++
}

// see makes an offer exact where the best set is plain to see: one allocation; or, all being of one class, the first few, if
// together they are lawful.
func (f *Finder) see(p *problem, s *stand, o *offer, w *weighing) {
	switch {
	case f.Ranks != nil:
		return
	case w.best >= 0:
		o.count, w.first[0] = 1, w.best
	case w.varied || o.count > few || f.cover.partial():
		return
	}
	rows := f.rows[:0]
	for _, i := range w.first[:o.count] {
		g := &s.seen[i]
		rows = append(rows, row{class: g.class, placed: g.placed, prio: g.prio, leaf: g.leaf})
	}
	f.rows = rows
	if o.count > 1 && !p.spared(rows) {
		return
	}
	o.state = plain
	o.shares, o.more = p.topShares(s, rows)
	o.oldest = rows[0].placed
	for i := range rows {
		r := &rows[i]
		o.rows[i], o.prios[len(rows)-1-i], o.oldest = uint16(w.first[i]), r.prio, min(o.oldest, r.placed)
	}
}

// partial reports whether some need is met by the allocations of some leaves alone.
func (c *cover) partial() bool {
	return slices.ContainsFunc(c.need, func(n amount) bool { return n.meets != math.MaxInt32 })
}

// better compares two allocations of a node, of one priority, each of which is enough.
func (f *Finder) better(p *problem, s *stand, i, j int) bool {
	a, b := &s.seen[i], &s.seen[j]
	if a.class == b.class { // the younger comes first
		return false
	}
	c := p.compareExcess(&f.shares, s, []row{{class: a.class}}, s, []row{{class: b.class}})
	return cmp.Or(c, cmp.Compare(b.placed, a.placed)) < 0
}

// compareExcess compares what two sets leave in excess.
func (p *problem) compareExcess(scratch *[]int64, s *stand, a []row, t *stand, b []row) int {
	list := p.excess((*scratch)[:0], s, a)
	n := len(list)
	list = p.excess(list, t, b)
	*scratch = list
	return slices.Compare(list[:n], list[n:])
}

// topShares are the largest shares that a set leaves in excess; -1 stands for none. more reports that there are others.
func (p *problem) topShares(s *stand, rows []row) (top [2]int64, more bool) {
	top = [2]int64{-1, -1}
	types := 0
	for t := range s.room {
		freed := int64(0)
		for i := range rows {
			freed = resource.Add(freed, rows[i].class.Demand[t])
		}
		if freed > 0 {
			v := p.beyond(t, s.room[t], freed)
			if v > top[0] {
				v, top[0] = top[0], v
			}
			top[1] = max(top[1], v)
			types++
		}
	}
	return top, types > len(top)
}
