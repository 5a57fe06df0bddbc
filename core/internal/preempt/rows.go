package preempt

import (
	"cmp"
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/resource"
)

// Ways in which an allocation is protected: bits, so that larger yields later.
const (
	optedOut   = 1
	originator = 2
)

// row is an allocation that may be a victim of somebody.
type row struct {
	ask     *app.Ask
	class   *class.Class
	ranks   []int64 // the keys of a victim.rank policy, first to go is smallest; nil: none is in force
	placed  uint64
	prio    int32
	leaf    int32
	protect uint8
}

// glance is what of a row most looks at a node need: a few of them share a cache line.
type glance struct {
	class  *class.Class
	placed uint64
	prio   int32
	leaf   int32
}

// stand is what the finder keeps of a node: who may leave it, and what room it has once all have left who were told to.
type stand struct {
	node   *node.Node   // nil: no such node now
	mask   uint64       // of the leaves that have rows
	room   []int64      // by lane; below 0 where the node is over-committed
	most   []int64      // by lane: the most that a row frees
	types  int32        // that a row uses at least
	lowest int32        // priority of a row
	class  *class.Class // of all rows; nil where they are of several
	seen   []glance     // the rows at a glance
	free   int32        // rows that nothing protects; they come first
	stale  bool         // the node has changed since
	open   bool         // schedulable, not kept
	held   bool         // reserved
	keeper *app.Ask     // the ask that the node is kept for
	rows   []row        // least protected first, then lowest priority, then youngest
}

// refresh notes which nodes have changed: their stands are described anew when they are next looked at.
func (f *Finder) refresh() {
	slots, all := f.pool.Changes(&f.cursor)
	f.grow()
	if all || len(f.log) > 4*len(f.stands)+1024 {
		f.log, f.era = f.log[:0], f.era+1
	}
	if all {
		for i := range f.stands {
			f.stands[i].stale = true
		}
		return
	}
	for _, slot := range slots {
		f.Touch(slot)
	}
}

// grow makes stands for new nodes. Their amounts lie in one piece, since searches go through them in order.
func (f *Finder) grow() {
	if len(f.stands) == f.pool.Slots() {
		return
	}
	for len(f.stands) < f.pool.Slots() {
		f.stands = append(f.stands, stand{stale: true})
	}
	width := len(f.pool.Total())
	if need := 2 * width * len(f.stands); need > len(f.amounts) {
		f.amounts = append(f.amounts, make([]int64, max(need, 2*len(f.amounts))-len(f.amounts))...)
	}
	for i := range f.stands {
		both := f.amounts[2*i*width : 2*(i+1)*width]
		f.stands[i].room, f.stands[i].most = both[:width:width], both[width:]
	}
}

// Touch has a node looked at anew.
func (f *Finder) Touch(slot int32) {
	if int(slot) < len(f.stands) { // else it is yet to be met
		f.stands[slot].stale = true
		f.log = append(f.log, slot)
	}
}

// at is the stand of the node in a slot.
func (f *Finder) at(slot int32) *stand {
	s := &f.stands[slot]
	if s.stale {
		f.describe(slot)
		f.steps += 50 + 40*len(s.rows)
	}
	return s
}

// describe renews what is kept of the node in a slot, or that none is there.
func (f *Finder) describe(slot int32) {
	s := &f.stands[slot]
	n := f.pool.At(slot)
	s.stale, s.node, s.rows, s.mask, s.class = false, n, s.rows[:0], 0, nil
	if n == nil {
		return
	}
	s.open, s.held, s.keeper = n.Schedulable && !n.Kept, n.Held, nil
	if n.Kept {
		s.keeper = f.keeper(slot)
	}
	for t := range s.room {
		s.room[t] = n.RoomToBe(t)
	}
	for a := f.oldest(slot); a != nil; a = a.Next(app.OnNode) {
		if !a.Leaving && a.Class.Node == "" {
			s.rows = append(s.rows, f.rowOf(a))
			s.mask |= leafBit(int32(a.App.Leaf.ID))
		}
	}
	slices.SortFunc(s.rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.protect, b.protect), cmp.Compare(a.prio, b.prio), cmp.Compare(b.placed, a.placed))
	})
	clear(s.most)
	several := false
	s.seen, s.free, s.types, s.lowest = s.seen[:0], 0, math.MaxInt32, math.MaxInt32
	for i := range s.rows {
		r := &s.rows[i]
		s.seen = append(s.seen, glance{r.class, r.placed, r.prio, r.leaf})
		if r.protect == 0 {
			s.free = int32(i) + 1
		}
		for t, d := range r.class.Demand {
			s.most[t] = max(s.most[t], d)
		}
		s.types, s.lowest = min(s.types, int32(len(r.class.Needs))), min(s.lowest, r.prio)
		if s.class = r.class; i > 0 && r.class != s.rows[i-1].class {
			several = true
		}
	}
	if several {
		s.class = nil
	}
}

func (f *Finder) rowOf(a *app.Ask) row {
	r := row{ask: a, class: a.Class, placed: a.Placed, prio: a.Priority, leaf: int32(a.App.Leaf.ID)}
	if a.NotPreemptable {
		r.protect |= optedOut
	}
	if a.Originator {
		r.protect |= originator
	}
	if f.Ranks != nil {
		r.ranks = f.Ranks(a)
	}
	return r
}

// falls reports whether an allocation may be a victim as far as it alone is concerned: its leaf, its priority, its
// application. Guards are for the whole set.
func (p *problem) falls(r *row) bool {
	return int64(r.prio) <= p.leaves[r.leaf].limit && (int(r.leaf) != p.Leaf.ID || r.ask.App != p.Ask.App)
}

// guarded reports whether a guard would not even let one allocation go, of a leaf and a class.
func (p *problem) guarded(leaf int32, c *class.Class) bool {
	if !p.leaves[leaf].tight {
		return false
	}
	for _, i := range p.refsOf(leaf) {
		if g := &p.guards[i]; c.Demand[g.lane] > max(g.slack, 0) {
			return true
		}
	}
	return false
}

// refsOf lists the guards that allocations of a leaf count against.
func (p *problem) refsOf(leaf int32) []int32 {
	t := &p.leaves[leaf]
	return p.refs[t.from:t.to]
}

// missing is how much more of a type has to become free on a node for the ask.
func (p *problem) missing(s *stand, lane int, amount int64) int64 {
	return resource.Sub(amount, s.room[lane])
}
