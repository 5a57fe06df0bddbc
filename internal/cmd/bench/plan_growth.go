package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/workload"
)

// varieties are fills whose asks differ: the sizes are shapes, priorities and applications.
func varieties(s scale) group {
	g := group{
		name: "fill-varied",
		about: "A fill of one queue on 10,000 nodes, 50,000 asks whose shapes, priorities and applications vary. Timed are the asks taken in and the first " +
			"cycle. Sizes are shapes / priorities / applications.",
		columns: []column{{asking, nanosecond, false}, {placing, nanosecond, false}, {"first cycle", milli, false}, {heap, megabyte, false}},
	}
	nodes, asks := s.of(10_000, 100), s.of(50_000, 1000)
	for _, size := range varietySizes {
		v := workload.Variety{Nodes: nodes, Asks: asks, Queues: 1, Shapes: min(size[0], asks), Priorities: min(size[1], asks), Apps: min(size[2], asks)}
		c := benchCase{name: varied, size: []int{v.Shapes, v.Priorities, v.Apps}}
		if size == manyShapes {
			c.wanted = map[string]float64{"first cycle": 60}
		}
		c.run = func() (sample, error) { return fillVaried(v) }
		g.cases = append(g.cases, c)
	}
	for i, what := range []string{"shapes in one application", "priorities in one application", "applications"} {
		g.growths = append(g.growths, growth{"fill-varied, an allocation", what, i, varied, g.cases[0].size, []string{asking, placing}, nanosecond})
	}
	return g
}

const varied = "fill-varied"

// manyShapes is the size that has a wanted figure.
var manyShapes = [3]int{40_000, 1, 1}

// varietySizes vary one size at a time around the first: shapes, priorities, applications.
var varietySizes = [][3]int{
	{1, 1, 1},
	{100, 1, 1}, {10_000, 1, 1}, manyShapes,
	{1, 100, 1}, {1, 10_000, 1},
	{1, 1, 100}, {1, 1, 10_000}, {1, 1, 50_000},
}

func fillVaried(v workload.Variety) (sample, error) {
	before := live()
	w := workload.FillVaried(v, seed)
	setUp, asks := split(w.All())
	wanted := len(asks)
	runtime.GC()

	d := newDriver()
	d.apply(setUp)
	asked := d.apply(asks)
	began := time.Now()
	made := d.decide()
	placed := time.Since(began)
	if made != wanted {
		return nil, fmt.Errorf("%d of %d asks are allocated", made, wanted)
	}
	w, setUp, asks = workload.Workload{}, nil, nil
	megabytes := grown(before)
	runtime.KeepAlive(d.Scheduler)
	return sample{each(asked, wanted, 1), each(placed, made, 1), each(placed, 1, time.Millisecond), megabytes}, nil
}

// nodeChanges are nodes that come, change and go.
func nodeChanges(s scale) group {
	g := group{
		name: "nodes",
		about: "Nodes of 1 to 64 cores without allocations: all added in random order, with one cycle at the end, then some resized and some removed, with a cycle " +
			"after each. Sizes are nodes.",
		columns: []column{{adding, nanosecond, false}, {resizing, nanosecond, false}, {removing, nanosecond, false}, {heap, megabyte, false}},
	}
	for _, n := range []int{1_000, 10_000, 100_000} {
		nodes := s.of(n, 100)
		c := benchCase{name: "nodes", size: []int{nodes}, wanted: map[string]float64{adding: 2000}}
		c.run = func() (sample, error) { return changeNodes(nodes, min(nodes/2, 2000)) }
		g.cases = append(g.cases, c)
	}
	for _, figure := range []string{adding, resizing, removing} {
		g.growths = append(g.growths, growth{figure, "nodes", 0, "nodes", g.cases[0].size, []string{figure}, nanosecond})
	}
	return g
}

const (
	adding   = "a node added"
	resizing = "a node resized"
	removing = "a node removed"
)

func changeNodes(nodes, changes int) (sample, error) {
	before := live()
	c := workload.NewNodeChanges(nodes, changes, seed)
	d := newDriver()
	d.apply(c.All())
	runtime.GC()

	began := time.Now()
	d.apply(c.Adds)
	d.decide()
	added := time.Since(began)
	resized := d.changeOneByOne(c.Updates)
	removed := d.changeOneByOne(c.Removes)
	if left := len(d.Dump().Nodes); left != nodes-changes {
		return nil, fmt.Errorf("%d nodes are left of %d", left, nodes)
	}
	c = workload.NodeChanges{}
	megabytes := grown(before)
	runtime.KeepAlive(d.Scheduler)
	return sample{each(added, nodes, 1), each(resized, changes, 1), each(removed, changes, 1), megabytes}, nil
}

// changeOneByOne applies inputs with a cycle after each.
func (d driver) changeOneByOne(inputs []core.Input) time.Duration {
	began := time.Now()
	for i := range inputs {
		d.Apply(&inputs[i])
		d.decide()
	}
	return time.Since(began)
}
