package workload

import "github.com/quern-project/quern/core"

// Variety says how much the asks of a workload differ from each other.
type Variety struct {
	Nodes, Asks, Queues int

	Apps       int // applications
	Shapes     int // distinct sizes of asks, up to Asks; an ask of shape i wants 1 vcore and 10 + i memory
	Priorities int // distinct priorities
}

// FillVaried is Fill with so many applications, shapes and priorities. The nodes have room for all asks.
func FillVaried(v Variety, seed uint64) Workload {
	rng := random(seed, variedStream)
	t := newTree(v.Queues)
	t.guaranteed = max(1, v.Asks/v.Queues/2)
	w := Workload{Config: t.text()}
	cores := int64(ceil(v.Asks, v.Nodes))
	for i := range v.Nodes {
		w.add(core.Input{Event: &core.AddNode{ID: nodeID(i), Capacity: size(cores*1000, cores*int64(memoryPerCore+v.Shapes))}})
	}
	w.addApps(v.Apps, t.paths())
	for i := range v.Asks {
		in := &core.AddAsk{ID: askID(i), App: appID(rng.IntN(v.Apps)), Resources: size(1000, int64(memoryPerCore+i%v.Shapes))}
		in.Ask.Priority = int32(rng.IntN(v.Priorities))
		w.add(core.Input{Event: in})
	}
	return w
}

// NodeChanges adds nodes in random order, and then resizes and removes some, at an instant of its own each.
type NodeChanges struct {
	Workload // queues, and no nodes

	Adds, Updates, Removes []core.Input
}

// NewNodeChanges makes the changes of a cluster of so many nodes; changes is the number of updates, and that of removals.
func NewNodeChanges(nodes, changes int, seed uint64) NodeChanges {
	rng := random(seed, nodesStream)
	c := NodeChanges{Workload: Workload{Config: newTree(1).text()}}
	order := rng.Perm(nodes)
	for _, i := range order {
		cores := int64(rng.IntN(64) + 1)
		c.Adds = append(c.Adds, core.Input{Event: &core.AddNode{ID: nodeID(i), Capacity: size(cores*1000, cores*memoryPerCore)}})
	}
	for k := range changes {
		cores := int64(rng.IntN(64) + 1)
		c.Updates = append(c.Updates, core.Input{Event: &core.UpdateNode{ID: nodeID(order[k%nodes]), Capacity: size(cores*1000, cores*memoryPerCore)}})
		c.Removes = append(c.Removes, core.Input{Event: &core.RemoveNode{ID: nodeID(order[nodes-1-k%nodes])}})
	}
	return c
}
