package victim

import (
	"fmt"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/nodes"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// cluster is a tree of queues, nodes and allocations, without a scheduler.
type cluster struct {
	types   *resource.Types
	classes *class.Registry
	pool    *node.Pool
	nodes   *nodes.Nodes
	root    *queue.Queue
	leaves  []*queue.Queue
	apps    []*app.App // one for each leaf
	owner   *asks.Asks
	asks    *app.Asks
	count   uint64
}

// fataler is a test, or a run of a property.
type fataler interface{ Fatal(...any) }

// newCluster makes a cluster with queues below root, which are given as text of a configuration.
func newCluster(t fataler, queues string) *cluster {
	c := &cluster{types: resource.NewTypes()}
	c.types.Admit(amounts(1, 1), amounts(1, 1, 1))
	conf, err := config.Decode([]byte("{partitions: [{name: default, queues: [{name: root, queues: ["+queues+"]}]}]}"), config.Options{File: "test", Format: config.YAML})
	if err != nil {
		t.Fatal(err)
	}
	c.classes, c.owner = class.NewRegistry(c.types), asks.New()
	c.asks = app.NewAsks(c.owner.View(), c.classes)
	weights := []policy.Weight{{Type: "vcore", Thousandths: 1000}}
	c.nodes = nodes.New(c.types.Width())
	c.pool = node.NewPool(c.nodes.View(), c.types, &policy.Acting{Point: policy.NodeScore, Module: policy.FairNodes(weights)}, nil, nil)
	c.root = c.build(conf.Partitions[0].Root, nil)
	c.root.Max = c.pool.Total()
	return c
}

func (c *cluster) build(conf *config.Queue, parent *queue.Queue) *queue.Queue {
	q := queue.New(conf, parent, c.types)
	var children []*queue.Queue
	for _, child := range conf.Children {
		children = append(children, c.build(child, q))
	}
	q.Adopt(children, &policy.Acting{Point: policy.QueueOrder, Module: policy.FairQueues()})
	if q.Leaf() {
		q.ID = len(c.leaves)
		c.leaves = append(c.leaves, q)
		a := app.NewApp(c.asks, conf.Path, uint64(q.ID)+1, c.types.Width())
		a.Leaf = app.NewLeaf(c.types)
		a.Leaf.ID = q.ID
		c.apps = append(c.apps, a)
	}
	return q
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
	n := c.nodes.Add(&nodes.Node{ID: fmt.Sprintf("n%03d", c.pool.Len()), Capacity: c.types.Vec(set, 0), Schedulable: true})
	c.pool.Added(n)
	c.root.Max = c.pool.Total()
	return n
}

// ask makes an ask of a leaf's application.
func (c *cluster) ask(leaf int, vcore, memory int64, priority int32, gpu ...int64) app.Ask {
	c.count++
	return c.asks.Begin(c.owner.Add(fmt.Sprintf("a%d", c.count), asks.Ask{
		App: c.apps[leaf].Number(), Class: c.classes.Of(&class.Shape{Resources: amounts(vcore, memory, gpu...)}).Number, Priority: priority,
	}))
}

// place allocates an ask.
func (c *cluster) place(a app.Ask, n int32) app.Ask {
	c.owner.Place(a.Slot(), n, c.count, 0)
	a.App().AddPlaced(a, n)
	c.nodes.Allocate(n, a.Class().Demand)
	for q := c.leaves[a.App().Leaf.ID]; q != nil; q = q.Parent {
		q.Used.Add(a.Class().Demand)
		q.Allocations++
	}
	c.pool.Changed(n)
	return a
}

// release ends an allocation.
func (c *cluster) release(a app.Ask) {
	n := a.Node()
	c.nodes.Release(n, a.Class().Demand)
	a.App().RemovePlaced(a, n)
	for q := c.leaves[a.App().Leaf.ID]; q != nil; q = q.Parent {
		q.Used.Sub(a.Class().Demand)
		q.Allocations--
	}
	c.pool.Changed(n)
}

// allocations lists the allocations of a leaf, by node.
func (c *cluster) allocations(leaf int) [][]app.Ask {
	nodes := make([][]app.Ask, c.pool.Len())
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
	return New(c.pool, c.asks.FirstOn, func(int32) resource.Vec { return nil })
}

func (c *cluster) question(a app.Ask) *Question {
	return &Question{
		Ask: a, Leaf: c.leaves[a.App().Leaf.ID], Leaves: len(c.leaves), Total: c.pool.Total(), Largest: c.classes.Largest(), Enabled: true,
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
