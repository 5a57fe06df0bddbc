package oracle

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// gangSearch is the search for nodes and victims for the first members of a gang together.
type gangSearch struct {
	*search // its ask is the sum of all members
	gang    *atomicGang
	members []*ask
	steps   int
	work    int // see mostWork
	best    *gangChoice
}

// mostWork bounds the whole search member by member. Each node tried for a member counts placeWork; each set of victims counts one more than
// the number of victims that could be added to it.
const (
	mostWork  = 25_000_000
	placeWork = 8
)

// gangChoice is a set of victims for a gang, and the node of each member.
type gangChoice struct {
	choice
	nodes       map[*ask]*node
	ids         []string // of the nodes, sorted
	approximate bool
}

// preemptGang makes the ask's gang preempt, if the ask is its first member. It reports whether victims were chosen.
func (p *partition) preemptGang(k *ask) bool {
	g := k.waitingGang()
	members := p.members(k.app, g)
	if g.waitsForSet() || len(members) < g.need() || members[0] != k || slices.ContainsFunc(members[:g.need()], func(k *ask) bool { return !p.mayPreemptInGang(k) }) {
		return false
	}
	found := p.victimsTogether(g, members[:g.need()])
	if found == nil {
		return false
	}
	p.chooseForGang(g, members[:g.need()], found)
	return true
}

// mayPreemptInGang reports whether a member may look for victims now.
func (p *partition) mayPreemptInGang(k *ask) bool {
	return !k.details.NoPreemptOthers && p.now >= k.searchesAt() &&
		(!p.settings.PreemptionObserve || !k.observed)
}

func (p *partition) newGangSearch(g *atomicGang, members []*ask) *gangSearch {
	whole, butLast := amounts{}, amounts{}
	priority := int32(math.MaxInt32)
	for i, k := range members {
		whole.add(k.resources)
		if i < len(members)-1 {
			butLast.add(k.resources)
		}
		priority = min(priority, k.priority)
	}
	s := p.newSearch(&ask{app: members[0].app, resources: whole.set(), priority: priority})
	for _, q := range s.way {
		s.queues[q].claimed.addAll(butLast)
	}
	return &gangSearch{search: s, gang: g, members: members}
}

// victimsTogether returns the least harmful choice for a gang, in the domain that its topology asks for. It returns nil if there is none, or
// if the gang needs no victims.
func (p *partition) victimsTogether(g *atomicGang, members []*ask) *gangChoice {
	if !p.withinLimits(p.newGangSearch(g, members).ask, p.claims) {
		return nil
	}
	if p.hasElasticSurplus() {
		if found := p.victimsByRight(g, members, true); found != nil {
			return found
		}
	}
	if slices.ContainsFunc(members, func(k *ask) bool { return !p.hasRightBeside(k) }) {
		return nil
	}
	return p.victimsByRight(g, members, false)
}

// victimsByRight returns the least harmful choice for a gang: only surplus of elastic gangs, or any victims.
func (p *partition) victimsByRight(g *atomicGang, members []*ask, surplus bool) *gangChoice {
	if level, ok := p.requiredLevel(members[0]); ok {
		return p.victimsAtLevel(level, g, members, surplus)
	}
	whole := &domain{level: wholeCluster, nodes: p.nodes}
	if p.onlyWaitsIn(whole, g, members) {
		return nil
	}
	if level, ok := p.preferredLevel(members[0]); ok {
		for ; level >= 0; level = p.settings.Wider(level) {
			if found := p.victimsAtLevel(level, g, members, surplus); found != nil {
				return found
			}
		}
	}
	return p.victimsIn(whole, g, members, surplus)
}

// victimsAtLevel returns the least harmful choice in a domain of the level. It returns nil if the gang only has to wait in some domain.
func (p *partition) victimsAtLevel(level int, g *atomicGang, members []*ask, surplus bool) *gangChoice {
	if level < 0 {
		return nil
	}
	domains, _ := p.domainsOf(p.nodes, level)
	if slices.ContainsFunc(domains, func(d *domain) bool { return p.onlyWaitsIn(d, g, members) }) {
		return nil
	}
	var best *gangChoice
	for _, d := range domains {
		if found := p.victimsIn(d, g, members, surplus); found != nil && (best == nil || found.compare(best) < 0) {
			best = found
		}
	}
	return best
}

func (p *partition) onlyWaitsIn(d *domain, g *atomicGang, members []*ask) bool {
	return inside(p, d, func() bool { return p.newGangSearch(g, members).onlyWaits(map[*ask]*node{}, members) })
}

func (p *partition) victimsIn(d *domain, g *atomicGang, members []*ask, surplus bool) *gangChoice {
	return inside(p, d, func() *gangChoice {
		s := p.newGangSearch(g, members)
		s.surplus = surplus
		return s.run()
	})
}

// run returns the least harmful choice. It returns nil if there is none, or if the gang needs no victims.
func (s *gangSearch) run() *gangChoice {
	s.assign(map[*ask]*node{}, nil, s.members)
	if s.steps > mostSteps {
		s.best = s.memberByMember()
	}
	if s.best == nil || len(s.best.victims) == 0 {
		return nil
	}
	return s.best
}

// onlyWaits reports whether the gang will fit without victims, once leaving allocations have left and the asks that they leave for are
// allocated.
func (s *gangSearch) onlyWaits(nodes map[*ask]*node, left []*ask) bool {
	if s.steps++; s.steps > mostSteps || !s.withinEveryMax(nil) {
		return false
	}
	if len(left) == 0 {
		return true
	}
	k := left[0]
	for _, n := range s.byID() {
		room := s.roomOnceLeft(n)
		for _, c := range s.claims {
			if c.node == n {
				room.sub(c.ask.resources)
			}
		}
		there := claimedOn(n, s.claims)
		for _, other := range s.members {
			if nodes[other] == n {
				room.sub(other.resources)
				there = append(there, other)
			}
		}
		if !s.fitOnceLeft(n, nil, append(there, k)...) {
			continue
		}
		if !s.admits(n, k) || !s.mayTakeVictims(n, k) || !s.inOneSlice(s.members, k, n, nodes) || !covers(room, k) {
			continue
		}
		nodes[k] = n
		if s.onlyWaits(nodes, left[1:]) {
			return true
		}
		delete(nodes, k)
	}
	return false
}

// assign tries all nodes for the remaining members, and all sets of victims for each assignment.
func (s *gangSearch) assign(nodes map[*ask]*node, fixed []*victim, left []*ask) {
	if s.steps++; s.steps > mostSteps {
		return
	}
	if len(left) == 0 {
		s.extend(nodes, fixed, s.beyond(fixed, s.possibleOn(s.distinct(nodes)...)))
		return
	}
	for _, n := range s.usable(left[0], nodes) {
		nodes[left[0]] = n
		s.assign(nodes, fixed, left[1:])
		delete(nodes, left[0])
	}
}

// memberByMember fixes the node and the victims of one member after the other: the least harmful ones found within the bound of steps.
func (s *gangSearch) memberByMember() *gangChoice {
	nodes := map[*ask]*node{}
	var fixed []*victim
	var found *gangChoice
	soFar := amounts{}
	s.work = 0
	for _, k := range s.members {
		s.best = nil
		s.steps = 0
		soFar.add(k.resources)
		s.ask.resources = soFar.set()
		for _, n := range s.usable(k, nodes) {
			s.work += placeWork
			nodes[k] = n
			s.extend(nodes, fixed, s.beyond(fixed, s.possibleOn(n)))
		}
		if s.best == nil || s.work > mostWork {
			return nil
		}
		found, fixed = s.best, s.best.set
		nodes[k] = found.nodes[k]
	}
	found.approximate = true
	return found
}

// usable lists the nodes that may be used for a member beside those of the members before it, by ID.
func (s *gangSearch) usable(k *ask, nodes map[*ask]*node) []*node {
	return slices.DeleteFunc(s.byID(), func(n *node) bool {
		return !s.admits(n, k) || !s.mayTakeVictims(n, k) || s.claimOn(n) != nil || !s.inOneSlice(s.members, k, n, nodes)
	})
}

func (s *gangSearch) byID() []*node {
	return slices.SortedFunc(slices.Values(s.searchedNodes()), func(a, b *node) int { return strings.Compare(a.id, b.id) })
}

// beyond leaves out the parts that are fixed already.
func (s *gangSearch) beyond(fixed []*victim, parts [][]*victim) [][]*victim {
	return slices.DeleteFunc(parts, func(part []*victim) bool { return len(s.all(fixed, [][]*victim{part})) == len(fixed) })
}

// distinct lists the distinct nodes, by ID.
func (s *gangSearch) distinct(nodes map[*ask]*node) []*node {
	return slices.DeleteFunc(s.byID(), func(n *node) bool {
		for _, other := range nodes {
			if other == n {
				return false
			}
		}
		return true
	})
}

// extend tries all sets that contain these victims and any of the rest, and keeps the best one that suffices and is lawful.
func (s *gangSearch) extend(nodes map[*ask]*node, set []*victim, rest [][]*victim) {
	if s.steps++; s.steps > mostSteps {
		return
	}
	s.work += 1 + len(rest)
	if s.sufficeAll(nodes, set) {
		if c := s.newChoice(nodes, set); (s.best == nil || c.compare(s.best) < 0) && (len(set) == 0 || s.isLawful(set)) {
			s.best = c
		}
		return
	}
	if !s.sufficeAll(nodes, s.all(set, rest)) {
		return
	}
	for i, part := range rest {
		if next := s.extended(set, part); next != nil {
			s.extend(nodes, next, rest[i+1:])
		}
	}
}

// sufficeAll reports whether the members fit their nodes and every max once the victims and all leaving allocations have left.
func (s *gangSearch) sufficeAll(nodes map[*ask]*node, set []*victim) bool {
	for _, n := range s.distinct(nodes) {
		room, need := s.roomOnceLeft(n), amounts{}
		var there []*ask
		for _, v := range set {
			if v.node == n {
				room.add(v.resources)
			}
		}
		for _, k := range s.members {
			if nodes[k] == n {
				need.add(k.plain)
				there = append(there, k)
			}
		}
		if !covers(room, &ask{plain: need.set()}) || !s.fitOnceLeft(n, asksOf(set), there...) {
			return false
		}
	}
	return s.withinEveryMax(set)
}

// newChoice makes a choice with the values that are compared.
func (s *gangSearch) newChoice(nodes map[*ask]*node, set []*victim) *gangChoice {
	c := &gangChoice{nodes: map[*ask]*node{}}
	room, need := amounts{}, amounts{}
	for _, n := range s.distinct(nodes) {
		c.ids = append(c.ids, n.id)
		for typ, value := range s.roomOnceLeft(n) {
			room[typ] = resource.Add(room[typ], max(0, value))
		}
	}
	for k, n := range nodes {
		c.nodes[k] = n
		need.add(k.resources)
	}
	c.choice = *s.weigh(s.distinct(nodes), room, set)
	c.choice.set = slices.Clone(set)
	return c
}

// compare orders choices by harm, and choices of equal harm by their nodes.
func (c *gangChoice) compare(d *gangChoice) int {
	if len(c.victims) == 0 || len(d.victims) == 0 {
		return cmp.Or(cmp.Compare(len(c.victims), len(d.victims)), slices.Compare(c.ids, d.ids))
	}
	return cmp.Or(c.compareVictims(&d.choice), slices.Compare(c.ids, d.ids))
}

// chooseForGang releases the victims and makes the claims. If the partition only observes preemption, it only reports them.
func (p *partition) chooseForGang(g *atomicGang, members []*ask, found *gangChoice) {
	first := func(v *ask) *ask { return p.firstFor(v, members, found) }
	ended := p.ended(found.victims)
	what := core.Preemption
	if p.settings.PreemptionObserve {
		what = core.Observed
	}
	for _, v := range inAllocationOrder(found.victims) {
		p.decide(p.withGang(core.Decision{
			Type: what, ID: v.id, For: first(v).id, Node: v.node.id, Queue: v.app.queue.path(), Approximate: found.approximate,
			Right: found.rightOf(first(v), v), Placement: v.placement,
		}, v, ended))
	}
	if what == core.Preemption {
		p.endAccumulation(g, "")
	}
	for _, k := range members {
		if what == core.Observed {
			k.observed = true
			continue
		}
		p.claims = append(p.claims, &claim{ask: k, node: found.nodes[k], gang: g})
	}
	if what == core.Observed {
		return
	}
	leaveFor := map[*ask]*ask{}
	for _, v := range found.victims {
		leaveFor[v] = first(v)
	}
	p.spend(found.victims)
	p.count(found.victims)
	p.gangsLose(found.victims)
	for _, v := range found.victims {
		v.leavesSince = p.now
		v.leaves, v.leavesFor, v.frees = core.ReasonPreempted, leaveFor[v], p.claimOf(leaveFor[v])
	}
}

// firstFor returns the member that a victim leaves for: the first that lands on its node or, if none does, on the node of another member of
// a unit that it belongs to.
func (p *partition) firstFor(v *ask, members []*ask, found *gangChoice) *ask {
	lands := func(there func(n *node) bool) int {
		return slices.IndexFunc(members, func(k *ask) bool { return there(found.nodes[k]) })
	}
	at := lands(func(n *node) bool { return n == v.node })
	if at < 0 {
		units := p.unitsOf(v)
		shares := func(other *ask) bool {
			return slices.ContainsFunc(p.unitsOf(other), func(u unit) bool { return slices.Contains(units, u) })
		}
		at = lands(func(n *node) bool {
			return slices.ContainsFunc(found.victims, func(other *ask) bool { return other.node == n && shares(other) })
		})
	}
	return members[at]
}

// allocateClaimedGang allocates the members of a gang with claims, if all of its victims have left and all members fit.
func (p *partition) allocateClaimedGang(g *atomicGang) bool {
	nodes := map[*ask]*node{}
	var members []*ask
	for _, c := range p.claims {
		if c.gang != g {
			continue
		}
		fits := assumed(nodes, func() bool { return p.takes(c.node, c.ask) && p.fitsMaxNow(c.ask) })
		if !p.eligible(c.ask.app) || !fits || slices.ContainsFunc(p.ownAsks(), func(k *ask) bool { return k.node != nil && k.frees == c }) {
			return false
		}
		nodes[c.ask] = c.node
		members = append(members, c.ask)
	}
	numberSlices(members)
	devices := p.dealTogether(members, nodes)
	for k := range nodes {
		p.endClaim(k)
	}
	for k := range nodes {
		p.allocateAll(k.app, nodes, devices)
		break
	}
	return true
}
