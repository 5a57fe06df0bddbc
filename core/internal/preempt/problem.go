package preempt

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// Question is an ask that looks for victims, and the cluster around it.
type Question struct {
	Ask     *app.Ask
	Leaf    *queue.Queue // of the ask
	Leaves  int          // more than the ID of any leaf
	Total   resource.Vec // of the cluster
	Largest resource.Vec // at least the largest ask of each type
	// Classes are those that any allocation may have; nil: they are too many to be told.
	Classes []*class.Class
	Enabled bool // the partition lets guarantees preempt
	// Thorough looks whether the ask needs anybody at all, even where there is nobody to take.
	Thorough bool
	// Admits reports whether a node passes everything of the ask but its room; nil: every node does.
	Admits func(*node.Node) bool
	// MayTake reports whether the ask may take a node that is reserved for another.
	MayTake func(*node.Node) bool
}

// byNode reports whether the ask runs on one node or nowhere: then the laws of queues do not matter.
func (q *Question) byNode() bool { return q.Ask.Class.Node != "" }

// nobody is the limit of a leaf whose allocations may not be taken, whatever their priority.
const nobody = math.MinInt64

// terms are what a question may do with the allocations of one leaf.
type terms struct {
	limit    int64 // their own priority is at most this
	meets    int32 // where the leaf meets the ask: an index in the ask's way
	from, to int32 // in refs: the guards that they count against
	tight    bool  // a guard may not even let one of them go
}

// guard is a queue that must not lose more of a type than its slack: laws 2 and 5 away from the ask's way, the exchange
// as a whole on it.
type guard struct {
	queue *queue.Queue
	lane  int
	slack int64
}

// lack is an amount that has to become free below a queue of the ask's way, for its max to hold.
type lack struct {
	meets  int // index in the way: allocations of leaves that meet the ask here or below count
	lane   int
	amount int64
}

// problem is a question worked out.
type problem struct {
	*Question
	way    []*queue.Queue // from the ask's leaf to root
	law4   []bool         // by index in way: entitled to victims that meet the ask there
	fence  int            // index in way of the farthest queue that the ask may look into
	leaves []terms        // by leaf ID
	guards []guard
	onWay  []int // by index in way: the guards of that queue and those above begin here, up to the last of the way
	refs   []int32
	lacks  []lack
	never  bool   // the ask alone is beyond a max: its lack is more than anybody uses, and perhaps more than can be counted
	open   int    // leaves that have anything to take
	mask   uint64 // of those leaves
	top    int64  // the highest limit of any leaf

	path []int32 // scratch: the guards that count at a place in the tree
}

// work works a question out; what the last one left is used again.
func (p *problem) work(q *Question) {
	p.Question = q
	p.way = p.way[:0]
	for at := q.Leaf; at != nil; at = at.Parent {
		p.way = append(p.way, at)
	}
	p.leaves, p.guards, p.refs, p.lacks = p.leaves[:0], p.guards[:0], p.refs[:0], p.lacks[:0]
	p.never = false
	p.open, p.mask, p.top = 0, 0, nobody
	p.fence = fenceOf(p.way)
	p.law4 = entitlements(p.law4[:0], p.way, q.Ask)
	others := q.Enabled && !p.byNode() && !disabled(q.Leaf) && p.entitled(p.fence)
	if !others && !p.byNode() && !q.Leaf.Conf.IntraQueue && !q.Thorough {
		return // most asks end here, so nothing is made ready for them
	}
	for range q.Leaves {
		p.leaves = append(p.leaves, terms{limit: nobody})
	}
	p.measureMax()
	if p.byNode() {
		p.takeAnyone()
		return
	}
	p.guardWay()
	p.takeOwn()
	if others {
		p.takeOthers()
	}
}

// entitled reports whether the ask is entitled to victims that meet it at some queue of its way, up to an index.
func (p *problem) entitled(upTo int) bool { return slices.Contains(p.law4[1:upTo+1], true) }

// measureMax finds out what is lacking below the max of each queue on the way.
func (p *problem) measureMax() {
	for i, q := range p.way {
		for _, need := range p.Ask.Class.Needs {
			if q.Max[need.Lane] == resource.Unlimited {
				continue
			}
			p.never = p.never || need.Min > q.Max[need.Lane]
			if over := resource.Add(resource.Sub(q.WillUse(need.Lane), q.Max[need.Lane]), need.Min); over > 0 {
				p.lacks = append(p.lacks, lack{i, need.Lane, over})
			}
		}
	}
}

// takeAnyone lets an ask with a required node take up to its own priority, wherever it is.
func (p *problem) takeAnyone() {
	limit := int64(p.Ask.Priority)
	p.allow(p.Leaf, 0, limit)
	for i, at := range p.way[1:] {
		for _, child := range at.Children {
			if child != p.way[i] {
				p.allowAll(child, i+1, limit)
			}
		}
	}
}

func (p *problem) allowAll(q *queue.Queue, meets int, limit int64) {
	if q.Leaf() {
		p.allow(q, meets, limit)
	}
	for _, child := range q.Children {
		p.allowAll(child, meets, limit)
	}
}

// takeOwn is the intra-queue option: strictly lower priorities of the ask's own leaf.
func (p *problem) takeOwn() {
	if p.Leaf.Conf.IntraQueue && p.Ask.Priority > math.MinInt32 {
		p.path = p.wayFrom(0)
		p.allow(p.Leaf, 0, int64(p.Ask.Priority)-1)
	}
}

// takeOthers goes by guarantees: every leaf inside the fence that the ask is entitled to.
func (p *problem) takeOthers() {
	seen := p.Ask.Priority
	for i := 1; i <= p.fence; i++ {
		seen = p.way[i-1].Priority(seen)
		if !p.law4[i] {
			continue
		}
		p.path = p.wayFrom(i)
		for _, child := range p.way[i].Children {
			if child != p.way[i-1] {
				p.descend(child, i, int64(seen))
			}
		}
	}
}

// descend takes up the leaves of a queue away from the ask's way. limit is the priority, as the queue's parent sees it,
// up to which they may be taken.
func (p *problem) descend(q *queue.Queue, meets int, limit int64) {
	if q.Conf.PreemptionPolicy == config.PreemptionDisabled {
		return
	}
	limit = within(q, limit)
	if limit == nobody {
		return
	}
	depth := len(p.path)
	for t, g := range q.Guaranteed {
		if g > 0 {
			p.path = append(p.path, p.guard(q, t, resource.Sub(q.Stays(t), g)))
		}
	}
	if q.Leaf() {
		p.allow(q, meets, limit)
	}
	for _, child := range q.Children {
		p.descend(child, meets, limit)
	}
	p.path = p.path[:depth]
}

// guardWay makes the guards of the ask's own way: the exchange as a whole.
func (p *problem) guardWay() {
	p.onWay = p.onWay[:0]
	for _, q := range p.way {
		p.onWay = append(p.onWay, len(p.guards))
		for t, g := range q.Guaranteed {
			if g > 0 {
				will := q.WillUse(t)
				p.guard(q, t, resource.Add(will-min(will, g), p.Ask.Class.Demand[t])) // in this order nothing is lost to saturation
			}
		}
	}
	p.onWay = append(p.onWay, len(p.guards))
}

// wayFrom lists the guards of the way from an index up.
func (p *problem) wayFrom(i int) []int32 {
	list := p.path[:0]
	for g := p.onWay[i]; g < p.onWay[len(p.way)]; g++ {
		list = append(list, int32(g))
	}
	return list
}

func (p *problem) guard(q *queue.Queue, lane int, slack int64) int32 {
	p.guards = append(p.guards, guard{q, lane, slack})
	return int32(len(p.guards) - 1)
}

// allow lets the allocations of a leaf be taken up to a priority, against the guards in path.
func (p *problem) allow(q *queue.Queue, meets int, limit int64) {
	from := len(p.refs)
	if !p.byNode() {
		p.refs = append(p.refs, p.path...)
	}
	p.leaves[q.ID] = terms{limit, int32(meets), int32(from), int32(len(p.refs)), p.tight(p.refs[from:])}
	if p.closed(int32(q.ID)) {
		p.leaves[q.ID].limit = nobody
		return
	}
	if q.Allocations > 0 {
		p.open++
		p.mask |= leafBit(int32(q.ID))
		p.top = max(p.top, limit)
	}
}

// closed reports whether guards would not let any allocation of a leaf go, whatever its class.
func (p *problem) closed(leaf int32) bool {
	if !p.leaves[leaf].tight || len(p.Classes) == 0 || p.Thorough {
		return false
	}
	return !slices.ContainsFunc(p.Classes, func(c *class.Class) bool { return !p.guarded(leaf, c) })
}

// tight reports whether some guard lets less go than the largest ask there is.
func (p *problem) tight(refs []int32) bool {
	for _, i := range refs {
		if g := &p.guards[i]; g.slack < p.Largest[g.lane] {
			return true
		}
	}
	return false
}

func leafBit(id int32) uint64 { return 1 << (uint32(id) % 64) }
