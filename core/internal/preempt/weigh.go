package preempt

import (
	"cmp"
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/resource"
)

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
	f.steps += 2 * w.end
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
