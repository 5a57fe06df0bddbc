// Package oracle is a second implementation of the scheduler, slow and obvious, with which tests compare the fast one. Each rule is
// written as the documents state it, and everything that can be computed again is computed when it is needed: usage, headroom,
// priorities, shares and orders.
//
// New returns a core.Machine. For every sequence of inputs, its decisions must equal those of core.Scheduler, except for messages. It
// ignores policy modules and host predicates. Only tests may import this package.
package oracle

import (
	"math/big"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// Oracle holds all partitions as plain lists. It is not safe for concurrent use.
type Oracle struct {
	now         time.Duration
	partitions  []*partition // in the order of the configuration
	deviceTypes []config.DeviceType
	apps        []*app // of all partitions, in order of submission; terminal ones until they expire
	events      int    // number of events so far, see event
	decisions   []core.Decision
	decided     uint64
	asked       uint64        // number of asks accepted in all partitions, including restored allocations
	placed      uint64        // number of allocations made in all partitions, including restored ones
	refused     core.Reason   // reason for refusing the current input
	overran     bool          // the last Cycle asked allocations to leave after their promised ends, and another one is needed
	changed     bool          // there was an input since gangs were judged
	restoredAt  time.Duration // time of the last restored allocation
	victimsLeft []pastVictim  // in the order in which they left
	powers      map[string]*big.Int
}

var _ core.Machine = (*Oracle)(nil)

// New returns an oracle for an empty cluster with the default configuration.
func New() *Oracle {
	o := &Oracle{restoredAt: -1, powers: map[string]*big.Int{}}
	o.partitions = []*partition{newPartition(o, config.Default().Partitions[0])}
	return o
}

// Now returns the time of the last Advance.
func (o *Oracle) Now() time.Duration { return o.now }

// Take returns the decisions made since the last Take.
func (o *Oracle) Take() []core.Decision {
	taken := o.decisions
	o.decisions = nil
	return taken
}

// Apply applies one input of the current instant, and ends the claims that its changes make impossible.
func (o *Oracle) Apply(in *core.Input) core.Reason {
	o.refused = core.Accepted
	for _, p := range o.partitions {
		p.roomFreed()
	}
	if _, nothing := in.Event.(*core.Tick); !nothing {
		o.changed = true
	}
	if !o.refusesTexts(in.Event) {
		o.take(in.Event)
	}
	for _, p := range o.partitions {
		p.dropUnreachable()
		p.lapseClaims()
		p.updateOverQuota()
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
	case *core.AddWindow:
		if p := o.partitionFor(e.ID, e.Partition, core.WindowRejected); p != nil {
			p.addWindow(e)
		}
	case *core.RemoveWindow:
		o.removeWindow(e)
	case *core.SetConfig:
		o.setConfig(e)
	case *core.SetPolicy, *core.RemovePolicy, *core.RecordAnswers, *core.SetState, *core.Tick: // not judged here
	}
}

// decide records a decision of the current instant.
func (o *Oracle) decide(d core.Decision) {
	o.decided++
	d.Seq, d.At = o.decided, o.now
	d.Resources = o.inThousandths(d.Resources)
	o.decisions = append(o.decisions, d)
}

// refuse records a decision that refuses the current input.
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

// event returns the number of the next event, for comparisons of order.
func (o *Oracle) event() int {
	o.events++
	return o.events
}
