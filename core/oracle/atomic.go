package oracle

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// atomicGang is a set of asks of an application, of which at least Min are allocated together, or none.
type atomicGang struct {
	core.Gang
	topology  core.Topology
	app       *app
	since     time.Duration // submission time of its first member, or the time at which its pending members began to wait anew
	succeeded int           // number of succeeded members, including earlier ones
	placed    bool          // it was allocated; further members are ordinary asks
	fellBack  bool          // it was not placed in time: its members are ordinary asks, also once they are allocated

	held        bool        // a member was allocated since it was placed
	whole       bool        // enough members were there since it was placed
	restored    bool        // its first member was restored, and it was not judged since
	cause       core.Reason // why it lost a member since it was judged; or ""
	broken      bool
	brokenSince time.Duration

	expired     bool          // it has accumulated for as long as it may
	pausedUntil time.Duration // if so: it does not accumulate again before

	sliceDone map[int]int // by number of the slice, the members that have succeeded since it was placed
}

// doneWork is the number of succeeded members of a gang that has none now.
type doneWork struct {
	min       int // 0 if unknown, since they succeeded before a restart
	succeeded int
}

// need returns the number of members that are allocated together.
func (g *atomicGang) need() int { return g.Min - g.succeeded }

// waits reports whether the gang is still to be allocated.
func (g *atomicGang) waits() bool { return !g.placed && g.need() > 0 }

// waiting lists the pending members of the gang.
func (g *atomicGang) waiting() []*ask {
	return slices.DeleteFunc(g.members(), func(k *ask) bool { return k.node != nil })
}

// mostSteps bounds each search for nodes, and for victims.
const mostSteps = 100_000

// atomicOf returns the application's gang with the ID of the given one, which may be nil. It returns nil if there is none.
func (a *app) atomicOf(gang *core.Gang) *atomicGang {
	for _, g := range a.atomic {
		if gang != nil && g.ID == gang.ID {
			return g
		}
	}
	return nil
}

// disagrees reports whether the gang of the ask has other settings, or slices that do not divide it.
func (a *app) disagrees(k *core.Ask) bool {
	g := a.atomicOf(k.Gang)
	if size := k.Topology.Slice.Size; k.Gang != nil && size > 0 && k.Gang.Min%size != 0 {
		return true
	}
	return g != nil && (g.Gang != *k.Gang || g.topology != k.Topology) || k.Gang != nil && a.setDisagrees(k.Gang.Set, k.Gang.SetMin)
}

// joinGang adds a new ask to its gang.
func (p *partition) joinGang(k *ask) {
	gang, a := k.details.Gang, k.app
	if gang == nil {
		return
	}
	if g := a.atomicOf(gang); g != nil {
		if g.waits() && len(g.waiting()) == 1 { // the others are still leaving
			g.since = p.now
		}
		return
	}
	g := &atomicGang{Gang: *gang, topology: k.details.Topology, app: a, since: p.now, sliceDone: map[int]int{}}
	if done := a.done[gang.ID]; done.min == 0 || done.min == gang.Min {
		g.succeeded = done.succeeded
	}
	delete(a.done, gang.ID)
	g.placed = g.need() <= 0
	if g.succeeded > 0 {
		g.startSet()
	}
	a.atomic = append(a.atomic, g)
}

// leaveGang ends the gangs without members. Only the number of their succeeded members is kept.
func (a *app) leaveGang() {
	a.atomic = slices.DeleteFunc(a.atomic, func(g *atomicGang) bool {
		ended := !slices.ContainsFunc(a.asks, func(k *ask) bool { return a.atomicOf(k.details.Gang) == g })
		if ended && g.succeeded > 0 {
			a.done[g.ID] = doneWork{min: g.Min, succeeded: g.succeeded}
		}
		return ended
	})
}

// doneBefore returns the members that succeeded before a restart, from an input.
func doneBefore(in *core.AddApp) map[string]doneWork {
	done := map[string]doneWork{}
	for id, count := range in.Succeeded {
		done[id] = doneWork{succeeded: count}
	}
	return done
}

// isOverMax reports whether the gang of an ask has as many members as it may have.
func (a *app) isOverMax(gang *core.Gang) bool {
	g := a.atomicOf(gang)
	return g != nil && g.Max > 0 && len(g.members()) >= g.Max
}

// memberReleased counts a succeeded member: it ended by itself and has not failed.
func (k *ask) memberReleased(failed bool) {
	g := k.app.atomicOf(k.details.Gang)
	switch {
	case g == nil || whyReleased(k) != core.ReasonFinished:
	case failed:
		k.lost(core.ReasonMemberFailed)
	default:
		g.succeeded++
		if k.slice != 0 {
			g.sliceDone[k.slice]++
		}
	}
}

// waitingGang returns the gang with which a pending ask is allocated together, or nil.
func (k *ask) waitingGang() *atomicGang {
	g := k.app.atomicOf(k.details.Gang)
	if k.node != nil || g == nil || !g.waits() {
		return nil
	}
	return g
}

// members lists the members of a gang that can be allocated together, in the order of asks. It is empty while the gang has claims.
func (p *partition) members(a *app, g *atomicGang) []*ask {
	if slices.ContainsFunc(p.claims, func(c *claim) bool { return c.gang == g }) {
		return nil
	}
	return slices.DeleteFunc(a.pending(), func(k *ask) bool {
		return k.waitingGang() != g || !p.isOrdinary(k)
	})
}

// tryGang allocates as many members of a gang as are needed by one decision, or none, if the ask is the first of the members.
func (p *partition) tryGang(k *ask) progress {
	g := k.waitingGang()
	if g.waitsForSet() {
		return p.trySet(k)
	}
	members := p.members(k.app, g)
	if len(members) < g.need() || members[0] != k {
		return nothing
	}
	return asSeen(p, k, func() progress { return p.land(members, g) })
}

func (p *partition) land(members []*ask, g *atomicGang) progress {
	nodes := p.placeTogether(members, g.need())
	if nodes == nil {
		if p.accumulating != nil && p.accumulating.gang == g {
			p.accumulate(members)
		}
		return nothing
	}
	devices := p.dealTogether(members, nodes)
	p.overtake(slices.Collect(maps.Keys(nodes))...)
	numberSlices(slices.DeleteFunc(slices.Clone(members), func(k *ask) bool { return nodes[k] == nil }))
	p.allocateAll(g.app, nodes, devices)
	return allocated
}

// allocateAll allocates asks of an application by one decision, in their order.
func (p *partition) allocateAll(a *app, nodes map[*ask]*node, devices map[*ask][]core.PlacedDevices) {
	var landed []*ask
	for _, k := range a.pending() {
		if n := nodes[k]; n != nil {
			landed = append(landed, k)
		}
	}
	p.allocateEach(landed, nodes, devices)
}

// allocateEach allocates asks of an application by one decision, in the given order.
func (p *partition) allocateEach(landed []*ask, nodes map[*ask]*node, devices map[*ask][]core.PlacedDevices) {
	for _, k := range landed {
		p.announceAllocation(k, nodes[k], devices[k])
	}
	p.endAccumulation(landed[0].app.atomicOf(landed[0].details.Gang), "")
	for _, k := range landed {
		p.allocationAdded(k)
	}
	for _, k := range landed {
		p.memberAllocated(k)
	}
}

// dealTogether returns the devices that asks get which are allocated together, in the order of asks.
func (p *partition) dealTogether(members []*ask, nodes map[*ask]*node) map[*ask][]core.PlacedDevices {
	devices, given := map[*ask][]core.PlacedDevices{}, map[*ask]*node{}
	for _, k := range inAskOrder(slices.DeleteFunc(slices.Clone(members), func(k *ask) bool { return nodes[k] == nil })) {
		devices[k] = assumed(given, func() []core.PlacedDevices { return p.chooseDevices(nodes[k], k) })
		given[k] = nodes[k]
	}
	return devices
}

// assumed runs a check as if asks were allocated on nodes.
func assumed[T any](nodes map[*ask]*node, judge func() T) T {
	for k, n := range nodes {
		k.node = n
	}
	defer func() {
		for k := range nodes {
			k.node = nil
		}
	}()
	return judge()
}

// inOrder assigns each member the first node that takes it in addition to the members before, until there are enough.
func (p *partition) inOrder(members []*ask, enough int) map[*ask]*node {
	nodes := map[*ask]*node{}
	for _, k := range members {
		if n := assumed(nodes, func() *node { return p.nodeFor(k) }); n != nil {
			nodes[k] = n
		}
		if len(nodes) == enough {
			break
		}
	}
	return nodes
}

// fitHardest assigns the first members that fit alone, those with the fewest nodes first: each to the node where it fits best, and then
// by trying all assignments. It returns nil if it finds none.
func (p *partition) fitHardest(members []*ask, least int) map[*ask]*node {
	members = slices.DeleteFunc(slices.Clone(members), func(k *ask) bool { return len(p.nodesThatTake(k)) == 0 })
	if len(members) < least {
		return nil
	}
	members = members[:least]
	slices.SortStableFunc(members, func(a, b *ask) int {
		return cmp.Or(cmp.Compare(len(p.nodesThatTake(a)), len(p.nodesThatTake(b))), cmp.Compare(p.dominantShare(b), p.dominantShare(a)))
	})
	nodes := map[*ask]*node{}
	for _, k := range members {
		if n := assumed(nodes, func() *node { return p.bestFit(k) }); n != nil {
			nodes[k] = n
		}
	}
	if len(nodes) == least {
		return nodes
	}
	steps := 0
	clear(nodes)
	if p.fitEvery(members, nodes, &steps) {
		return nodes
	}
	return nil
}

// fitEvery tries all assignments of the members, within the bound of steps.
func (p *partition) fitEvery(members []*ask, nodes map[*ask]*node, steps *int) bool {
	if len(members) == 0 {
		return true
	}
	k := members[0]
	for _, n := range assumed(nodes, func() []*node { return p.nodesThatTake(k) }) {
		if *steps++; *steps > mostSteps {
			return false
		}
		nodes[k] = n
		if p.fitEvery(members[1:], nodes, steps) {
			return true
		}
		delete(nodes, k)
	}
	return false
}

// nodesThatTake lists the nodes that take the ask now, by ID.
func (p *partition) nodesThatTake(k *ask) []*node {
	if !p.fitsHeadroom(k) {
		return nil
	}
	nodes := slices.DeleteFunc(p.searchedNodes(), func(n *node) bool { return !p.takes(n, k) || !p.mayUse(n, k) || !p.leavesPlans(n, k) })
	slices.SortFunc(nodes, func(a, b *node) int { return strings.Compare(a.id, b.id) })
	return nodes
}

// bestFit returns the node that has the least left over beside the ask, as the dominant share of the cluster, or nil if none takes it.
func (p *partition) bestFit(k *ask) *node {
	var best *node
	var least int64
	for _, n := range p.nodesThatTake(k) {
		if left := p.leftOverNow(n, k); best == nil || left < least {
			best, least = n, left
		}
	}
	return best
}

func (p *partition) leftOverNow(n *node, k *ask) int64 {
	var largest int64
	total, used := p.total(), p.keptOn(n, k)
	for _, q := range n.capacity {
		left := resource.Sub(resource.Sub(n.roomWhenEmpty(q.Type), used[q.Type]), valueOf(k.resources, q.Type))
		largest = max(largest, resource.Share(left, total[q.Type]))
	}
	return largest
}

func (p *partition) dominantShare(k *ask) int64 {
	var largest int64
	total := p.total()
	for _, q := range k.resources {
		largest = max(largest, resource.Share(q.Value, total[q.Type]))
	}
	return largest
}

// ends returns when the gang's timeout expires.
func (g *atomicGang) ends() time.Duration {
	return instant.Add(g.since, g.Timeout)
}

// atomicEnds lists when the timeouts of the waiting gangs expire.
func (a *app) atomicEnds() []time.Duration {
	var all []time.Duration
	for _, g := range a.atomic {
		if !a.isTerminal() && g.waits() && g.Timeout > 0 && len(g.waiting()) > 0 {
			all = append(all, g.ends())
		}
	}
	return all
}

// endAtomic rejects the pending members of the gangs whose timeout has expired, or makes them ordinary asks.
func (p *partition) endAtomic(a *app) {
	for _, g := range slices.Clone(a.atomic) {
		if !g.waits() || g.Timeout == 0 || g.ends() > p.now || len(g.waiting()) == 0 {
			continue
		}
		if g.Fallback {
			g.placed, g.fellBack = true, true
			p.decide(core.Decision{Type: core.GangFallback, App: a.id, Gang: g.ID, Reason: core.ReasonTimeout})
			continue
		}
		for _, k := range a.pending() {
			if k.waitingGang() == g {
				p.decide(core.Decision{Type: core.AskRejected, ID: k.id, App: a.id, Reason: core.ReasonGangTimeout})
				p.withdraw(k)
				p.forget(k)
			}
		}
		p.removed(a)
	}
}
