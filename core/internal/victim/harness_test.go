package victim

import (
	"fmt"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/gangs"
	"github.com/quern-project/quern/core/internal/state/nodes"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// cluster is a tree of queues, nodes and allocations, without a scheduler.
type cluster struct {
	types    *resource.Types
	classes  class.Registry
	updater  node.Updater
	nodes    *nodes.Nodes
	owner    *queues.Queues
	leaves   []queues.ID
	apps     []app.App // one for each leaf
	askOwner *asks.Asks
	asks     *app.Owner
	values   *apps.Apps
	count    uint64
}

// fataler is a test, or a run of a property.
type fataler interface{ Fatal(...any) }

// newCluster makes a cluster with queues below root, which are given as text of a configuration.
func newCluster(t fataler, below string) *cluster {
	c := &cluster{types: resource.NewTypes()}
	c.types.Admit(amounts(1, 1), amounts(1, 1, 1))
	conf, err := config.Decode([]byte("{partitions: [{name: default, queues: [{name: root, queues: ["+below+"]}]}]}"), config.Options{File: "test", Format: config.YAML})
	if err != nil {
		t.Fatal(err)
	}
	c.classes, c.askOwner = class.NewRegistry(c.types), asks.New()
	c.values = apps.New(c.types.Width())
	c.asks = app.NewOwner(c.askOwner.View(), c.values.View(), gangs.View{}, c.classes.View())
	weights := []policy.Weight{{Type: "vcore", Thousandths: 1000}}
	c.nodes = nodes.New(c.types.Width())
	c.updater = node.New(c.nodes.View(), c.types, &policy.Acting{Point: policy.NodeScore, Module: policy.FairNodes(weights)}, nil, nil)
	c.owner = queues.New(c.types)
	c.build(conf.Partitions[0].Root, queues.None)
	return c
}

func (c *cluster) build(conf *config.Queue, parent queues.ID) {
	q := c.owner.Add(conf, parent, queues.Kind{})
	for _, child := range conf.Children {
		c.build(child, q)
	}
	if conf.Leaf {
		a := c.asks.NewApp(c.values.Add(conf.Path, apps.App{Seq: uint64(len(c.leaves)) + 1}, &apps.Details{})).App()
		leaf := app.NewLeaf(c.types)
		leaf.SetID(int(q))
		leaf.Admit(a)
		c.leaves, c.apps = append(c.leaves, q), append(c.apps, a)
	}
}

func amounts(vcore, memory int64, gpu ...int64) resource.Set {
	list := []resource.Quantity{{Type: "vcore", Value: vcore}, {Type: "memory", Value: memory}}
	for _, n := range gpu {
		list = append(list, resource.Quantity{Type: "gpu", Value: n})
	}
	return resource.NewSet(list...)
}

func (c *cluster) node(vcore, memory int64, gpu ...int64) int32 {
	set := amounts(vcore, memory, gpu...)
	n := c.nodes.Add(&nodes.Node{ID: fmt.Sprintf("n%03d", c.updater.Len()), Capacity: c.types.Vec(set, 0), Schedulable: true})
	c.updater.Added(n)
	c.owner.SetTotal(c.updater.Total())
	return n
}

// ask makes an ask of a leaf's application.
func (c *cluster) ask(leaf int, vcore, memory int64, priority int32, gpu ...int64) app.Ask {
	c.count++
	return c.asks.Begin(c.askOwner.Add(fmt.Sprintf("a%d", c.count), asks.Ask{
		App: int32(c.apps[leaf].Number()), Class: c.classes.Of(&class.Shape{Resources: amounts(vcore, memory, gpu...)}).Number(), Priority: priority,
	}))
}

// place allocates an ask.
func (c *cluster) place(a app.Ask, n int32) app.Ask {
	c.askOwner.Place(a.Slot(), n, c.count, 0)
	c.asks.Edit(a.App()).AddPlaced(a, n)
	c.nodes.Allocate(n, a.Class().Demand())
	c.owner.Restore(queues.ID(a.App().Leaf().ID()), a.Class().Demand())
	c.updater.Changed(n)
	return a
}

// release ends an allocation.
func (c *cluster) release(a app.Ask) {
	n := a.Node()
	c.nodes.Release(n, a.Class().Demand())
	c.asks.Edit(a.App()).RemovePlaced(a, n)
	c.owner.Free(queues.ID(a.App().Leaf().ID()), a.Class().Demand())
	c.updater.Changed(n)
}

// allocations lists the allocations of a leaf, by node.
func (c *cluster) allocations(leaf int) [][]app.Ask {
	nodes := make([][]app.Ask, c.updater.Len())
	for i := range nodes {
		for a := c.asks.FirstOn(int32(i)); !a.IsNone(); a = a.NextOnNode() {
			if a.App() == c.apps[leaf] {
				nodes[i] = append(nodes[i], a)
			}
		}
	}
	return nodes
}

func (c *cluster) finder() *Finder {
	return New(c.updater.Finder(), c.asks.FirstOn, func(int32) resource.Amounts { return resource.Amounts{} })
}

func (c *cluster) question(a app.Ask) *Question {
	return &Question{
		Ask: a, Queues: c.owner.View(), Leaf: queues.ID(a.App().Leaf().ID()), Total: c.updater.Total(), Largest: c.classes.Largest(), Enabled: true,
		MayTake: func(int32) bool { return false },
	}
}

func ids(set *Set) string {
	text := ""
	for _, v := range set.Victims {
		text += v.ID() + " "
	}
	return text
}
