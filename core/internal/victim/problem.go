package victim

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
	// Classes are those that any allocation may have; nil: there are too many.
	Classes []*class.Class
	Enabled bool // the partition lets guarantees preempt
	// Beside counts as used, too, in law 4; nil: nothing does.
	Beside resource.Vec
	// Thorough finds out whether the ask needs victims at all even where none may be preempted.
	Thorough bool
	// Admits reports whether a node passes everything of the ask but its room; nil: every node does.
	Admits func(*node.Node) bool
	// Without reports whether a node that Admits let through would admit the ask if some allocations had gone, where that is another question;
	// nil: what is allocated does not matter to Admits.
	Without func(n *node.Node, gone []*app.Ask) bool
	// MayTake reports whether the ask may take a node that is reserved for another.
	MayTake func(*node.Node) bool
}

// byNode reports whether the ask runs on one node or nowhere: then the laws of queues do not matter.
func (q *Question) byNode() bool { return q.Ask.Class.Node != "" }

// noVictims is the limit of a leaf whose allocations may not be preempted, whatever their priority.
const noVictims = math.MinInt64

// leafTerms say which allocations of a leaf may be victims.
type leafTerms struct {
	limit    int64 // of their own priority
	meets    int32 // where the leaf meets the ask: an index in the ask's path
	from, to int32 // in refs: the guards that count for them
	tight    bool  // a guard may not let even one of them go
}

// guard is a queue that must not lose more of a type than its slack: by laws 2 and 5 away from the ask's path, by the law of the
// exchange as a whole on it.
type guard struct {
	queue *queue.Queue
	lane  int
	slack int64
}

// problem is a question in the form in which it is searched.
type problem struct {
	*Question
	path    []*queue.Queue         // from the ask's leaf to root
	ranks   func(*app.Ask) []int64 // Finder.Ranks
	law4    []bool                 // by index in path: entitled to victims that meet the ask there
	fence   int                    // index in path of the farthest queue that the ask may look into
	leaves  []leafTerms            // by leaf ID
	guards  []guard
	onPath  []int       // by index in path: the guards of that queue and those above begin here, up to the last of the path
	refs    []int32     // indices of guards, leaf by leaf
	overMax []shortfall // what the ask would exceed a max by
	never   bool        // the ask alone exceeds a max: that shortfall is more than all allocations use, and perhaps beyond what can be counted
	open    int         // leaves that may have victims
	mask    uint64      // of those leaves
	top     int64       // the highest limit of any leaf

	inForce []int32 // scratch: the guards that count at a queue
}

// formulate turns a question into a problem. The memory of the last problem is used again.
func (p *problem) formulate(q *Question) {
	p.Question = q
	p.path = p.path[:0]
	for at := q.Leaf; at != nil; at = at.Parent {
		p.path = append(p.path, at)
	}
	p.leaves, p.guards, p.refs, p.overMax = p.leaves[:0], p.guards[:0], p.refs[:0], p.overMax[:0]
	p.never = false
	p.open, p.mask, p.top = 0, 0, noVictims
	p.fence = fenceOf(p.path)
	p.law4 = entitlements(p.law4[:0], p.path, q.Ask, q.Beside)
	others := q.Enabled && !p.byNode() && !disabled(q.Leaf) && p.entitled(p.fence)
	if !others && !p.byNode() && !q.Leaf.Conf.IntraQueue && !q.Thorough {
		return // most asks end here, so nothing more is prepared
	}
	for range q.Leaves {
		p.leaves = append(p.leaves, leafTerms{limit: noVictims})
	}
	p.findShortfalls()
	if p.byNode() {
		p.allowByNode()
		return
	}
	p.guardPath()
	p.allowIntraQueue()
	if others {
		p.allowByGuarantee()
	}
}

// entitled reports whether the ask is entitled to victims that meet it at some queue of its path, up to an index.
func (p *problem) entitled(upTo int) bool { return slices.Contains(p.law4[1:upTo+1], true) }

// findShortfalls finds by how much the ask would exceed the max of each queue on the path.
func (p *problem) findShortfalls() {
	for i, q := range p.path {
		for _, need := range p.Ask.Class.Needs {
			if q.Max[need.Lane] == resource.Unlimited {
				continue
			}
			p.never = p.never || need.Min > q.Max[need.Lane]
			if over := resource.Add(resource.Sub(q.WillUse(need.Lane), q.Max[need.Lane]), need.Min); over > 0 {
				p.overMax = append(p.overMax, shortfall{need.Lane, int32(i), over})
			}
		}
	}
}

// allowByNode allows victims of an ask with a required node: up to its own priority, in every leaf.
func (p *problem) allowByNode() {
	limit := int64(p.Ask.Priority)
	p.allow(p.Leaf, 0, limit)
	for i, at := range p.path[1:] {
		for _, child := range at.Children() {
			if child != p.path[i] {
				p.allowAll(child, i+1, limit)
			}
		}
	}
}

func (p *problem) allowAll(q *queue.Queue, meets int, limit int64) {
	if q.Leaf() {
		p.allow(q, meets, limit)
	}
	for _, child := range q.Children() {
		p.allowAll(child, meets, limit)
	}
}

// allowIntraQueue is the intra-queue option: strictly lower priorities of the ask's own leaf.
func (p *problem) allowIntraQueue() {
	if p.Leaf.Conf.IntraQueue && p.Ask.Priority > math.MinInt32 {
		p.inForce = p.guardsFrom(0)
		p.allow(p.Leaf, 0, int64(p.Ask.Priority)-1)
	}
}

// allowByGuarantee allows victims by guarantees: in every leaf inside the fence that the ask is entitled to.
func (p *problem) allowByGuarantee() {
	seen := p.Ask.Priority
	for i := 1; i <= p.fence; i++ {
		seen = p.path[i-1].Priority(seen)
		if !p.law4[i] {
			continue
		}
		p.inForce = p.guardsFrom(i)
		for _, child := range p.path[i].Children() {
			if child != p.path[i-1] {
				p.allowBelow(child, i, int64(seen))
			}
		}
	}
}

// allowBelow allows victims in the leaves of a queue away from the ask's path, up to a priority as the queue's parent sees it.
func (p *problem) allowBelow(q *queue.Queue, meets int, limit int64) {
	if q.Conf.PreemptionPolicy == config.PreemptionDisabled {
		return
	}
	limit = within(q, limit)
	if limit == noVictims {
		return
	}
	depth := len(p.inForce)
	for t, g := range q.Guaranteed {
		if g > 0 {
			p.inForce = append(p.inForce, p.guard(q, t, resource.Sub(q.Stays(t), g)))
		}
	}
	if q.Leaf() {
		p.allow(q, meets, limit)
	}
	for _, child := range q.Children() {
		p.allowBelow(child, meets, limit)
	}
	p.inForce = p.inForce[:depth]
}

// guardPath makes the guards of the ask's own path: the exchange as a whole.
func (p *problem) guardPath() {
	p.onPath = p.onPath[:0]
	for _, q := range p.path {
		p.onPath = append(p.onPath, len(p.guards))
		for t, g := range q.Guaranteed {
			if g > 0 {
				will := q.WillUse(t)
				p.guard(q, t, resource.Add(will-min(will, g), p.Ask.Class.Demand[t])) // in this order saturation loses nothing
			}
		}
	}
	p.onPath = append(p.onPath, len(p.guards))
}

// guardsFrom lists the guards of the path from an index up.
func (p *problem) guardsFrom(i int) []int32 {
	list := p.inForce[:0]
	for g := p.onPath[i]; g < p.onPath[len(p.path)]; g++ {
		list = append(list, int32(g))
	}
	return list
}

func (p *problem) guard(q *queue.Queue, lane int, slack int64) int32 {
	p.guards = append(p.guards, guard{q, lane, slack})
	return int32(len(p.guards) - 1)
}

// allow allows victims in a leaf up to a priority, with the guards in force.
func (p *problem) allow(q *queue.Queue, meets int, limit int64) {
	from := len(p.refs)
	if !p.byNode() {
		p.refs = append(p.refs, p.inForce...)
	}
	p.leaves[q.ID] = leafTerms{limit, int32(meets), int32(from), int32(len(p.refs)), p.tight(p.refs[from:])}
	if p.closed(int32(q.ID)) {
		p.leaves[q.ID].limit = noVictims
		return
	}
	if q.Allocations > 0 {
		p.open++
		p.mask |= leafBit(int32(q.ID))
		p.top = max(p.top, limit)
	}
}

// closed reports whether guards forbid every victim in a leaf, whatever its class.
func (p *problem) closed(leaf int32) bool {
	if !p.leaves[leaf].tight || len(p.Classes) == 0 || p.Thorough {
		return false
	}
	return !slices.ContainsFunc(p.Classes, func(c *class.Class) bool { return !p.guardBinds(leaf, c) })
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

// leafBit is a leaf's bit in a mask; leaves share bits.
func leafBit(id int32) uint64 { return 1 << (uint32(id) % 64) }
