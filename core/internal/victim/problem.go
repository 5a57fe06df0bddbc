package victim

import (
	"math"
	"slices"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// Question describes an ask that needs victims, and the cluster.
type Question struct {
	Ask     app.Ask
	Queues  queues.View
	Leaf    queues.ID        // of the ask
	Total   resource.Vec     // of the cluster
	Largest resource.Amounts // upper bound of what any ask needs, by type
	// Classes lists every class that an allocation may have. It is nil if there are too many to check.
	Classes []class.Class
	Enabled bool // preemption by guarantees is on for the partition
	// Elastic says that some allocations are elastic surplus, so that sets are compared by how many victims are not. Surplus restricts
	// victims to elastic surplus, and permits them without a guarantee: the right surplus.
	Elastic, Surplus bool
	// Beside is added to the usage of queues in law 4. It may be nil.
	Beside resource.Vec
	// Thorough makes Find report NotNeeded even for asks that may not preempt at all.
	Thorough bool
	// Admits reports whether a node meets all requirements of the ask except room. If it is nil, every node does.
	Admits func(node int32) bool
	// Within is 0, or identifies the nodes to which Admits restricts an ask further than its shape does.
	Within int
	// Without reports whether a node that passed Admits admits the ask once the given allocations have gone. It is nil unless the
	// ask's predicate depends on allocations.
	Without func(node int32, gone []app.Ask) bool
	// Devices reports whether the ask fits the devices of a node once the given allocations have gone. It is nil unless the ask gets devices.
	Devices func(node int32, gone []app.Ask) bool
	// Held is what is held in a queue for another gang, by type, so that the ask cannot use it. It is nil if nothing is.
	Held func(q queues.ID, t int) int64
	// Spared reports whether an allocation has not run long enough to be a victim of the ask. It is nil if none is spared.
	Spared func(v app.Ask) bool
	// BudgetLeft returns how many more victims the budget of a queue permits. It is called for queues with one only.
	BudgetLeft func(q queues.ID) int64
	// AgedShare returns the share of a leaf by the usage that orders it, for leaves whose usage ages, and otherwise 0. It is nil if no usage ages.
	// The shares are equal as long as AgedEpoch and the nodes are.
	AgedShare func(leaf queues.ID) int64
	AgedEpoch uint64
	// MayTake reports whether the ask may use a node that is reserved for another ask, or on which room is held for a gang.
	MayTake func(node int32) bool
}

// byNode reports whether the ask requires one node. The laws about queues then do not apply.
func (q *Question) byNode() bool { return q.Ask.Class().Node() != "" }

// noVictims is the limit of a leaf without permitted victims: it is below every priority.
const noVictims = math.MinInt64

// leafTerms say which allocations of a leaf may be victims.
type leafTerms struct {
	limit    int64 // the highest priority of a victim
	meets    int32 // the queue where the leaf meets the ask, as an index in the ask's path
	from, to int32 // refs[from:to] are the guards of the leaf
	tight    bool  // a guard may forbid even a single victim
}

// guard is a queue whose victims must not use more of a type than the slack or, in victimsLane, be more. Guards off the ask's path enforce laws 2 and 5;
// guards on it enforce law 12.
type guard struct {
	queue queues.ID
	lane  int
	slack int64
}

// problem is a question, prepared for the search.
type problem struct {
	*Question
	path          []queues.ID           // from the ask's leaf to root
	ranks         func(app.Ask) []int64 // Finder.Ranks
	law4          []bool                // by index in path: law 4 entitles the ask to victims that meet it there
	fence         int                   // index in path of the highest queue in which law 7 allows victims
	leaves        []leafTerms           // by leaf queue
	guards        []guard
	onPath        []int       // by index in path: the first guard of that queue; the guards of the queues above it follow
	refs          []int32     // indices of guards, leaf by leaf
	overMax       []shortfall // the amounts by which the ask would exceed each max
	askExceedsMax bool        // the ask alone is larger than a max, so no victims can be enough; the shortfall may have overflowed
	openLeaves    int         // number of leaves that may have victims
	openMask      uint64      // bits of those leaves, see leafBit
	topLimit      int64       // the highest limit of any leaf

	units map[app.Unit]*unit // those that were looked at

	aged map[int32]int64 // by leaf: Question.AgedShare, where it was asked

	inForce []int32 // scratch: the guards that apply to the queue that is visited
}

// formulate turns a question into a problem. It reuses the memory of the last one.
func (p *problem) formulate(q *Question) {
	p.Question = q
	p.path = p.path[:0]
	for at := q.Leaf; at != queues.None; at = q.Queues.Parent(at) {
		p.path = append(p.path, at)
	}
	p.leaves, p.guards, p.refs, p.overMax = p.leaves[:0], p.guards[:0], p.refs[:0], p.overMax[:0]
	p.askExceedsMax = false
	p.openLeaves, p.openMask, p.topLimit = 0, 0, noVictims
	clear(p.units)
	clear(p.aged)
	p.fence = fenceOf(q.Queues, p.path)
	p.law4 = entitlements(p.law4[:0], q.Queues, p.path, q.Ask, q.Beside)
	others := q.Enabled && !p.byNode() && !disabled(q.Queues, q.Leaf) && p.entitled(p.fence)
	if !others && !p.byNode() && !q.Queues.Conf(q.Leaf).IntraQueue && !q.Thorough && !q.Surplus {
		return // most asks may not preempt, so nothing more is prepared for them
	}
	for range q.Queues.Len() {
		p.leaves = append(p.leaves, leafTerms{limit: noVictims})
	}
	p.findShortfalls()
	if p.byNode() {
		p.allowByNode()
		return
	}
	p.guardPath()
	if q.Surplus {
		p.allowSurplus()
		return
	}
	p.allowIntraQueue()
	if others {
		p.allowByGuarantee()
	}
}

// entitled reports whether law 4 entitles the ask to victims that meet it at some queue of its path, up to an index.
func (p *problem) entitled(upTo int) bool { return slices.Contains(p.law4[1:upTo+1], true) }

// findShortfalls computes by how much the ask would exceed the max of each queue on its path.
func (p *problem) findShortfalls() {
	for i, q := range p.path {
		for need := range p.Ask.Class().Needs().All {
			most := p.Queues.Max(q, need.Lane)
			if most == resource.Unlimited {
				continue
			}
			p.askExceedsMax = p.askExceedsMax || need.Min > most
			used := p.Queues.FutureUsage(q, need.Lane)
			if p.Held != nil {
				used = resource.Add(used, p.Held(q, need.Lane))
			}
			if over := resource.Add(resource.Sub(used, most), need.Min); over > 0 {
				p.overMax = append(p.overMax, shortfall{need.Lane, int32(i), over})
			}
		}
	}
}

// allowByNode implements law 15: an ask with a required node may have victims up to its own priority, in every leaf.
func (p *problem) allowByNode() {
	limit := int64(p.Ask.Priority())
	p.allow(p.Leaf, 0, limit)
	for i, at := range p.path[1:] {
		for child := range p.Queues.Children(at) {
			if child != p.path[i] {
				p.allowAll(child, i+1, limit)
			}
		}
	}
}

func (p *problem) allowAll(q queues.ID, meets int, limit int64) {
	if p.Queues.IsLeaf(q) {
		p.allow(q, meets, limit)
	}
	for child := range p.Queues.Children(q) {
		p.allowAll(child, meets, limit)
	}
}

// allowIntraQueue implements the intra-queue option: victims of strictly lower priority in the ask's own leaf.
func (p *problem) allowIntraQueue() {
	if p.Queues.Conf(p.Leaf).IntraQueue && p.Ask.Priority() > math.MinInt32 {
		p.inForce = p.guardsFrom(0)
		p.allow(p.Leaf, 0, int64(p.Ask.Priority())-1)
	}
}

// allowByGuarantee allows victims in every leaf inside the fence to which law 4 entitles the ask.
func (p *problem) allowByGuarantee() {
	seen := p.Ask.Priority()
	for i := 1; i <= p.fence; i++ {
		seen = p.Queues.Priority(p.path[i-1], seen)
		if !p.law4[i] {
			continue
		}
		p.inForce = p.guardsFrom(i)
		for child := range p.Queues.Children(p.path[i]) {
			if child != p.path[i-1] {
				p.allowBelow(child, i, int64(seen))
			}
		}
	}
}

// allowSurplus allows victims inside the fence, in the ask's own leaf too, up to the ask's priority. preemptable restricts them to elastic
// surplus.
func (p *problem) allowSurplus() {
	seen := p.Ask.Priority()
	p.inForce = p.guardsFrom(0)
	p.allow(p.Leaf, 0, int64(seen))
	for i := 1; i <= p.fence; i++ {
		seen = p.Queues.Priority(p.path[i-1], seen)
		p.inForce = p.guardsFrom(i)
		for child := range p.Queues.Children(p.path[i]) {
			if child != p.path[i-1] {
				p.allowBelow(child, i, int64(seen))
			}
		}
	}
}

// allowBelow allows victims in the leaves of a queue away from the ask's path, up to a priority as the queue's parent sees it.
func (p *problem) allowBelow(q queues.ID, meets int, limit int64) {
	conf := p.Queues.Conf(q)
	if conf.PreemptionPolicy == config.PreemptionDisabled && !p.Surplus {
		return
	}
	limit = limitInside(conf, limit)
	if limit == noVictims {
		return
	}
	depth := len(p.inForce)
	for t := range p.Queues.Types() {
		if g := p.Queues.Guaranteed(q, t); g > 0 {
			p.inForce = append(p.inForce, p.guard(q, t, resource.Sub(p.Queues.StayingUsage(q, t), g)))
		}
	}
	if g, has := p.guardBudget(q); has {
		p.inForce = append(p.inForce, g)
	}
	if conf.Leaf {
		p.allow(q, meets, limit)
	}
	for child := range p.Queues.Children(q) {
		p.allowBelow(child, meets, limit)
	}
	p.inForce = p.inForce[:depth]
}

// guardPath makes the guards of the ask's own path, which enforce law 12, and those of the budgets there.
func (p *problem) guardPath() {
	p.onPath = p.onPath[:0]
	for _, q := range p.path {
		p.onPath = append(p.onPath, len(p.guards))
		for t := range p.Queues.Types() {
			if g := p.Queues.Guaranteed(q, t); g > 0 {
				will := p.Queues.FutureUsage(q, t)
				p.guard(q, t, resource.Add(will-min(will, g), p.Ask.Class().Demand().At(t))) // the order of operations avoids saturation
			}
		}
		p.guardBudget(q)
	}
	p.onPath = append(p.onPath, len(p.guards))
}

// guardsFrom lists the guards of the path from an index upwards.
func (p *problem) guardsFrom(i int) []int32 {
	list := p.inForce[:0]
	for g := p.onPath[i]; g < p.onPath[len(p.path)]; g++ {
		list = append(list, int32(g))
	}
	return list
}

func (p *problem) guard(q queues.ID, lane int, slack int64) int32 {
	p.guards = append(p.guards, guard{q, lane, slack})
	return int32(len(p.guards) - 1)
}

// allow permits victims in a leaf up to a priority, subject to the guards in force.
func (p *problem) allow(q queues.ID, meets int, limit int64) {
	from := len(p.refs)
	if !p.byNode() {
		p.refs = append(p.refs, p.inForce...)
	}
	p.leaves[q] = leafTerms{limit, int32(meets), int32(from), int32(len(p.refs)), p.tight(p.refs[from:])}
	if p.closed(int32(q)) {
		p.leaves[q].limit = noVictims
		return
	}
	if p.Queues.Allocations(q) > 0 {
		p.openLeaves++
		p.openMask |= leafBit(int32(q))
		p.topLimit = max(p.topLimit, limit)
	}
}

// closed reports whether guards forbid every class of victims in a leaf.
func (p *problem) closed(leaf int32) bool {
	if !p.leaves[leaf].tight || len(p.Classes) == 0 || p.Thorough {
		return false
	}
	return !slices.ContainsFunc(p.Classes, func(c class.Class) bool { return !p.guardBinds(leaf, c) })
}

// tight reports whether the slack of some guard is below the largest ask. Otherwise no guard forbids a single victim.
func (p *problem) tight(refs []int32) bool {
	for _, i := range refs {
		if g := &p.guards[i]; g.slack < p.largest(g) {
			return true
		}
	}
	return false
}

// largest returns the most that one victim takes of the slack of a guard.
func (p *problem) largest(g *guard) int64 {
	if g.lane == victimsLane {
		return 1
	}
	return p.Largest.At(g.lane)
}

// leafBit is a leaf's bit in a mask of 64 bits. Several leaves may share one bit.
func leafBit(id int32) uint64 { return 1 << (uint32(id) % 64) }
