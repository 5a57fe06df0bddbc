package oracle_test

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// usageWithClaims returns, by queue and type, the larger of current and future usage: without leaving allocations, with claims.
func (v *invariants) usageWithClaims() map[string]resource.Set {
	staying := map[string]resource.Set{} // by leaf
	for _, a := range v.dump.Applications {
		for _, k := range a.Asks {
			if k.Claims != "" || k.Node != "" && !v.leaves(&k) {
				staying[a.Queue] = sum(staying[a.Queue], k.Resources)
			}
		}
	}
	usage := map[string]resource.Set{}
	for _, q := range v.dump.Queues {
		usage[q.Path] = larger(q.Used, below(q.Path, staying))
	}
	return usage
}

// leaves reports whether an allocation is leaving.
func (v *invariants) leaves(k *core.AskDump) bool {
	return k.Leaving != "" || v.quota[k.ID] || k.Node != "" && k.Leaves
}

// followQuota records which allocations leave by quota.
func (v *invariants) followQuota(d *core.Decision) {
	switch {
	case d.Type == core.Preemption && d.Quota != "":
		if v.quota == nil {
			v.quota = map[string]bool{}
		}
		v.quota[d.ID] = true
	case d.Type == core.Release:
		delete(v.quota, d.ID)
	}
}

func larger(a, b resource.Set) resource.Set {
	var all []resource.Quantity
	for _, q := range sum(a, b) {
		inA, _ := a.Value(q.Type)
		inB, _ := b.Value(q.Type)
		all = append(all, resource.Quantity{Type: q.Type, Value: max(inA, inB)})
	}
	return resource.NewSet(all...)
}

// followGangs records the gang of each ask, since the members of a gang may share a claimed node.
func (v *invariants) followGangs() {
	v.gangs = map[string]string{}
	for _, d := range []core.Dump{v.before, v.dump} {
		for _, a := range d.Applications {
			for _, k := range a.Asks {
				if g := v.asksByID[k.ID].Gang; g != nil {
					v.gangs[k.ID] = a.ID + " " + g.ID
				}
			}
		}
	}
}

// together reports whether two asks share their claims.
func (v *invariants) together(a, b string) bool {
	return a == b || v.gangs[a] != "" && v.gangs[a] == v.gangs[b]
}

// claimsAgree checks that asks and claimed nodes refer to each other, and that the sums of leaving allocations are right. A node that is
// claimed by several members of a gang names one of them.
func (v *invariants) claimsAgree() {
	keeps, keptFor, reserves := map[string]string{}, map[string]string{}, map[string]bool{}
	for _, n := range v.dump.Nodes {
		reserves[n.Reserved] = true
		if n.ClaimedBy != "" {
			v.expect(keeps[n.ClaimedBy] == "", "two nodes are kept for %s", n.ClaimedBy)
			v.expect(n.Schedulable, "node %s is drained and kept for %s", n.ID, n.ClaimedBy)
			keeps[n.ClaimedBy], keptFor[n.ID] = n.ID, n.ClaimedBy
		}
	}
	leaving := map[string]resource.Set{}
	for _, a := range v.dump.Applications {
		for _, k := range a.Asks {
			if node := keeps[k.ID]; node != "" {
				v.expect(k.Claims == node, "%s says that %q is kept for it, the nodes say %q", k.ID, k.Claims, node)
			}
			if k.Claims != "" {
				v.expect(v.together(k.ID, keptFor[k.Claims]), "%s says that %s is kept for it, the node says for %q", k.ID, k.Claims, keptFor[k.Claims])
			}
			v.expect(k.Claims == "" || k.Node == "", "%s runs and has %s kept", k.ID, k.Claims)
			v.expect(k.Claims == "" || !reserves[k.ID], "%s holds a reservation and has %s kept", k.ID, k.Claims)
			v.expect(k.Leaving == "" || k.Node != "", "%s is pending and leaves for %s", k.ID, k.Leaving)
			delete(keeps, k.ID)
			if v.leaves(&k) {
				leaving[a.Queue] = sum(leaving[a.Queue], k.Resources)
			}
		}
	}
	for id, node := range keeps {
		v.expect(false, "%s is kept for %s, which is not there", node, id)
	}
	for _, q := range v.dump.Queues {
		v.equal("leaving in "+q.Path, below(q.Path, leaving), q.Leaving)
	}
}

// kept checks a cycle against the state before it: claimed nodes are used only by the asks that claim them, held nodes only by asks that
// require them, and no allocation is preempted twice.
func (v *invariants) kept(decisions []core.Decision) []string {
	v.broken = nil
	kept, held, leaving := map[string]string{}, map[string]string{}, map[string]bool{}
	for _, n := range v.before.Nodes {
		kept[n.ID] = n.ClaimedBy
		if v.asksByID[n.Reserved].Node != "" {
			held[n.ID] = n.Reserved
		}
	}
	for _, a := range v.before.Applications {
		for _, k := range a.Asks {
			leaving[k.ID] = k.Leaving != "" || v.left[k.ID]
		}
	}
	mayUse := func(node, ask string) {
		v.expect(kept[node] == "" || v.together(kept[node], ask), "%s uses %s, kept for %s", ask, node, kept[node])
		v.expect(held[node] == "" || v.together(kept[node], ask) || v.asksByID[ask].Node == node, "%s uses %s, held for %s", ask, node, held[node])
	}
	for _, d := range decisions {
		switch d.Type {
		case core.Allocation:
			mayUse(d.Node, d.ID)
			delete(kept, d.Node)
		case core.Preemption:
			if d.Quota != "" {
				v.expect(!leaving[d.ID], "%s is taken twice", d.ID)
				leaving[d.ID] = true
				continue
			}
			mayUse(d.Node, d.For)
			v.expect(!leaving[d.ID], "%s is taken twice", d.ID)
			kept[d.Node], leaving[d.ID] = d.For, true
		case core.Unreservation:
			delete(held, d.Node)
		case core.Reservation:
			v.expect(held[d.Node] == "", "%s reserves %s, held for %s", d.ID, d.Node, held[d.Node])
			if v.asksByID[d.ID].Node != "" {
				held[d.Node] = d.ID
				continue
			}
			v.expect(kept[d.Node] == "", "%s reserves %s, kept for %s", d.ID, d.Node, kept[d.Node])
		}
	}
	return v.broken
}
