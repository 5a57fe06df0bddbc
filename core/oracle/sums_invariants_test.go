package oracle_test

import (
	"math"
	"math/big"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// sumsAreExact checks, with big integers, that no sum has saturated or become negative.
func (v *invariants) sumsAreExact() {
	var capacities, allocated []resource.Set
	onNode := map[string][]resource.Set{}
	for _, a := range v.dump.Applications {
		for _, k := range a.Asks {
			if k.Node != "" {
				allocated = append(allocated, k.Resources)
				onNode[k.Node] = append(onNode[k.Node], k.Resources)
			}
		}
	}
	for _, n := range v.dump.Nodes {
		capacities = append(capacities, n.Capacity)
		v.exact("usage of node "+n.ID, onNode[n.ID], n.Used)
		v.exact("what is occupied and used on node "+n.ID, append(onNode[n.ID], n.Occupied), sum(n.Used, n.Occupied))
	}
	v.exact("total", capacities, v.dump.Total)
	v.exact("usage", allocated, v.dump.Queues[0].Used)
	for _, q := range v.dump.Queues {
		for _, s := range []resource.Set{q.Used, q.Pending, q.Leaving} {
			for _, amount := range s {
				v.expect(amount.Value >= 0, "%s has %d %s", q.Path, amount.Value, amount.Type)
			}
		}
	}
}

func (v *invariants) exact(what string, parts []resource.Set, whole resource.Set) {
	sums := map[string]*big.Int{}
	for _, part := range parts {
		for _, amount := range part {
			if sums[amount.Type] == nil {
				sums[amount.Type] = new(big.Int)
			}
			sums[amount.Type].Add(sums[amount.Type], big.NewInt(amount.Value))
		}
	}
	for typ, exact := range sums {
		v.expect(exact.Cmp(big.NewInt(math.MaxInt64)) <= 0, "%s of %s is beyond int64: %s", what, typ, exact)
		v.expect(exact.Cmp(big.NewInt(valueIn(whole, typ))) == 0, "%s of %s is said to be %d, and is %s", what, typ, valueIn(whole, typ), exact)
	}
}

// countsAgree checks the queues' numbers of asks, allocations and running applications.
func (v *invariants) countsAgree() {
	for _, q := range v.dump.Queues {
		pending, allocated, running := 0, 0, 0
		for _, a := range v.dump.Applications {
			if a.Queue != q.Path && !isBelow(a.Queue, q.Path) {
				continue
			}
			holds := a.State == core.StateStarting || a.State == core.StateRunning || a.State == core.StateResuming
			for _, k := range a.Asks {
				if k.Node == "" {
					pending++
				} else {
					allocated++
				}
				holds = holds || k.Claims != ""
			}
			if holds {
				running++
			}
		}
		v.expect(q.PendingAsks == pending, "%s counts %d pending asks and has %d", q.Path, q.PendingAsks, pending)
		v.expect(q.Allocations == allocated, "%s counts %d allocations and has %d", q.Path, q.Allocations, allocated)
		v.expect(q.Running == running, "%s counts %d applications that hold a place and has %d", q.Path, q.Running, running)
	}
}

func isBelow(path, above string) bool {
	return len(path) > len(above) && path[:len(above)+1] == above+"."
}
