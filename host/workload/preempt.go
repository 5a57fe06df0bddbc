package workload

import (
	"math/rand/v2"
	"strconv"

	"github.com/quern-project/quern/core"
)

// Preemption is a full cluster in which most queues use twice what they are guaranteed, and every tenth, which is owed, uses
// nothing. Nothing is left for an ask of an owed queue but to preempt.
type Preemption struct {
	Workload

	owed  []string // queues
	mixed bool
	rng   *rand.Rand
}

// PreemptionSize says how large a Preemption is.
type PreemptionSize struct {
	Nodes, Queues int
	PerNode       int  // allocations
	Mixed         bool // of many sizes, some that no longer want to leave; otherwise all are of 1 vcore
	Guarded       bool // no queue uses more than it is guaranteed, so there are no victims
}

// NewPreemption makes the cluster. Allocations are restored, not scheduled.
func NewPreemption(s PreemptionSize, seed uint64) Preemption {
	c := Preemption{mixed: s.Mixed, rng: random(seed, preemptionStream)}
	allocations := s.Nodes * s.PerNode
	t := newTree(s.Queues)
	t.guaranteed = max(1, allocations/s.Queues/2)
	if s.Guarded {
		t.guaranteed *= 4
	}
	c.Config = t.text()
	var over []string
	for i, path := range t.paths() {
		if i%10 == 0 {
			c.owed = append(c.owed, path)
		} else {
			over = append(over, path)
		}
	}
	apps := max(len(over), allocations/appAsks)
	c.addApps(apps, over)
	for i := range s.Nodes {
		c.addFullNode(i, s.PerNode, apps)
	}
	return c
}

// addFullNode adds a node and what fills it.
func (c *Preemption) addFullNode(i, allocations, apps int) {
	var milli, bytes int64
	node := &core.AddNode{ID: nodeID(i)}
	c.add(core.Input{Event: node})
	priorities := [...]int32{0, 10, 100}
	for k := range allocations {
		// Applications take turns, so that queues of equal guarantees use equally much.
		in := &core.RestoreAllocation{AddAsk: core.AddAsk{ID: askID(i*allocations + k), App: appID((i*allocations + k) % apps)}, PlacedOn: nodeID(i)}
		cores, parts := int64(1000), int64(memoryPerCore)
		if c.mixed {
			cores, parts = int64(c.rng.IntN(4)+1)*500, int64(c.rng.IntN(8)+1)*5
			in.Ask.NotPreemptable, in.Ask.Originator = c.rng.IntN(10) == 0, c.rng.IntN(20) == 0
		}
		in.Ask.Priority = priorities[c.rng.IntN(len(priorities))]
		in.Resources = size(cores, parts)
		milli, bytes = milli+cores, bytes+parts
		c.add(core.Input{Event: in})
	}
	node.Capacity = size(milli, bytes)
}

// Ask is an application of an owed queue and its ask. No two of the first 900 are alike. It wants a little less than so
// many allocations of 1 vcore leave behind; in a mixed cluster, up to as many cores.
func (c *Preemption) Ask(i, victims int) (app, ask core.Input) {
	app, asked := c.one(i, i%len(c.owed))
	asked.Resources = size(int64(victims)*1000-int64(i)-1, int64(victims)*memoryPerCore)
	if c.mixed {
		asked.Resources = size(int64(c.rng.IntN(victims*1000)+1000), int64(c.rng.IntN(victims*memoryPerCore)+1))
	}
	if i%2 == 1 {
		asked.Ask.Priority = 100
	}
	return app, core.Input{Event: asked}
}

// Asks is that many applications of one owed queue, then an ask of 1 vcore of each.
func (c *Preemption) Asks(asks int) []core.Input {
	list := make([]core.Input, 2*asks)
	for i := range asks {
		app, ask := c.one(i, 0)
		ask.Resources = size(1000, memoryPerCore)
		list[i], list[asks+i] = app, core.Input{Event: ask}
	}
	return list
}

func (c *Preemption) one(i, queue int) (app core.Input, ask *core.AddAsk) {
	id := strconv.Itoa(i)
	app = core.Input{Event: &core.AddApp{ID: "owed-app-" + id, Queue: c.owed[queue]}}
	return app, &core.AddAsk{ID: "owed-ask-" + id, App: app.ID(), Ask: core.Ask{Priority: 10}}
}
