package workload

import (
	"fmt"

	"github.com/quern-project/quern/core"
)

// Placeholders is a cluster of gang applications: their placeholders, then as many tasks, which take their places.
type Placeholders struct {
	Workload              // the configuration, the nodes and the applications
	Holding  []core.Input // the asks of placeholders
	Tasks    []core.Input
	Releases []core.Input // of the placeholders
}

// NewPlaceholders makes gangs of so many members of 1 vcore and 10 memory. All of them fit, and a quarter more.
func NewPlaceholders(gangs, members, nodes, queues int) Placeholders {
	t := newTree(queues)
	p := Placeholders{Workload: Workload{Config: t.text()}}
	cores := int64(ceil(gangs*members*5, nodes*4))
	for i := range nodes {
		p.add(core.Input{Event: &core.AddNode{ID: nodeID(i), Capacity: size(cores*1000, cores*memoryPerCore)}})
	}
	paths, one := t.paths(), size(1000, memoryPerCore)
	for i := range gangs {
		p.add(core.Input{Event: &core.AddApp{ID: appID(i), Queue: paths[i%len(paths)],
			Placeholders: &core.Placeholders{Ask: size(int64(members)*1000, int64(members)*memoryPerCore)}}})
		for j := range members {
			id := fmt.Sprintf("%d-%d", i, j)
			p.Holding = append(p.Holding, core.Input{Event: &core.AddAsk{ID: "hold-" + id, App: appID(i), Resources: one, Ask: core.Ask{Placeholder: true, TaskGroup: "workers"}}})
			p.Tasks = append(p.Tasks, core.Input{Event: &core.AddAsk{ID: "task-" + id, App: appID(i), Resources: one, Ask: core.Ask{TaskGroup: "workers"}}})
			p.Releases = append(p.Releases, core.Input{Event: &core.ReleaseAllocation{ID: "hold-" + id}})
		}
	}
	return p
}
