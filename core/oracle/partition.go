package oracle

import (
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// partition is a separate cluster. Partitions share only the clock, the numbers of decisions and the IDs in use.
type partition struct {
	*Oracle
	settings     *config.Partition
	root         *queue
	nodes        []*node
	reservations []*reservation   // including holds, in the order they were made; at most one for each ask and node and, except holds, for each leaf
	claims       []*claim         // in the order they were made; at most one for each ask and node
	allocations  []pastAllocation // all allocations made by cycles, in order
	made         int              // number of allocations of the current cycle
	accumulating *accumulation    // nil if no gang does
	aging        map[agedName]*history
	windows      []*window
	planned      []*plan // in walk order
	told         []toldPlan
	before       circumstances // when plans were last told
	reloads      int           // number of configurations so far
	outOfReach   []*ask        // blocked, without an instant at which they could start
	sweeping     *sweep        // while it looks for its next ask
	view         view          // during a check for an ask, see asSeen
}

func newPartition(o *Oracle, settings *config.Partition) *partition {
	p := &partition{Oracle: o, settings: settings, root: newTree(settings.Root, nil), aging: map[agedName]*history{}}
	p.renewAging(nil)
	return p
}

func (p *partition) name() string { return strings.ToLower(p.settings.Name) }

// shownName returns the name of the partition as shown: empty for the first. A removed partition, which may still have ended applications,
// has its former name.
func (p *partition) shownName() string {
	if p.name() == p.partitions[0].name() {
		return ""
	}
	return p.name()
}

// inUse reports whether the partition has nodes or applications that are not terminal.
func (p *partition) inUse() bool { return len(p.nodes) > 0 || len(p.liveApps(p.root)) > 0 }

// decide records a decision. It names the partition if the decision's objects do not determine it.
func (p *partition) decide(d core.Decision) {
	switch d.Type {
	case core.NodeAccepted, core.NodeRejected, core.AppAccepted, core.AppRejected, core.QueueState, core.WindowAccepted, core.WindowRejected, core.WindowOpened, core.WindowClosed:
		d.Partition = p.shownName()
	case core.Allocation, core.AppState, core.Reservation:
		p.Oracle.decide(d)
		return
	}
	p.roomFreed()
	p.Oracle.decide(d)
}

// refuse records a decision that refuses the current input.
func (p *partition) refuse(d core.Decision) {
	p.refused = d.Reason
	p.decide(d)
}

// partitionFor returns the partition with a name, or the first for the empty name. If there is no such partition, it refuses the input
// about the ID and returns nil.
func (o *Oracle) partitionFor(id, name string, refusal core.DecisionType) *partition {
	if name == "" {
		return o.partitions[0]
	}
	for _, p := range o.partitions {
		if p.name() == strings.ToLower(name) {
			return p
		}
	}
	o.refuse(core.Decision{Type: refusal, ID: id, Reason: core.ReasonUnknownPartition})
	return nil
}

// partitionOfNode returns the partition of a node, or the first if there is no such node.
func (o *Oracle) partitionOfNode(id string) *partition {
	for _, p := range o.partitions {
		if p.nodeNamed(id) != nil {
			return p
		}
	}
	return o.partitions[0]
}

// partitionOfApp returns the partition of a live application, or the first if there is no such application.
func (o *Oracle) partitionOfApp(id string) *partition {
	if a := o.findApp(id); a != nil {
		return a.partition
	}
	return o.partitions[0]
}

// partitionOfAsk returns the partition of an ask or an allocation, or the first if there is no such ask.
func (o *Oracle) partitionOfAsk(id string) *partition {
	if k := o.findAsk(id); k != nil {
		return k.app.partition
	}
	return o.partitions[0]
}
