package state

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/departures"
)

// Shared is the part of the state that all partitions share: the clock, the sequence of decisions, the counters that break ties in orders,
// the policy modules, and applications and victims that have ended. Every State embeds the same Shared. Nodes, queues, applications and
// asks belong to one partition; their IDs are unique across partitions.
type Shared struct {
	options     core.Options
	started     bool // Advance has been called, so the clock runs
	now         time.Duration
	partitions  []*State // in the order of the configuration, at least one
	source      core.ConfigSource
	deviceTypes []config.DeviceType // of the configuration, by name
	counters    Counters
	ended       []EndedApp // terminal applications that have not expired yet, in the order in which they ended
	modules     Modules

	// Elements of ended and gone are never changed in place, since versions of the state share them.
	gone      []departures.Departure // victims that have left, in the order in which they left
	lastGone  lastVictims
	decisions []core.Decision
	seq       uint64      // number of decisions so far
	parts     []string    // the parts of a snapshot received so far
	refused   core.Reason // by the input being applied; Accepted unless refuse was called
	judged    bool        // JudgeGangs was called since the last input

	restoredAt *time.Duration // when an allocation was last restored; nil: never
}

// Counters hold the last numbers given out. Orders use them as their last criterion.
type Counters struct {
	App, Ask, Placed, Reserved uint64
	Claimed                    uint64 `json:",omitempty"`
}

// New makes a state without nodes or applications. It has one partition with one leaf queue, root.default.
func New(o core.Options) *Shared {
	c := &Shared{options: o, modules: newModules()}
	c.partitions = []*State{newState(c, config.Default().Partitions[0], true)}
	return c
}

// PartitionOfAsk returns the partition of a pending or allocated ask, or nil.
func (c *Shared) PartitionOfAsk(id string) *State {
	for _, s := range c.partitions {
		if !s.orders.Find(id).IsNone() {
			return s
		}
	}
	return nil
}

// PartitionOfApp returns the partition of a live application, or nil.
func (c *Shared) PartitionOfApp(id string) *State {
	for _, s := range c.partitions {
		if !s.orders.AppWithID(id).IsNone() {
			return s
		}
	}
	return nil
}

// partitionOfNode returns the partition of a node, or nil.
func (c *Shared) partitionOfNode(id string) *State {
	for _, s := range c.partitions {
		if s.finder.Find(id) != app.NoNode {
			return s
		}
	}
	return nil
}

// TakeDecisions returns the decisions made since the last call. The slice is valid until the next decision.
func (c *Shared) TakeDecisions() []core.Decision {
	out := c.decisions
	c.decisions = c.decisions[:0]
	return out
}

// minDecisions is the least capacity of the list of decisions once it is not empty.
const minDecisions = 64

// emit appends a decision of a type and returns it, so that the caller can fill it in.
func (c *Shared) emit(t core.DecisionType) *core.Decision {
	c.seq++
	last := len(c.decisions)
	if last == cap(c.decisions) {
		c.decisions = slices.Grow(c.decisions, max(minDecisions, last))
	}
	c.decisions = c.decisions[:last+1]
	d := &c.decisions[last]
	*d = core.Decision{} // built in place, since a decision is large
	d.Seq, d.At, d.Type = c.seq, c.now, t
	return d
}

// refuse emits the decision that refuses the input being applied, and returns it, so that the caller can add to it.
func (c *Shared) refuse(t core.DecisionType, id string, reason core.Reason, message string) *core.Decision {
	c.refused = reason
	d := c.emit(t)
	d.ID, d.Reason, d.Message = id, reason, message
	return d
}

// refuseConfig refuses a configuration. Its decision has errors instead of a reason.
func (c *Shared) refuseConfig(errors []string) {
	c.refused = core.ReasonInvalidConfig
	c.emit(core.ConfigRejected).Errors = errors
}

// ignore refuses an input that has no decision type of its own for that.
func (c *Shared) ignore(e core.Event, reason core.Reason, message string) {
	c.refuse(core.Ignored, core.NameOf(e), reason, message).Input = e.Type()
}

// HasDecisions reports whether TakeDecisions would return any.
func (c *Shared) HasDecisions() bool { return len(c.decisions) > 0 }

// HasAnswers reports whether Answered would return any.
func (c *Shared) HasAnswers() bool { return len(c.modules.answered) > 0 }
