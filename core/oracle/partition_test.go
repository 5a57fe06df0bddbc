package oracle_test

import (
	"testing"
	"time"

	"github.com/quern-project/quern/core"
)

const twoPartitions = `
partitions:
- name: Main
  queues: [{name: default}]
- name: GPU
  queues: [{name: default}]
`

func (c *cluster) nodeIn(partition, id string, vcores int64) {
	c.apply(core.Input{Event: &core.AddNode{ID: id, Partition: partition, Capacity: cores(vcores)}})
}

func (c *cluster) appIn(partition, id string) {
	c.apply(core.Input{Event: &core.AddApp{ID: id, Partition: partition, Queue: "root.default"}})
}

func TestEachPartitionHasItsOwnNodesAndQueues(t *testing.T) {
	c := newCluster(t, twoPartitions)
	c.nodeIn("", "n", 1)
	c.nodeIn("gpu", "g", 4)
	c.appIn("", "x")
	c.appIn("Gpu", "y")
	c.ask("a", "x", 2)
	c.ask("b", "y", 2)
	c.expect("node.accepted n", "node.accepted g gpu", "app.accepted x root.default", "app.accepted y root.default gpu", "allocation b g")
}

func TestIDsAreSharedByPartitions(t *testing.T) {
	c := newCluster(t, twoPartitions)
	c.nodeIn("gpu", "n", 4)
	c.nodeIn("main", "n", 4)
	c.appIn("gpu", "x")
	c.appIn("main", "x")
	c.appIn("main", "y")
	c.ask("a", "x", 1)
	c.ask("a", "y", 1)
	c.expect("node.accepted n gpu", "node.rejected n duplicate", "app.accepted x root.default gpu", "app.rejected x duplicate",
		"app.accepted y root.default", "allocation a n", "ask.rejected a duplicate")
}

func TestAnUnknownPartitionIsRejected(t *testing.T) {
	c := newCluster(t, twoPartitions)
	c.nodeIn("none", "n", 4)
	c.appIn("none", "x")
	c.expect("node.rejected n unknown-partition", "app.rejected x unknown-partition")
}

func TestANodeOfAnotherPartitionIsUnknownToARestore(t *testing.T) {
	c := newCluster(t, twoPartitions)
	c.nodeIn("gpu", "g", 4)
	c.appIn("", "x")
	c.restore("a", "x", "g", 1)
	c.expect("node.accepted g gpu", "app.accepted x root.default", "ask.rejected a unknown-node")
}

func TestTheCycleIsCompleteForAPartitionBeforeTheNext(t *testing.T) {
	c := newCluster(t, `
partitions:
- name: main
  preemption: {enabled: true}
  queues: [{name: a, resources: {guaranteed: {vcore: 4}}, properties: {preemption.delay: 10s}}, {name: b}]
- name: gpu
  queues: [{name: default}]
`)
	c.nodeIn("", "n", 4)
	c.app("low", "root.b", "u")
	c.ask("old", "low", 4)
	c.app("high", "root.a", "u")
	c.ask("new", "high", 4)
	c.appIn("gpu", "y")
	c.ask("b", "y", 1)
	c.skip()
	c.pass(9 * time.Second)
	c.m.Take()
	c.m.Advance(10 * time.Second)
	in := core.Input{At: c.m.Now(), Event: &core.AddNode{ID: "g", Partition: "gpu", Capacity: cores(1)}}
	c.m.Apply(&in)
	c.m.Cycle(-1)
	c.expect("node.accepted g gpu", "preemption old new n", "allocation b g")
}

func TestManualCycle_CountsAllPartitions(t *testing.T) {
	c := newCluster(t, twoPartitions)
	for _, in := range []core.Input{
		{Event: &core.AddNode{ID: "n", Capacity: cores(1)}}, {Event: &core.AddNode{ID: "g", Partition: "gpu", Capacity: cores(1)}},
		{Event: &core.AddApp{ID: "x", Queue: "root.default"}}, {Event: &core.AddApp{ID: "y", Partition: "gpu", Queue: "root.default"}},
		{Event: &core.AddAsk{ID: "a", App: "x", Resources: cores(1)}}, {Event: &core.AddAsk{ID: "b", App: "y", Resources: cores(1)}},
	} {
		c.m.Apply(&in)
	}
	c.skip()
	if made := c.m.Cycle(1); made != 1 {
		t.Errorf("%d allocations", made)
	}
	c.expect("allocation a n")
	c.m.Cycle(1)
	c.expect("allocation b g")
}

func TestAReloadThatLeavesOutAPartitionInUseIsRefused(t *testing.T) {
	const one = "partitions:\n- name: main\n  queues: [{name: default}]\n"
	c := newCluster(t, twoPartitions)
	c.nodeIn("gpu", "g", 1)
	c.config(one)
	c.apply(core.Input{Event: &core.RemoveNode{ID: "g"}})
	c.appIn("gpu", "y")
	c.config(one)
	c.remove("y")
	c.config(one)
	c.appIn("gpu", "z")
	c.expect("node.accepted g gpu", "config.rejected partition GPU: in use, cannot be left out", "app.accepted y root.default gpu",
		"config.rejected partition GPU: in use, cannot be left out", "config.accepted", "app.rejected z unknown-partition")
}

func TestOnePartitionBeforeAndOneAfterIsARename(t *testing.T) {
	c := newCluster(t, "partitions:\n- name: old\n  queues: [{name: default}]\n")
	c.node("n", 1)
	c.app("x", "root.default", "")
	c.config("partitions:\n- name: new\n  queues: [{name: default}]\n")
	c.ask("a", "x", 1)
	c.expect("node.accepted n", "app.accepted x root.default", "config.accepted", "allocation a n")
}

func TestADrainingQueueOutsideTheFirstPartitionNamesIt(t *testing.T) {
	c := newCluster(t, "partitions:\n- name: main\n  queues: [{name: default}]\n- name: gpu\n  queues: [{name: default}, {name: a}]\n")
	c.apply(core.Input{Event: &core.AddApp{ID: "y", Partition: "gpu", Queue: "root.a"}})
	c.config(twoPartitions)
	c.expect("app.accepted y root.a gpu", "config.accepted", "queue.state root.a active draining removed gpu")
}

func TestEndedApp_FoundByItsPartition(t *testing.T) {
	c := newCluster(t, twoPartitions)
	c.appIn("gpu", "y")
	c.remove("y")
	for _, step := range []struct{ config, partition string }{
		{twoPartitions, "gpu"}, {"partitions:\n- name: main\n  queues: [{name: default}]\n", "gpu"},
		{"partitions:\n- name: GPU\n  queues: [{name: default}]\n- name: main\n  queues: [{name: default}]\n", ""},
	} {
		c.config(step.config)
		if apps := c.m.Dump().Applications; len(apps) != 1 || apps[0].Partition != step.partition {
			t.Errorf("expected the partition %q, found %+v", step.partition, apps)
		}
	}
}
