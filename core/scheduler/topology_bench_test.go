package scheduler_test

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core"
)

// racks is a cluster of nodes of 8 cores in racks of about 31 nodes, of which eight are in each block.
type racks struct {
	*cluster
	next int
}

const topologyOfRacks = "topology: [{level: block, attribute: block}, {level: rack, attribute: rack}], nodesortpolicy: {type: binpacking}, "

func newRacks(tb testing.TB, nodes, racksOf, blocks int) *racks {
	c := &racks{cluster: newCluster(tb, core.Options{}, "")}
	c.Apply(&core.Input{At: c.Now(), Event: &core.SetConfig{Config: "partitions: [{" + topologyOfRacks + "queues: [{name: a}]}]"}})
	for i := range nodes {
		rack := i % racksOf
		c.Apply(&core.Input{At: c.Now(), Event: &core.AddNode{ID: fmt.Sprintf("n%04d", i), Capacity: vcores(8),
			Attributes: map[string]string{"rack": fmt.Sprintf("r%03d", rack), "block": fmt.Sprintf("b%02d", rack%blocks)}}})
	}
	c.Take()
	return c
}

// ask submits a gang of equal members and returns its number.
func (c *racks) ask(members int, cores int64, in core.Topology) int {
	c.next++
	app := fmt.Sprint("x", c.next)
	c.Apply(&core.Input{At: c.Now(), Event: &core.AddApp{ID: app, Queue: "root.a"}})
	for m := range members {
		c.Apply(&core.Input{At: c.Now(), Event: &core.AddAsk{ID: memberID(c.next, m), App: app, Resources: vcores(cores),
			Ask: core.Ask{Gang: &core.Gang{ID: fmt.Sprint("g", c.next), Min: members}, Topology: in}}})
	}
	return c.next
}

// end ends the application of a gang, and with it its allocations.
func (c *racks) end(gang int) {
	c.Apply(&core.Input{At: c.Now(), Event: &core.RemoveApp{ID: fmt.Sprint("x", gang)}})
}

// set submits a set of two gangs of equal members.
func (c *racks) set(members int, cores int64, in core.Topology) {
	c.next++
	app := fmt.Sprint("x", c.next)
	c.Apply(&core.Input{At: c.Now(), Event: &core.AddApp{ID: app, Queue: "root.a"}})
	for m := range 2 * members {
		c.Apply(&core.Input{At: c.Now(), Event: &core.AddAsk{ID: memberID(c.next, m), App: app, Resources: vcores(cores),
			Ask: core.Ask{Gang: &core.Gang{ID: fmt.Sprint("g", m%2), Min: members, Set: "s", SetMin: 2}, Topology: in}}})
	}
}

// finish runs cycles until nothing is left to do now, and returns the number of allocations.
func (c *racks) finish() (placed int) {
	for {
		placed += c.Cycle(-1)
		if at, ok := c.Deadline(); !ok || at > c.Now() {
			return placed
		}
	}
}

func memberID(gang, member int) string { return fmt.Sprintf("g%d-%d", gang, member) }

// BenchmarkGangsInRacks ends a gang of 8 members and places another one, on 5,000 nodes in 160 racks of 20 blocks of which nine tenths are in
// use, while other gangs, sliced gangs or sets of gangs that fit no rack wait.
func BenchmarkGangsInRacks(b *testing.B) {
	rack := core.Topology{Required: "rack"}
	sliced := core.Topology{Required: "block", Slice: core.Slice{Level: "rack", Size: 20}}
	for _, k := range []struct {
		name string
		in   core.Topology
		wait func(c *racks)
	}{
		{"required=/preferred=/waiting=0", core.Topology{}, nil}, {"required=rack/preferred=/waiting=0", rack, nil},
		{"required=rack/preferred=/waiting=1000", rack, func(c *racks) { c.ask(40, 8, rack) }},
		{"required=rack/preferred=/waiting=1000/slices", rack, func(c *racks) { c.ask(40, 8, sliced) }},
		{"required=rack/preferred=/waiting=1000/sets", rack, func(c *racks) { c.set(40, 8, rack) }},
		{"required=block/preferred=/waiting=0", core.Topology{Required: "block"}, nil},
		{"required=/preferred=rack/waiting=0", core.Topology{Preferred: "rack"}, nil}, {"required=node/preferred=/waiting=0", core.Topology{Required: "node"}, nil},
	} {
		b.Run(k.name, func(b *testing.B) { benchmarkRacks(b, k.in, k.wait) })
	}
}

func benchmarkRacks(b *testing.B, in core.Topology, wait func(c *racks)) {
	c := newRacks(b, 5_000, 160, 20)
	for range 4_500 {
		c.ask(8, 1, in)
	}
	first, waiting := 1, 0
	if n := c.finish(); n != 8*4_500 {
		b.Fatalf("%d asks were placed", n)
	}
	c.Take()
	if wait != nil {
		for waiting < 1_000 {
			wait(c)
			waiting++
		}
	}
	c.finish()
	for b.Loop() {
		c.end(first)
		if first++; first == 4_501 { // the next gangs wait
			first += waiting
		}
		c.ask(8, 1, in)
		if n := c.finish(); n != 8 {
			b.Fatalf("%d asks were placed", n)
		}
		c.Take()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "gangs/s")
}
