package workload

import (
	"fmt"
	"strings"

	"github.com/quern-project/quern/core"
)

// Quota is a cluster at work, and a configuration that lowers what all queues together may use.
type Quota struct {
	Workload

	Next string
}

// QuotaDelay is how many seconds queues have been over their max when they release allocations.
const QuotaDelay = 60

// NewQuota runs allocations in the leaves of one queue, half of each leaf guaranteed; they are restored, not scheduled. That
// many of them are more than Next lets the queue have.
func NewQuota(leaves, allocations, excess int, seed uint64) Quota {
	rng := random(seed, quotaStream)
	t := newTree(leaves)
	t.guaranteed = max(1, allocations/leaves/2)
	q := Quota{Workload: Workload{Config: quotaText(t, allocations)}, Next: quotaText(t, allocations-excess)}
	nodes := max(1, allocations/churnCores)
	cores := int64(ceil(allocations, nodes))
	for i := range nodes {
		q.add(core.Input{Event: &core.AddNode{ID: nodeID(i), Capacity: size(cores*1000, cores*memoryPerCore)}})
	}
	apps := max(leaves, allocations/appAsks)
	paths := t.paths()
	for i, path := range paths {
		paths[i] = strings.Replace(path, "root.", "root.tenant.", 1)
	}
	q.addApps(apps, paths)
	one := size(1000, memoryPerCore)
	for i := range allocations {
		in := &core.RestoreAllocation{AddAsk: core.AddAsk{ID: askID(i), App: appID(rng.IntN(apps)), Resources: one}, PlacedOn: nodeID(i % nodes)}
		in.Ask.Priority = int32(rng.IntN(3) * 10)
		q.add(core.Input{Event: in})
	}
	return q
}

// quotaText puts the tree below one queue with a max.
func quotaText(t tree, vcores int) string {
	head, below, _ := strings.Cut(t.text(), "    queues:\n")
	head = strings.Replace(head, "  queues:\n", "  preemption: {quotapreemptionenabled: true}\n  queues:\n", 1)
	head += fmt.Sprintf("    queues:\n    - name: tenant\n      resources: {max: {vcore: %d}}\n      properties: {quota.preemption.delay: %ds}\n      queues:\n", vcores, QuotaDelay)
	return head + "  " + strings.ReplaceAll(strings.TrimSuffix(below, "\n"), "\n", "\n  ") + "\n"
}
