package state

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// Shared is what the partitions have in common: the clock, the order of decisions, the numbers that orders end in, the
// policy modules, and what is kept of applications and victims that are gone. Every State embeds the same one. Nodes,
// queues, applications and asks belong to one partition; their IDs are unique over all of them.
type Shared struct {
	Options    core.Options
	Started    bool // the clock runs: Advance was called
	Now        time.Duration
	Partitions []*State // in the order of the configuration, at least one
	Source     core.ConfigSource
	Counters   Counters
	Ended      []EndedApp // terminal applications until they expire, in order
	Modules    Modules

	gone      []Departure // victims that have left, in order
	decisions []core.Decision
	seq       uint64      // of decisions
	parts     []string    // of a snapshot, as far as inputs have told it
	refused   core.Reason // of the input that is being applied; Accepted unless refuse was called
}

// Counters hand out the numbers that orders end in.
type Counters struct {
	App, Ask, Placed, Reserved uint64
	Claimed                    uint64 `json:",omitempty"`
}

// New makes a state without nodes or applications, with one partition and one leaf queue in it, root.default.
func New(o core.Options) *Shared {
	c := &Shared{Options: o, Modules: newModules()}
	c.Partitions = []*State{newState(c, config.Default().Partitions[0], true)}
	return c
}

// PartitionOfAsk is the partition of a pending or allocated ask, or nil.
func (c *Shared) PartitionOfAsk(id string) *State {
	for _, s := range c.Partitions {
		if s.Asks.Find(id) != nil {
			return s
		}
	}
	return nil
}

// PartitionOfApp is the partition of a live application, or nil.
func (c *Shared) PartitionOfApp(id string) *State {
	for _, s := range c.Partitions {
		if s.Apps[id] != nil {
			return s
		}
	}
	return nil
}

// partitionOfNode is the partition of a node, or nil.
func (c *Shared) partitionOfNode(id string) *State {
	for _, s := range c.Partitions {
		if s.Nodes.Find(id) != nil {
			return s
		}
	}
	return nil
}

// TakeDecisions returns the decisions made since it was last called. The slice is valid until the next decision.
func (c *Shared) TakeDecisions() []core.Decision {
	out := c.decisions
	c.decisions = c.decisions[:0]
	return out
}

// minDecisions is how many decisions there is room for once there is any.
const minDecisions = 64

// emit appends a decision of a type and returns it to be filled in.
func (c *Shared) emit(t core.DecisionType) *core.Decision {
	c.seq++
	last := len(c.decisions)
	if last == cap(c.decisions) {
		c.decisions = slices.Grow(c.decisions, max(minDecisions, last))
	}
	c.decisions = c.decisions[:last+1]
	d := &c.decisions[last]
	*d = core.Decision{} // built in place: a decision is large
	d.Seq, d.At, d.Type = c.seq, c.Now, t
	return d
}

// refuse emits the decision that refuses the input being applied, and returns it to be filled in further.
func (c *Shared) refuse(t core.DecisionType, id string, reason core.Reason, message string) *core.Decision {
	c.refused = reason
	d := c.emit(t)
	d.ID, d.Reason, d.Message = id, reason, message
	return d
}

// refuseConfig refuses a configuration. Its decision has the errors in place of a reason.
func (c *Shared) refuseConfig(errors []string) {
	c.refused = core.ReasonInvalidConfig
	c.emit(core.ConfigRejected).Errors = errors
}

// ignore refuses an input for which there is no decision type of its own.
func (c *Shared) ignore(e core.Event, reason core.Reason, message string) {
	c.refuse(core.Ignored, core.NameOf(e), reason, message).Input = e.Type()
}
