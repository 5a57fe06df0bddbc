package oracle_test

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// optimum finds the best victims by trying every subset of all allocations, from the state before a cycle and what inputs said. It shares
// nothing with the searches that it judges: what a set has to satisfy is written down once more, set by set.
type optimum struct {
	*lawChecker
	members []*task // of the gang that asks, or the single ask
	running []*task // in order of allocation
	apps    map[string]*core.AddApp
	formed  map[string]bool
	done    map[gangKey]int // succeeded members
	total   resource.Set

	elastic bool // some gang has elastic surplus
	surplus bool // only elastic surplus may go
	need    map[string]int64
	mask    int
	taken   []*task
}

// harm is what sets are compared by, in order.
type harm struct {
	originators, optedOut, beyond int
	highest                       int64
	ended, victims                int
	priorities, excess            []int64
	shares                        []int64 // of the leaves by aged usage, largest first; larger is better
	ages                          []int   // younger is better
	nodes                         []string
}

func (h *harm) compare(other *harm) int {
	return cmp.Or(cmp.Compare(h.originators, other.originators), cmp.Compare(h.optedOut, other.optedOut), cmp.Compare(h.beyond, other.beyond),
		cmp.Compare(h.highest, other.highest), cmp.Compare(h.ended, other.ended), cmp.Compare(h.victims, other.victims),
		slices.Compare(h.priorities, other.priorities), slices.Compare(h.excess, other.excess), -slices.Compare(h.shares, other.shares), -slices.Compare(h.ages, other.ages),
		slices.Compare(h.nodes, other.nodes))
}

// find returns the IDs of the best victims, in order of allocation, and the nodes for which they leave, by name. There are none if the asks
// fit without victims.
func (o *optimum) find() (victims, nodes []string) {
	o.need = map[string]int64{}
	for _, k := range o.members {
		for _, q := range k.Resources {
			o.need[q.Type] += q.Value
		}
	}
	o.elastic = slices.ContainsFunc(o.running, func(v *task) bool { return o.elasticSurplus(v) > 0 })
	assignments := o.assignments()
	o.take(0)
	if slices.ContainsFunc(assignments, func(at []*core.NodeDump) bool { return o.suffices(at) }) {
		return nil, nil
	}
	if o.elastic && o.members[0].said.Node == "" {
		o.surplus = true
		if victims, nodes = o.best(assignments); victims != nil {
			return victims, nodes
		}
		o.surplus = false
	}
	return o.best(assignments)
}

// assignments lists all ways to put the members on nodes that admit them.
func (o *optimum) assignments() [][]*core.NodeDump {
	all := [][]*core.NodeDump{nil}
	for _, k := range o.members {
		var more [][]*core.NodeDump
		for _, at := range all {
			for i := range o.dump.Nodes {
				if n := &o.dump.Nodes[i]; n.Schedulable && (k.said.Node == "" || k.said.Node == n.ID) {
					more = append(more, append(slices.Clone(at), n))
				}
			}
		}
		all = more
	}
	return all
}

func (o *optimum) best(assignments [][]*core.NodeDump) (victims, nodes []string) {
	var least *harm
	for mask := 1; mask < 1<<len(o.running); mask++ {
		o.take(mask)
		if !o.maySingly() || !o.keepsUnits() || !o.keepsPromises() || !o.keepsBudgets() {
			continue
		}
		for _, at := range assignments {
			if !o.competes(at) || !o.suffices(at) {
				continue
			}
			if h := o.harm(at); least == nil || h.compare(least) < 0 {
				least, victims, nodes = h, nil, h.nodes
				for _, v := range o.taken {
					victims = append(victims, v.ID)
				}
			}
		}
	}
	return victims, nodes
}

func (o *optimum) take(mask int) {
	o.mask, o.taken = mask, o.taken[:0]
	for i, v := range o.running {
		if mask&(1<<i) != 0 {
			o.taken = append(o.taken, v)
		}
	}
}

// maySingly checks the laws about single victims.
func (o *optimum) maySingly() bool {
	k := *o.members[0]
	for _, other := range o.members {
		k.Priority = min(k.Priority, other.Priority)
	}
	return !slices.ContainsFunc(o.taken, func(v *task) bool { return v.app == k.app || v.said.Node != "" || o.spares(&k, v) || !o.mayTake(&k, v) })
}

func (o *optimum) mayTake(k, v *task) bool {
	switch {
	case k.said.Node != "":
		return v.Priority <= k.Priority
	case o.surplus && v.queue == k.queue:
		return v.Priority <= k.Priority
	case v.queue == k.queue:
		return o.says(k.queue, "preemption.intra-queue", "enabled") && v.Priority < k.Priority
	}
	at := common(k.queue, v.queue)
	if o.seen(v, k) > o.seen(k, v) || slices.ContainsFunc(chain(k.queue, at), func(path string) bool { return o.says(path, "preemption.policy", "fence") }) {
		return false
	}
	if o.surplus {
		return true
	}
	disabled := func(path string) bool { return o.says(path, "preemption.policy", "disabled") }
	return o.isEntitled(k, at) && !slices.ContainsFunc(chain(k.queue, "root"), disabled) && !slices.ContainsFunc(chain(v.queue, "root"), disabled)
}

// isEntitled implements law 4. Of a gang, all members but the last count as used.
func (o *optimum) isEntitled(k *task, at string) bool {
	for typ, amount := range o.need {
		promised, under := false, true
		for _, path := range chain(k.queue, at) {
			promise := valueIn(o.queues[path].Guaranteed, typ)
			if promise <= 0 {
				continue
			}
			used := valueIn(o.queues[path].Used, typ)
			for _, other := range o.members[:len(o.members)-1] {
				used += valueIn(other.Resources, typ)
			}
			promised, under = true, under && used < promise
		}
		if amount > 0 && promised && under {
			return true
		}
	}
	return false
}

func (o *optimum) isTaken(v *task) bool { return slices.Contains(o.taken, v) }

// of lists the members of an allocation's gang.
func (o *optimum) of(v *task) (members []*task) {
	for _, other := range o.running {
		if v.said.Gang != nil && other.said.Gang != nil && other.app == v.app && other.said.Gang.ID == v.said.Gang.ID {
			members = append(members, other)
		}
	}
	return members
}

func (o *optimum) byMember(v *task) bool { return o.says(v.queue, "preemption.gangs", "member") }

// isUnit reports whether the allocation is of an atomic gang that goes as one, apart from its surplus.
func (o *optimum) isUnit(v *task) bool {
	return v.said.Gang != nil && v.said.Gang.Disruption != core.DisruptMember && !o.byMember(v)
}

// isOfApp reports whether the allocation is of an application with placeholders that goes as one.
func (o *optimum) isOfApp(v *task) bool {
	app := o.apps[v.app]
	return app.Placeholders != nil && app.Placeholders.Unit && o.formed[v.app] && !o.byMember(v)
}

// least returns how many members the allocation's gang needs.
func (o *optimum) least(v *task) int {
	return v.said.Gang.Min - o.done[gangKey{v.app, v.said.Gang.ID}]
}

// endsGang reports whether the set takes more of the allocation's gang than surplus, and whether it leaves some of it then.
func (o *optimum) endsGang(v *task) (ends, short bool) {
	all, taken := o.of(v), 0
	for _, other := range all {
		if o.isTaken(other) {
			taken++
		}
	}
	surplus := len(all) - o.least(v)
	if v.said.Gang.Disruption == core.DisruptWhole {
		surplus = 0
	}
	ends = taken > 0 && taken > surplus
	return ends, ends && taken < len(all)
}

// endsApp is endsGang for an application with placeholders.
func (o *optimum) endsApp(app string) (ends, short bool) {
	left := map[string]int64{}
	for _, other := range o.ofApp(app) {
		if !o.isTaken(other) {
			short = true
			for _, q := range other.Resources {
				left[q.Type] += q.Value
			}
		}
	}
	for _, q := range o.apps[app].Placeholders.Ask {
		ends = ends || left[q.Type] < q.Value
	}
	return ends, ends && short
}

// keepsUnits implements law 8, and that only elastic surplus goes by that right.
func (o *optimum) keepsUnits() bool {
	for _, v := range o.taken {
		if o.isUnit(v) {
			if _, short := o.endsGang(v); short {
				return false
			}
		}
		if o.isOfApp(v) {
			if _, short := o.endsApp(v.app); short {
				return false
			}
		}
	}
	return !o.surplus || o.beyond() == 0 && len(o.ended()) == 0
}

// elasticSurplus returns how many members of the allocation's gang are elastic surplus.
func (o *optimum) elasticSurplus(v *task) int {
	g := v.said.Gang
	if g == nil || g.Max == 0 || g.Disruption != core.DisruptUnit || o.byMember(v) || o.says(v.queue, "preemption.surplus", "disabled") {
		return 0
	}
	return max(0, len(o.of(v))-o.least(v))
}

// beyond counts the victims that are no elastic surplus, if there is any in the cluster.
func (o *optimum) beyond() (count int) {
	if !o.elastic {
		return 0
	}
	met := map[*task]bool{}
	for _, v := range o.taken {
		if met[v] {
			continue
		}
		taken := 1
		for _, other := range o.of(v) {
			if other != v && o.isTaken(other) {
				met[other] = true
				taken++
			}
		}
		count += max(0, taken-o.elasticSurplus(v))
	}
	return count
}

// competes reports whether each victim is on one of the nodes, or goes with all of a gang that has a member there.
func (o *optimum) competes(at []*core.NodeDump) bool {
	there := func(v *task) bool {
		return slices.ContainsFunc(at, func(n *core.NodeDump) bool { return n.ID == v.Node })
	}
	goes := func(all []*task) bool {
		return slices.ContainsFunc(all, there) && !slices.ContainsFunc(all, func(v *task) bool { return !o.isTaken(v) })
	}
	return !slices.ContainsFunc(o.taken, func(v *task) bool {
		return !there(v) && !(o.isUnit(v) && goes(o.of(v))) && !(o.isOfApp(v) && goes(o.ofApp(v.app)))
	})
}

// ofApp lists the allocations of an application.
func (o *optimum) ofApp(app string) (all []*task) {
	for _, v := range o.running {
		if v.app == app {
			all = append(all, v)
		}
	}
	return all
}

// gone sums what the victims use in a queue, or on a node if the path is empty.
func (o *optimum) gone(path, node, typ string) (sum int64) {
	for _, v := range o.taken {
		if path != "" && (v.queue == path || strings.HasPrefix(v.queue, path+".")) || path == "" && v.Node == node {
			sum += valueIn(v.Resources, typ)
		}
	}
	return sum
}

func (o *optimum) free(n *core.NodeDump, typ string) int64 {
	return valueIn(n.Capacity, typ) - valueIn(n.Occupied, typ) - valueIn(n.Used, typ)
}

// suffices reports whether all members fit their nodes and every max without the victims.
func (o *optimum) suffices(at []*core.NodeDump) bool {
	for _, n := range at {
		for typ := range o.need {
			need := int64(0)
			for i, k := range o.members {
				if at[i] == n {
					need += valueIn(k.Resources, typ)
				}
			}
			if strings.HasPrefix(typ, "gpu") && len(n.Devices) > 0 { // room in these is asked of the devices
				continue
			}
			if need > 0 && o.free(n, typ)+o.gone("", n.ID, typ) < need {
				return false
			}
		}
	}
	for i, n := range at {
		if !o.hasDevices(n, o.members[i]) {
			return false
		}
	}
	for _, path := range chain(o.members[0].queue, "") {
		for typ, need := range o.need {
			limit, set := o.queues[path].Max.Value(typ)
			if need > 0 && (set || path == "root") && valueIn(o.queues[path].Used, typ)-o.gone(path, "", typ)+need > limit {
				return false
			}
		}
	}
	return true
}

// keepsPromises implements laws 2 and 5, and that the exchange lowers no queue below what it is promised.
func (o *optimum) keepsPromises() bool {
	k := o.members[0]
	if k.said.Node != "" {
		return true
	}
	for _, v := range o.taken {
		at := common(v.queue, k.queue)
		for _, path := range chain(v.queue, at) {
			for _, promise := range o.queues[path].Guaranteed {
				left := valueIn(o.queues[path].Used, promise.Type) - o.gone(path, "", promise.Type)
				if promise.Value > 0 && valueIn(v.Resources, promise.Type) > 0 && left < promise.Value {
					return false
				}
			}
		}
		for _, path := range chain(at, "") {
			for _, promise := range o.queues[path].Guaranteed {
				used := valueIn(o.queues[path].Used, promise.Type)
				if promise.Value > 0 && used-o.gone(path, "", promise.Type)+o.need[promise.Type] < min(used, promise.Value) {
					return false
				}
			}
		}
	}
	return true
}

// ended names the gangs of which all go.
func (o *optimum) ended() map[string]bool {
	ended := map[string]bool{}
	for _, v := range o.taken {
		if o.isUnit(v) {
			if ends, _ := o.endsGang(v); ends {
				ended[v.app+" "+v.said.Gang.ID] = true
			}
		}
		if o.isOfApp(v) {
			if ends, _ := o.endsApp(v.app); ends {
				ended[v.app] = true
			}
		}
	}
	return ended
}

func (o *optimum) harm(at []*core.NodeDump) *harm {
	h := &harm{beyond: o.beyond(), victims: len(o.taken), highest: math.MinInt64}
	for i, v := range o.running {
		if !o.isTaken(v) {
			continue
		}
		priority := int64(v.Priority)
		if v.Placeholder {
			priority = math.MinInt64
		}
		h.priorities, h.highest = append(h.priorities, priority), max(h.highest, priority)
		h.ages = append(h.ages, i)
		h.shares = append(h.shares, o.agedShare(v.queue))
		if v.said.Originator {
			h.originators++
		}
		if v.said.NotPreemptable {
			h.optedOut++
		}
	}
	slices.Sort(h.priorities)
	slices.Reverse(h.priorities)
	slices.Sort(h.shares)
	slices.Reverse(h.shares)
	h.ended = len(o.ended())
	for _, n := range at {
		h.nodes = append(h.nodes, n.ID)
	}
	slices.Sort(h.nodes)
	h.nodes = slices.Compact(h.nodes)
	h.excess = o.excess(h.nodes)
	return h
}

// agedShare returns the share by which a leaf is ordered, if its usage ages.
func (o *optimum) agedShare(leaf string) int64 {
	if of := o.queues[leaf].Aged; of != nil {
		return of.Share
	}
	return 0
}

// excess returns the surplus room on the nodes after the exchange, by type that their victims use, as shares of the cluster, largest first.
func (o *optimum) excess(nodes []string) (shares []int64) {
	for _, typ := range append(slices.Clone(types), "gpu.memory") {
		room, freed := int64(0), int64(0)
		for _, id := range nodes {
			room, freed = room+max(0, o.free(o.nodes[id], typ)), freed+o.gone("", id, typ)
		}
		if freed > 0 {
			shares = append(shares, resource.Share(room+freed-o.need[typ], valueIn(o.total, typ)))
		}
	}
	slices.Sort(shares)
	slices.Reverse(shares)
	return shares
}
