package scheduler_test

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
)

// verdict returns the verdict that a dry run must give, and the nodes where the ask could run.
func (c *bench) verdict(k *stake) (core.Reason, []core.NodeDump) {
	holders, drained := c.holders(k)
	switch {
	case k.Claims != "":
		return explain.VerdictWaits, holders
	case k.said.NoPreemptOthers:
		return explain.VerdictNeverPreempts, holders
	case len(holders) == 0 && drained:
		return explain.VerdictDrained, holders
	case len(holders) == 0:
		return explain.VerdictNoNode, holders
	case slices.ContainsFunc(c.never(k), func(b explain.Bound) bool { return b.Queue != "" }):
		return explain.VerdictMax, holders
	case slices.ContainsFunc(holders, func(n core.NodeDump) bool { return c.takes(k, n) }):
		return explain.VerdictNeedsNoVictims, holders
	case slices.ContainsFunc(holders, func(n core.NodeDump) bool { return c.gives(k, n) }):
		return explain.VerdictPreempts, holders
	}
	return c.refusal(k), holders
}

func (c *bench) refusal(k *stake) core.Reason {
	inside, beyond := false, false
	for _, q := range c.upwards(k.queue)[1:] {
		if c.entitled(k, q.Path) {
			beyond = true
			inside = inside || under(q.Path, c.fence(k.queue))
		}
	}
	switch {
	case k.said.Node != "", c.intra(k.queue):
		return explain.VerdictNoVictims
	case !c.enabled:
		return explain.VerdictOff
	case c.disabled(k.queue):
		return explain.VerdictDisabled
	case !inside && beyond:
		return explain.VerdictFenced
	case !inside:
		return explain.VerdictNotEntitled
	}
	return explain.VerdictNoVictims
}

// holders lists the nodes that would take an ask if they were empty. drained reports that a drained node would.
func (c *bench) holders(k *stake) (list []core.NodeDump, drained bool) {
	for _, n := range c.Nodes {
		up := n
		up.Schedulable, up.Used, up.ClaimedBy = true, nil, ""
		if reason, _ := cause(up, k.AskDump, asking{Ask: k.said}); reason == "" {
			drained = drained || !n.Schedulable
			if n.Schedulable {
				list = append(list, n)
			}
		}
	}
	return list, drained
}

// never lists the bounds that an ask alone exceeds.
func (c *bench) never(k *stake) (list []explain.Bound) {
	var allowed []core.NodeDump
	fits := false
	for _, n := range c.Nodes {
		up := n
		up.Schedulable, up.Used, up.ClaimedBy = true, nil, ""
		reason, _ := cause(up, k.AskDump, asking{Ask: k.said})
		if reason == "" || reason == explain.NodeTooSmall {
			allowed = append(allowed, n)
			fits = fits || reason == ""
		}
	}
	apart := len(allowed) > 0 && !fits
	for _, need := range k.Resources {
		for _, q := range c.chain(k.queue, "root") {
			if limit, ok := q.Max.Value(need.Type); ok && limit < need.Value {
				list = append(list, explain.Bound{Queue: q.Path, Type: need.Type, Needs: need.Value, Most: limit})
			}
		}
		most := int64(0)
		for _, n := range allowed {
			most = max(most, valueOf(n.Capacity, need.Type)-valueOf(n.Occupied, need.Type))
		}
		if !fits && len(allowed) > 0 && most < need.Value {
			list, apart = append(list, explain.Bound{Type: need.Type, Needs: need.Value, Most: most}), false
		}
	}
	if apart {
		list = append(list, explain.Bound{})
	}
	return list
}

// room returns the free amount of a type on a node after all leaving allocations have left. It is negative if the node is
// over-committed.
func (c *bench) room(n core.NodeDump, typ string) int64 {
	room := valueOf(n.Capacity, typ) - valueOf(n.Occupied, typ) - valueOf(n.Used, typ)
	for _, v := range c.on(n) {
		if v.Leaving != "" {
			room += valueOf(v.Resources, typ)
		}
	}
	return room
}

// closed reports whether an ask may not preempt on a node, since it is claimed or reserved for another ask.
func (c *bench) closed(k *stake, n core.NodeDump) bool { return n.ClaimedBy != "" || c.reserved(k, n) }

func (c *bench) reserved(k *stake, n core.NodeDump) bool {
	if n.Reserved == "" || n.Reserved == k.ID {
		return false
	}
	hold := c.tasks[n.Reserved].said.Node != "" // gives way only to asks that also require a node
	return hold && k.said.Node == "" || !c.outranks(c.s, k.ID, n.Reserved)
}

// takes reports whether a node takes an ask now, or will once the leaving allocations have left and the claim is allocated.
func (c *bench) takes(k *stake, n core.NodeDump) bool {
	if len(c.beyond(k)) > 0 || c.reserved(k, n) {
		return false
	}
	for _, need := range k.Resources {
		keeper := int64(0)
		if n.ClaimedBy != "" {
			keeper = valueOf(c.tasks[n.ClaimedBy].Resources, need.Type)
		}
		if c.room(n, need.Type)-keeper < need.Value {
			return false
		}
	}
	return true
}

// bar returns the reason why an allocation cannot be a victim of an ask.
func (c *bench) bar(k, v *stake, n core.NodeDump) core.Reason {
	meet := c.meet(k.queue, v.queue)
	byNode := k.said.Node != ""
	own := v.queue == k.queue
	switch {
	case v.Leaving != "":
		return explain.ExcludedLeaving
	case v.app == k.app:
		return explain.ExcludedSameApp
	case v.said.Node != "":
		return explain.ExcludedNode
	case byNode:
	case own && !c.intra(k.queue):
		return explain.ExcludedSameQueue
	case own:
	case !c.enabled:
		return explain.ExcludedOff
	case c.disabled(k.queue):
		return explain.ExcludedAsker
	case c.disabled(v.queue):
		return explain.ExcludedDisabled
	case !under(meet, c.fence(k.queue)):
		return explain.ExcludedFence
	case !c.entitled(k, meet):
		return explain.ExcludedEntitlement
	}
	low := v.Priority <= k.Priority
	if !byNode {
		low = c.seen(v.Priority, v.queue, meet) <= c.seen(k.Priority, k.queue, meet)
		if own {
			low = v.Priority < k.Priority
		}
	}
	switch {
	case !low:
		return explain.ExcludedPriority
	case !c.keeps(k, []*stake{v}):
		return explain.ExcludedGuaranteed
	case c.closed(k, n):
		return explain.ExcludedReserved
	}
	return ""
}

// taken returns how much of a type a set uses in a queue.
func taken(set []*stake, path, typ string) (sum int64) {
	for _, v := range set {
		if under(v.queue, path) {
			sum += valueOf(v.Resources, typ)
		}
	}
	return sum
}

// keeps reports whether a set of victims respects the guarantees that it affects: laws 2 and 5, and the exchange as a whole.
func (c *bench) keeps(k *stake, set []*stake) bool {
	if k.said.Node != "" {
		return true
	}
	for _, v := range set {
		for _, need := range v.Resources {
			for _, q := range c.chain(v.queue, c.meet(k.queue, v.queue)) {
				if g := valueOf(q.Guaranteed, need.Type); g > 0 && c.stays(q, need.Type)-taken(set, q.Path, need.Type) < g {
					return false
				}
			}
			for _, q := range c.upwards(c.meet(k.queue, v.queue)) {
				g, will := valueOf(q.Guaranteed, need.Type), c.will(q, need.Type)
				if g > 0 && will-taken(set, q.Path, need.Type)+valueOf(k.Resources, need.Type) < min(g, will) {
					return false
				}
			}
		}
	}
	return true
}

// short lists the amounts that are missing on a node and below maxima once a set has left. The cluster's total is listed only if no
// other amount is missing.
func (c *bench) short(k *stake, n core.NodeDump, set []*stake) (list []explain.Shortfall) {
	for _, need := range k.Resources {
		if missing := need.Value - c.room(n, need.Type) - taken(set, "root", need.Type); missing > 0 {
			list = append(list, explain.Shortfall{Type: need.Type, Missing: missing})
		}
	}
	var total []explain.Shortfall
	for _, l := range c.beyond(k) {
		if l.Missing -= taken(set, l.Queue, l.Type); l.Missing > 0 && l.Queue == "root" {
			total = append(total, l)
		} else if l.Missing > 0 {
			list = append(list, l)
		}
	}
	if len(list) == 0 {
		return total
	}
	return list
}

// gives reports whether some permitted set of a node is sufficient.
func (c *bench) gives(k *stake, n core.NodeDump) bool {
	if c.closed(k, n) {
		return false
	}
	free := slices.DeleteFunc(c.on(n), func(v *stake) bool { return c.bar(k, v, n) != "" })
	for bits := range 1 << len(free) {
		var set []*stake
		for i, v := range free {
			if bits>>i&1 == 1 {
				set = append(set, v)
			}
		}
		if c.keeps(k, set) && len(c.short(k, n, set)) == 0 {
			return true
		}
	}
	return false
}

// minimal reports whether a set is permitted and sufficient on a node, and no smaller part of it is sufficient.
func (c *bench) minimal(k *stake, n core.NodeDump, set []*stake) bool {
	if !c.keeps(k, set) || len(c.short(k, n, set)) > 0 {
		return false
	}
	for i, v := range set {
		if !slices.Contains(n.Allocations, v.ID) || c.bar(k, v, n) != "" || len(c.short(k, n, slices.Delete(slices.Clone(set), i, i+1))) == 0 {
			return false
		}
	}
	return true
}

// over lists the guarantees of a victim's queues, with the usage that remains once a set has left.
func (c *bench) over(k, v *stake, set []*stake) (list []explain.Finding) {
	if k.said.Node != "" || v.queue == k.queue {
		return nil
	}
	for _, q := range c.chain(v.queue, c.meet(k.queue, v.queue)) {
		for _, need := range v.Resources {
			if g := valueOf(q.Guaranteed, need.Type); g > 0 {
				left := c.stays(q, need.Type) - taken(set, q.Path, need.Type)
				list = append(list, explain.Finding{Law: explain.Law5, Queue: q.Path, Type: need.Type, Used: left, Guaranteed: g, Holds: left >= g})
			}
		}
	}
	return list
}
