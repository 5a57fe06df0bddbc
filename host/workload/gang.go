package workload

import "github.com/quern-project/quern/core"

// Gangs asks for atomic gangs of so many members of 1 vcore, one an application, for as many cores as the nodes have. Every
// gang fits.
func Gangs(nodes, gangs, members, queues int, seed uint64) Workload {
	t := newTree(queues)
	t.guaranteed = max(1, gangs*members/queues/2)
	w := Workload{Config: t.text()}
	cores := int64(ceil(gangs*members, nodes))
	for i := range nodes {
		w.add(core.Input{Event: &core.AddNode{ID: nodeID(i), Capacity: size(cores*1000, cores*memoryPerCore)}})
	}
	w.addApps(gangs, t.paths())
	order, one := random(seed, gangStream).Perm(gangs), size(1000, memoryPerCore)
	for i, gang := range order {
		said := &core.Gang{ID: "gang", Min: members}
		for k := range members {
			w.add(core.Input{Event: &core.AddAsk{ID: askID(i*members + k), App: appID(gang), Resources: one, Ask: core.Ask{Gang: said}}})
		}
	}
	return w
}

// StuckGangs is a cluster that Gangs fills, with one gang more that asks for two cores a member, and so fits nowhere.
func StuckGangs(nodes, gangs, members, queues int, seed uint64) Workload {
	w := Gangs(nodes, gangs, members, queues, seed)
	w.add(core.Input{Event: &core.AddApp{ID: appID(gangs), Queue: w.Inputs[nodes].Event.(*core.AddApp).Queue}})
	for k := range members {
		ask := core.Ask{Gang: &core.Gang{ID: "stuck", Min: members}}
		w.add(core.Input{Event: &core.AddAsk{ID: askID(gangs*members + k), App: appID(gangs), Resources: size(2000, memoryPerCore), Ask: ask}})
	}
	return w
}
