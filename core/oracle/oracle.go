// Package oracle is the scheduler written a second time, the slow and obvious way, so that tests can judge the fast
// one: every rule of the pipeline reads here as it is said, and nothing is remembered that can be computed again.
//
// New gives a core.Machine whose decisions must equal those of core.Scheduler, messages apart, for every sequence of
// inputs. Usage, headroom, priorities, shares and orders are worked out from the allocations whenever they are needed.
// Policy modules and host predicates are not judged: their inputs do nothing here. Only tests may import this
// package.
package oracle

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// Oracle is all partitions as plain lists. It is owned by one goroutine.
type Oracle struct {
	now        time.Duration
	partitions []*partition // in the order of the configuration
	apps       []*app       // of all partitions, in order of submission; terminal ones until they expire
	events     int          // counts everything whose order matters
	decisions  []core.Decision
	decided    uint64
	asked      uint64      // asks that were accepted in any partition, restored allocations included
	placed     uint64      // allocations that were made in any partition, restored ones included
	refused    core.Reason // of the input that is being applied
}

var _ core.Machine = (*Oracle)(nil)

// New returns an oracle for an empty cluster with the default configuration.
func New() *Oracle {
	o := &Oracle{}
	o.partitions = []*partition{newPartition(o, config.Default().Partitions[0])}
	return o
}

// Now is the time of the last Advance.
func (o *Oracle) Now() time.Duration { return o.now }

// Take returns the decisions made since the last Take.
func (o *Oracle) Take() []core.Decision {
	taken := o.decisions
	o.decisions = nil
	return taken
}

// Apply takes one input of the present instant. What it changed may end claims.
func (o *Oracle) Apply(in *core.Input) core.Reason {
	o.refused = core.Accepted
	if !o.refusesTexts(in.Event) {
		o.take(in.Event)
	}
	for _, p := range o.partitions {
		p.lapseClaims()
		p.noteQuotas()
	}
	return o.refused
}

func (o *Oracle) take(e core.Event) {
	switch e := e.(type) {
	case *core.AddNode:
		if p := o.partitionFor(e.ID, e.Partition, core.NodeRejected); p != nil {
			p.addNode(e)
		}
	case *core.UpdateNode:
		o.partitionOfNode(e.ID).updateNode(e)
	case *core.DrainNode:
		o.partitionOfNode(e.ID).drainNode(e)
	case *core.ResumeNode:
		o.partitionOfNode(e.ID).resumeNode(e)
	case *core.RemoveNode:
		o.partitionOfNode(e.ID).removeNode(e)
	case *core.AddApp:
		if p := o.partitionFor(e.ID, e.Partition, core.AppRejected); p != nil {
			p.addApp(e)
		}
	case *core.RemoveApp:
		o.partitionOfApp(e.ID).removeApp(e)
	case *core.MoveApp:
		o.partitionOfApp(e.ID).moveApp(e)
	case *core.AddAsk:
		o.partitionOfApp(e.App).addAsk(e)
	case *core.UpdateAsk:
		o.partitionOfAsk(e.ID).updateAsk(e)
	case *core.RemoveAsk:
		o.partitionOfAsk(e.ID).removeAsk(e)
	case *core.ReleaseAllocation:
		o.partitionOfAsk(e.ID).releaseAllocation(e)
	case *core.RestoreAllocation:
		o.partitionOfApp(e.App).restoreAllocation(e)
	case *core.SetConfig:
		o.setConfig(e)
	case *core.SetPolicy, *core.RemovePolicy, *core.RecordAnswers, *core.SetState, *core.Tick: // not judged here
	}
}

// decide records a decision of the present instant.
func (o *Oracle) decide(d core.Decision) {
	o.decided++
	d.Seq, d.At = o.decided, o.now
	o.decisions = append(o.decisions, d)
}

// refuse records the decision that refuses the input being applied.
func (o *Oracle) refuse(d core.Decision) {
	o.refused = d.Reason
	o.decide(d)
}

func (o *Oracle) ignore(e core.Event, why core.Reason) {
	o.refuse(core.Decision{Type: core.Ignored, ID: core.Input{Event: e}.ID(), Input: e.Type(), Reason: why})
}

func (o *Oracle) refuseConfig(errors []string) {
	o.refused = core.ReasonInvalidConfig
	o.decide(core.Decision{Type: core.ConfigRejected, Errors: errors})
}

// event numbers the next thing whose place among others matters.
func (o *Oracle) event() int {
	o.events++
	return o.events
}
