package workload

import (
	"strconv"

	"github.com/quern-project/quern/core"
)

// Churn is a cluster at 90 % use, and what keeps it there.
type Churn struct {
	Workload

	// Steps is gone through again and again: each releases an allocation and asks for the same again under its ID, so
	// that a step makes nothing that was not there before. A caller sets the times.
	Steps []Step
}

// Step is one turn of a Churn.
type Step struct{ Release, Ask core.Input }

// churnCores is the size of a node.
const churnCores = 32

// NewChurn fills nodes of 32 cores to 90 %.
func NewChurn(nodes, queues int, seed uint64) Churn {
	rng := random(seed, churnStream)
	asks := nodes * churnCores * 9 / 10
	t := newTree(queues)
	t.guaranteed = max(1, asks/queues/2)
	c := Churn{Workload: Workload{Config: t.text()}}
	for i := range nodes {
		c.add(core.Input{Event: &core.AddNode{ID: nodeID(i), Capacity: size(churnCores*1000, churnCores*memoryPerCore)}})
	}
	apps := max(queues, asks/appAsks)
	c.addApps(apps, t.paths())
	one := size(1000, memoryPerCore)
	for i := range asks {
		priority := int32(rng.IntN(3) * 10)
		ask := core.Input{Event: &core.AddAsk{ID: askID(i), App: appID(i % apps), Resources: one, Ask: core.Ask{Priority: priority}}}
		c.add(ask)
		c.Steps = append(c.Steps, Step{core.Input{Event: &core.ReleaseAllocation{ID: ask.ID()}}, ask})
	}
	rng.Shuffle(asks, func(i, j int) { c.Steps[i], c.Steps[j] = c.Steps[j], c.Steps[i] })
	return c
}

// Stuck is a full cluster with asks pending that fit nowhere.
type Stuck struct {
	Workload

	Releases []core.Input // each makes room for exactly one ask
}

// A stuck cluster: 100 nodes of 16 fillers, 100 leaves of 100 applications.
const (
	stuckNodes   = 100
	stuckFillers = 16
	stuckLeaves  = 100
	stuckApps    = 100 // of a leaf
	fillerMilli  = 4000
	fillerBytes  = 10_000
	stuckSizes   = 100 // of vcore; with as many of memory as fillerBytes that makes a million shapes
)

// NewStuck makes that many asks of that many distinct shapes, up to a million. Each fits where a filler was, and what
// they leave over on a node is never room for another. Reservations are off.
func NewStuck(asks, shapes int, seed uint64) Stuck {
	rng := random(seed, stuckStream)
	t := newTree(stuckLeaves)
	t.properties = `reservation.delay: "0s"`
	s := Stuck{Workload: Workload{Config: t.text()}}
	for i := range stuckNodes {
		s.add(core.Input{Event: &core.AddNode{ID: nodeID(i), Capacity: size(stuckFillers*fillerMilli, stuckFillers*fillerBytes)}})
	}
	s.addApps(stuckLeaves*stuckApps, t.paths())
	filler := size(fillerMilli, fillerBytes)
	for i := range stuckNodes * stuckFillers {
		id := "filler-" + strconv.Itoa(i)
		s.add(core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: id, App: appID(i % (stuckLeaves * stuckApps)), Resources: filler},
			PlacedOn: nodeID(i % stuckNodes)}})
		s.Releases = append(s.Releases, core.Input{Event: &core.ReleaseAllocation{ID: id}})
	}
	rng.Shuffle(len(s.Releases), func(i, j int) { s.Releases[i], s.Releases[j] = s.Releases[j], s.Releases[i] })
	for i := range asks {
		shape := i % shapes
		in := &core.AddAsk{ID: askID(i), App: appID(rng.IntN(stuckLeaves * stuckApps)),
			Resources: size(fillerMilli-int64(shape%stuckSizes), 1+int64(shape/stuckSizes%fillerBytes))}
		in.Ask.Priority = int32(rng.IntN(3) * 10)
		s.add(core.Input{Event: in})
	}
	return s
}

// Reload is a cluster at work, and the configuration that it is to take over.
type Reload struct {
	Workload

	Next string // the same queues with other limits, guarantees and node order
}

// NewReload runs allocations in queues; they are restored, not scheduled.
func NewReload(queues, allocations int, seed uint64) Reload {
	rng := random(seed, reloadStream)
	nodes := max(1, allocations/churnCores)
	t := newTree(queues)
	t.guaranteed, t.limit = 1, allocations
	r := Reload{Workload: Workload{Config: t.text()}}
	cores := int64(ceil(allocations, nodes))
	for i := range nodes {
		r.add(core.Input{Event: &core.AddNode{ID: nodeID(i), Capacity: size(cores*1000, cores*memoryPerCore)}})
	}
	apps := max(queues, allocations/appAsks)
	r.addApps(apps, t.paths())
	one := size(1000, memoryPerCore)
	for i := range allocations {
		r.add(core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: askID(i), App: appID(rng.IntN(apps)), Resources: one}, PlacedOn: nodeID(i % nodes)}})
	}
	t.guaranteed, t.limit, t.nodeSort = 2, 2*allocations, "binpacking"
	r.Next = t.text()
	return r
}
