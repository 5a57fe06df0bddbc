package main

import "github.com/quern-project/quern/host/workload"

// crowd is a size of the workloads of preemption, scaled.
func (s scale) crowd(nodes, queues, perNode int) workload.PreemptionSize {
	return workload.PreemptionSize{Nodes: s.of(nodes, 100), Queues: s.of(queues, 20), PerNode: s.of(perNode, 10)}
}

func sizeOf(c workload.PreemptionSize) []int { return []int{c.Nodes, c.Queues, c.PerNode} }

// What is taken by an ask where a row does not say otherwise, and in a harder one.
const (
	oneVictim   = 1
	fourVictims = 4
)

const (
	preemptPlain = "preempt"
	preemptFour  = "preempt, 4 victims"
	preemptMixed = "preempt, mixed sizes"
)

// preemptSizes vary one size at a time around the first: nodes, leaf queues, allocations on a node.
var preemptSizes = [][3]int{
	{10_000, 100, 10},
	{1_000, 100, 10}, {100_000, 100, 10},
	{10_000, 10, 10}, {10_000, 1_000, 10}, {10_000, 10_000, 10},
	{10_000, 100, 30}, {10_000, 100, 110},
}

// preemptions are the wanted sizes first, then those that show how the cost grows.
func preemptions(s scale) group {
	g := group{
		name: "preempt",
		about: "Every node is full, most queues use twice what they are guaranteed, and every tenth queue is owed all of it. An ask of such a queue looks for " +
			"victims; timed is the cycle that decides about it. Asks differ in size, priority and queue from all before, so that nothing is known but who is " +
			"on which node; the first finds not even that. Sizes are nodes / leaf queues / allocations on a node.",
		columns: []column{{median, milli, false}, {hundredth, milli, false}, {first, milli, false}, {heap, megabyte, false}},
	}
	add := func(name string, size workload.PreemptionSize, victims int, wanted float64) {
		c := benchCase{name: name, size: sizeOf(size), wanted: map[string]float64{median: wanted}}
		c.run = func() (sample, error) { return preempt(size, victims, s.of(40, 5)) }
		g.cases = append(g.cases, c)
	}
	add(preemptPlain, s.crowd(5_000, 100, 20), oneVictim, 2)
	add(preemptFour, s.crowd(5_000, 100, 20), fourVictims, 0)
	mixed := s.crowd(5_000, 100, 20)
	mixed.Mixed = true
	add(preemptMixed, mixed, fourVictims, 0)
	for _, size := range preemptSizes {
		wanted := 0.0
		if size[0] == 100_000 {
			wanted = 20
		}
		add(preemptPlain, s.crowd(size[0], size[1], size[2]), oneVictim, wanted)
	}
	middle := g.cases[len(g.cases)-len(preemptSizes)].size
	for i, what := range []string{"nodes", "leaf queues", "allocations on a node"} {
		g.growths = append(g.growths, growth{"preempt, an attempt", what, i, preemptPlain, middle, []string{median}, milli})
	}
	return g
}

// lowest is a priority below all that run.
const lowest = -1000

// refusals are for asks without victims: all allocations are of higher priority, or needed for a guarantee.
func refusals(s scale) group {
	g := group{
		name: "preempt-refused",
		about: "The same cluster, where an ask has no victims: all allocations have a higher priority, or no queue uses more than it is guaranteed. Timed is the cycle " +
			"that finds this out, for asks that differ from all before, and a cycle at the next instant, at which nothing has changed. Sizes are nodes / leaf " +
			"queues / allocations on a node.",
		columns: []column{{median, micro, false}, {first, micro, false}, {unchanged, micro, false}},
	}
	add := func(name string, size workload.PreemptionSize, priority int32) {
		c := benchCase{name: name, size: sizeOf(size), wanted: map[string]float64{median: 1000, unchanged: 10}}
		c.run = func() (sample, error) { return refuse(size, priority, s.of(40, 5)) }
		g.cases = append(g.cases, c)
	}
	guarded := s.crowd(5_000, 100, 20)
	guarded.Guarded = true
	add("refused by priority", s.crowd(5_000, 100, 20), lowest)
	add("refused by guarantees", guarded, 100)
	return g
}

// waitings are asks that are refused, and wait for what would let them preempt.
func waitings(s scale) group {
	g := group{
		name: "preempt-waiting",
		about: "The same cluster, where no queue uses more than it is guaranteed, and asks that each differ from all others wait for what they cannot take. Timed " +
			"is a cycle at which one more of them may look for victims. Sizes are nodes / leaf queues / allocations on a node / asks that wait.",
		columns: []column{{median, milli, false}, {hundredth, milli, false}},
	}
	for _, n := range []int{1, 10, 100} {
		size, waiting := s.crowd(5_000, 100, 20), s.of(n, 3)
		size.Guarded = true
		g.cases = append(g.cases, benchCase{name: "preempt waiting", size: append(sizeOf(size), waiting), run: func() (sample, error) {
			return queueUp(size, waiting, s.of(10, 3))
		}})
	}
	g.growths = []growth{{"preempt waiting, a cycle", "asks that wait", 3, "preempt waiting", g.cases[0].size, []string{median}, milli}}
	return g
}

// bulks are many asks that may preempt at once.
func bulks(s scale) group {
	asks := s.of(1_000, 25)
	g := group{
		name: "preempt-bulk",
		about: "The same cluster, and that many asks of one queue that is owed, all of which may preempt at the same instant: until all have their victims, and, " +
			"once those have left at once, until all have landed. Sizes are nodes / leaf queues / allocations on a node / asks.",
		columns: []column{{duration, milli, false}, {landing, milli, false}, {heap, megabyte, false}},
	}
	size := s.crowd(5_000, 10, 20) // a tenth of the cluster is owed to one queue
	g.cases = []benchCase{{
		name: "preempt bulk", size: append(sizeOf(size), asks), wanted: map[string]float64{duration: 5000},
		run: func() (sample, error) { return bulk(size, asks) },
	}}
	return g
}
