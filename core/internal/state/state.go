// Package state holds everything that a scheduler knows: partitions with their nodes, queues, applications, asks and allocations,
// reservations, claims, victims that are to leave, timers, policy modules. It alone changes any of that.
//
// Each method that changes something leaves it whole: sums, lists and flags agree when it returns. It notes the change
// in a log. Packages that keep something derived from the state (orders, what is known to fail, searches for victims)
// follow the log, each with a Cursor of its own, so no method has to know them. What is decided on the way is kept, in
// order, until TakeDecisions.
package state

import (
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/internal/state/replacements"
	"github.com/quern-project/quern/core/resource"
)

// State is the state of one partition. Its fields are read by all and changed by its methods alone.
type State struct {
	*Shared
	Name  string // in lower case
	Shown string // Name where it is told, in decisions and dumps: empty in the first partition

	// World numbers the spans in which room only shrinks, so that what failed in one goes on failing. Every input and
	// every timer begins a new one. Retries counts those that began only to look at something again, which a restored
	// scheduler need not.
	World, Retries uint64

	Types   *resource.Types
	Classes *class.Registry
	Nodes   *node.Pool
	OnNode  []Residents // by node slot

	Conf   *config.Partition
	Root   *queue.Queue
	Leaves []*Leaf // by ID; nil when free
	ByPath map[string]*queue.Queue
	Limits *limit.Registry

	Apps map[string]*app.App
	Asks app.Table // pending and allocated

	Precedence Precedence
	Policies   Policies

	reservations *claims.Reservations
	claims       *claims.Claims
	departures   map[*app.Ask]*Departure
	replacements *replacements.Replacements

	timers     timers
	limitIndex *limitIndex // nil: no policy reads how much of limits is used
	quotas     quotas
	freeLeaves leafIDs
	// limitsChanged is set when the input that is being applied gave a queue other limits.
	limitsChanged bool

	copy  *partitionCopy       // nil: no copy is under way
	asks  []*[askBlock]app.Ask // by slot, from 1 on
	spare []*app.Ask
	log   changeLog
}

// Residents are the allocations on a node.
type Residents struct {
	Placed app.List
}

// Reservations reads the reservations of nodes.
func (s *State) Reservations() claims.ReservationView { return s.reservations.View() }

// Claims reads the claims of asks on nodes.
func (s *State) Claims() claims.ClaimView { return s.claims.View() }

// Departure returns what is to be said of a victim that has yet to leave, if the allocation is one.
func (s *State) Departure(v *app.Ask) (Departure, bool) {
	if d := s.departures[v]; d != nil {
		return *d, true
	}
	return Departure{}, false
}

// Victims yields the victims that have yet to leave, in no order.
func (s *State) Victims(yield func(*app.Ask) bool) {
	for v := range s.departures {
		if !yield(v) {
			return
		}
	}
}

// Replacements reads which allocations leave that are no victims, and which tasks wait for placeholders.
func (s *State) Replacements() replacements.View { return s.replacements.View() }

// AskAt is the ask in a slot.
func (s *State) AskAt(slot app.Slot) *app.Ask { return &s.asks[(slot-1)/askBlock][(slot-1)%askBlock] }

// newState makes a partition without nodes or applications; the first has no name in texts.
func newState(shared *Shared, c *config.Partition, first bool) *State {
	s := &State{
		Shared: shared, World: 1, Types: resource.NewTypes(), Apps: map[string]*app.App{}, Asks: app.NewTable(),
		reservations: claims.NewReservations(), claims: claims.NewClaims(),
		departures: map[*app.Ask]*Departure{}, replacements: replacements.New(),
	}
	s.timers.reservations, s.timers.claims = s.reservations, s.claims
	s.admitLimits(c.Root) // what follows is made as wide as all types need
	s.Classes = class.NewRegistry(s.Types)
	s.Policies = newPolicies(shared, s.Types)
	s.Nodes = node.NewPool(s.Types, s.scoreOf(c), s.predicate, s.predicateFails)
	s.install(c, first)
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
