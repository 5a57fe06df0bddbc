// Package state holds everything that a scheduler knows: nodes, queues, applications, asks and allocations,
// reservations, claims, victims that are to leave, timers, policy modules. It alone changes any of that.
//
// Each method that changes something leaves it whole: sums, lists and flags agree when it returns. It notes the change
// in a log. Packages that keep something derived from the state (orders, what is known to fail, searches for victims)
// follow the log, each with a Cursor of its own, so no method has to know them. What is decided on the way is kept, in
// order, until TakeDecisions.
package state

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/api"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// State is the state of a partition; make one with New. Its fields are read by all and changed by its methods alone.
type State struct {
	Options api.Options
	Started bool // the clock runs: Advance was called
	Now     time.Duration

	// World numbers the spans in which room only shrinks, so that what failed in one goes on failing. Every input and
	// every timer begins a new one. Retries counts those that began only to look at something again, which a restored
	// scheduler need not.
	World, Retries uint64

	Types   *resource.Types
	Classes *class.Registry
	Nodes   *node.Pool
	OnNode  []Residents // by node slot

	Conf   *config.Partition
	Source ConfigSource
	Root   *queue.Queue
	Leaves []*Leaf // by ID; nil when free
	ByPath map[string]*queue.Queue

	Apps     map[string]*app.App
	Asks     app.Table  // pending and allocated
	Ended    []EndedApp // terminal applications until they expire, in order
	Counters Counters

	Reservations []*Reservation // in the order in which they were made, holds among them
	Holds        int            // of them: those of required nodes
	Claims       []*Claim       // in the order in which they were made
	Leaving      map[*app.Ask]*Departure
	Gone         []Departure // victims that have left, in order
	Precedence   Precedence
	Policies     Policies

	timers    timers
	spare     []*app.Ask
	log       changeLog
	decisions []api.Decision
	seq       uint64     // of decisions
	refused   api.Reason // of the input that is being applied; Accepted unless refuse was called
}

// Residents are the allocations on a node, its reservation and the claim on it.
type Residents struct {
	Placed      app.List
	Reservation *Reservation
	Claim       *Claim
}

// Leaf is a leaf queue with its applications.
type Leaf struct {
	*app.Leaf
	Queue *queue.Queue
	Holds int // required nodes held for its asks
}

// Counters hand out the numbers that orders end in.
type Counters struct {
	App, Ask, Placed, Reserved uint64
	Claimed                    uint64 `json:",omitempty"`
}

// New makes a state without nodes or applications, with one leaf queue, root.default.
func New(o api.Options) *State {
	s := &State{
		Options: o, World: 1, Types: resource.NewTypes(), Apps: map[string]*app.App{}, Asks: app.NewTable(),
		Leaving: map[*app.Ask]*Departure{},
	}
	s.Classes = class.NewRegistry(s.Types)
	s.Policies = newPolicies(s.Types)
	c := config.Default().Partitions[0]
	s.Nodes = node.NewPool(s.Types, s.scoreOf(c), s.predicate)
	s.install(c)
	return s
}

// Moment numbers what happened, for what has to be compared much later: worlds without retries.
func (s *State) Moment() uint64 { return s.World - s.Retries }

// Retry begins a world only to look at something again.
func (s *State) Retry() {
	s.World++
	s.Retries++
}

// BeginWorld ends what is known to fail.
func (s *State) BeginWorld() { s.World++ }

// LeafOf is the leaf of an ask's application.
func (s *State) LeafOf(ask *app.Ask) *Leaf { return s.Leaves[ask.App.Leaf.ID] }

// QueueOf is the leaf queue of an ask's application.
func (s *State) QueueOf(ask *app.Ask) *queue.Queue { return s.LeafOf(ask).Queue }

// admit makes the types of some sets known; the width of every vector may grow with them.
func (s *State) admit(sets ...resource.Set) {
	if !s.Types.Admit(sets...) {
		return
	}
	width := s.Types.Width()
	s.Classes.Widen()
	s.Nodes.Widen()
	s.Root.Widen(width)
	for _, l := range s.Leaves {
		if l != nil {
			l.Widen(width)
		}
	}
	s.Root.Max = s.Nodes.Total()
	s.note(TypesAdded)
}

// TakeDecisions returns the decisions made since it was last called. The slice is valid until the next decision.
func (s *State) TakeDecisions() []api.Decision {
	out := s.decisions
	s.decisions = s.decisions[:0]
	return out
}

// minDecisions is how many decisions there is room for once there is any.
const minDecisions = 64

// emit appends a decision of a type and returns it to be filled in.
func (s *State) emit(t api.DecisionType) *api.Decision {
	s.seq++
	last := len(s.decisions)
	if last == cap(s.decisions) {
		s.decisions = slices.Grow(s.decisions, max(minDecisions, last))
	}
	s.decisions = s.decisions[:last+1]
	d := &s.decisions[last]
	*d = api.Decision{} // built in place: a decision is large
	d.Seq, d.At, d.Type = s.seq, s.Now, t
	return d
}

// refuse emits the decision that refuses the input being applied, and returns it to be filled in further.
func (s *State) refuse(t api.DecisionType, id string, reason api.Reason, message string) *api.Decision {
	s.refused = reason
	d := s.emit(t)
	d.ID, d.Reason, d.Message = id, reason, message
	return d
}

// refuseConfig refuses a configuration. Its decision has the errors in place of a reason.
func (s *State) refuseConfig(errors []string) {
	s.refused = api.ReasonInvalidConfig
	s.emit(api.ConfigRejected).Errors = errors
}

// ignore refuses an input for which there is no decision type of its own.
func (s *State) ignore(in *api.Input, reason api.Reason, message string) {
	d := s.refuse(api.Ignored, in.ID, reason, message)
	d.Input = in.Type
	if in.Policy != nil {
		d.ID = in.Policy.Name
	}
}
