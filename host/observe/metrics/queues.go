package metrics

import (
	"cmp"
	"maps"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// mostTypes is how many types of resources of a queue have series.
const mostTypes = 16

// amounts sends a set, a series a type: vcores in cores, all others unchanged.
func (s series) amounts(d *prometheus.Desc, queue string, set resource.Set) {
	list := slices.Clone(set)
	slices.SortStableFunc(list, func(a, b resource.Quantity) int { return cmp.Compare(rank(a.Type), rank(b.Type)) })
	for _, q := range list[:min(len(list), mostTypes)] {
		s.gauge(d, inUnits(q), queue, q.Type)
	}
}

// rank puts the common types in front of others.
func rank(resourceType string) int {
	if i := slices.Index([]string{resource.VCore, "memory", "pods"}, resourceType); i >= 0 {
		return i
	}
	return 3
}

// inUnits is an amount in the unit that its series has.
func inUnits(q resource.Quantity) float64 {
	if q.Type == resource.VCore {
		return float64(q.Value) / 1000
	}
	return float64(q.Value)
}

// divide gives the queues nearest to root series of their own, and sums up the leaves among the rest; nil: there are none.
func divide(list []core.QueueTotals, most int) (own []core.QueueTotals, rest *core.QueueTotals) {
	byDepth := slices.Clone(list)
	slices.SortStableFunc(byDepth, func(a, b core.QueueTotals) int { return cmp.Compare(a.Depth, b.Depth) })
	own = byDepth[:min(len(byDepth), most)]
	used, pending := map[string]int64{}, map[string]int64{}
	for i := len(own); i < len(byDepth); i++ {
		q := &byDepth[i]
		if rest == nil {
			rest = &core.QueueTotals{}
		}
		if q.Leaf {
			rest.PendingAsks += q.PendingAsks
			add(used, q.Used)
			add(pending, q.Pending)
		}
	}
	if rest != nil {
		rest.Used, rest.Pending = setOf(used), setOf(pending)
	}
	return own, rest
}

func add(sum map[string]int64, set resource.Set) {
	for _, q := range set {
		sum[q.Type] = resource.Add(sum[q.Type], q.Value)
	}
}

func setOf(sum map[string]int64) resource.Set {
	var list []resource.Quantity
	for _, t := range slices.Sorted(maps.Keys(sum)) {
		list = append(list, resource.Quantity{Type: t, Value: sum[t]})
	}
	return resource.NewSet(list...)
}
