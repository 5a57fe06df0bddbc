package oracle

import (
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// partition is a cluster of its own: of other partitions it shares the clock, the numbers of decisions and the IDs that are
// taken.
type partition struct {
	*Oracle
	settings     *config.Partition
	root         *queue
	nodes        []*node
	reservations []*reservation // holds too, in the order they were made; each ask and node at most once, each leaf at most once, apart from holds
	claims       []*claim       // in the order they were made; each ask and node at most once
	allocations  []past         // all that were ever made by a cycle, in their order
	made         int            // allocations of the cycle that is going on
}

func newPartition(o *Oracle, settings *config.Partition) *partition {
	return &partition{Oracle: o, settings: settings, root: newTree(settings.Root, nil)}
}

func (p *partition) name() string { return strings.ToLower(p.settings.Name) }

// shownName is the name where it is told: nowhere for the first partition. One that is gone, with applications that ended in
// it, is told by the name it had.
func (p *partition) shownName() string {
	if p.name() == p.partitions[0].name() {
		return ""
	}
	return p.name()
}

// inUse reports whether the partition has nodes or applications that are not terminal.
func (p *partition) inUse() bool { return len(p.nodes) > 0 || len(p.liveApps(p.root)) > 0 }

// decide records a decision. Those that do not follow from something that is known by then name the partition.
func (p *partition) decide(d core.Decision) {
	switch d.Type {
	case core.NodeAccepted, core.NodeRejected, core.AppAccepted, core.AppRejected, core.QueueState:
		d.Partition = p.shownName()
	}
	p.Oracle.decide(d)
}

// refuse records the decision that refuses the input being applied.
func (p *partition) refuse(d core.Decision) {
	p.refused = d.Reason
	p.decide(d)
}

// partitionFor is the partition of a name, the first of the empty name; nil, with the input about an ID refused, if there is
// no such partition.
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

// partitionOfNode is the partition of a node, the first if there is no such node.
func (o *Oracle) partitionOfNode(id string) *partition {
	for _, p := range o.partitions {
		if p.nodeNamed(id) != nil {
			return p
		}
	}
	return o.partitions[0]
}

// partitionOfApp is the partition of a live application, the first if there is no such application.
func (o *Oracle) partitionOfApp(id string) *partition {
	if a := o.findApp(id); a != nil {
		return a.partition
	}
	return o.partitions[0]
}

// partitionOfAsk is the partition of an ask or an allocation, the first if there is no such ask.
func (o *Oracle) partitionOfAsk(id string) *partition {
	if k := o.findAsk(id); k != nil {
		return k.app.partition
	}
	return o.partitions[0]
}
