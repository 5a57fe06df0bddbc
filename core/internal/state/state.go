// Package state owns the whole state of a scheduler: partitions with their nodes, queues, applications, asks and allocations; reservations,
// claims and victims; timers and policy modules. Only this package changes it.
//
// Each method that changes the state leaves it consistent: sums, lists and flags agree when it returns. It records the change in a log.
// Packages that derive something from the state (orders, known failures, searches for victims) follow the log, each with its own Cursor, so
// methods need not know them. Decisions accumulate in order until TakeDecisions.
package state

import (
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/internal/state/departures"
	"github.com/quern-project/quern/core/internal/state/nodes"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/internal/state/replacements"
	"github.com/quern-project/quern/core/resource"
)

// State is the state of one partition. Other packages read its fields; only its methods change them.
type State struct {
	*Shared
	Name  string // in lower case
	Shown string // Name as written in decisions and dumps; empty for the first partition

	// ShrinkEpoch is the number of a period in which room only shrinks: what failed in it cannot succeed later in it. Every input and every
	// timer begins a new one. RetryEpochs counts those that began only to retry asks, which a restored scheduler need not repeat.
	ShrinkEpoch, RetryEpochs uint64

	Types   *resource.Types
	Classes *class.Registry
	Nodes   *node.Pool // finds the nodes for asks; a view of all nodes

	Conf   *config.Partition
	Limits *limit.Registry

	Asks *app.Asks // pending and allocated, and their applications

	Precedence Precedence
	Policies   Policies

	queues       *queues.Queues
	leaves       []*leaf // by queue; nil if it is no leaf
	nodes        *nodes.Nodes
	reservations *claims.Reservations
	claims       *claims.Claims
	departures   *departures.Departures
	replacements *replacements.Replacements

	timers     timers
	limitIndex *limitIndex // nil if no policy reads the usage of limits
	quotas     quotas
	// limitsChanged reports whether the input being applied has changed the limits of a queue.
	limitsChanged bool

	asks *asks.Asks
	apps *apps.Apps

	lastAsking struct { // the application that the last ask named
		id  string
		app *app.App // nil if there is none
	}
	log changeLog
}

// Queues returns a view of the queues. It stays valid.
func (s *State) Queues() queues.View { return s.queues.View() }

// Reservations returns a view of the reservations of nodes.
func (s *State) Reservations() claims.ReservationView { return s.reservations.View() }

// Claims returns a view of the claims on nodes.
func (s *State) Claims() claims.ClaimView { return s.claims.View() }

// Apps returns a view of the applications.
func (s *State) Apps() apps.View { return s.apps.View() }

// Departures returns a view of the leaving victims.
func (s *State) Departures() departures.View { return s.departures.View() }

// Replacements returns a view of the leaving allocations that are not victims, and of the tasks that wait for placeholders.
func (s *State) Replacements() replacements.View { return s.replacements.View() }

// AskAt returns the ask in a slot.
func (s *State) AskAt(slot app.Slot) app.Ask { return s.Asks.At(slot) }

// newState makes a partition without nodes or applications. The first one has no name in texts.
func newState(shared *Shared, c *config.Partition, first bool) *State {
	s := &State{
		Shared: shared, ShrinkEpoch: 1, Types: resource.NewTypes(), asks: asks.New(),
		reservations: claims.NewReservations(), claims: claims.NewClaims(),
		departures: departures.New(), replacements: replacements.New(),
	}
	s.timers.reservations, s.timers.claims = s.reservations, s.claims
	s.queues = queues.New(s.Types)
	s.admitLimits(c.Root) // first, so that all vectors get their final width
	s.queues.Widen()
	s.Classes = class.NewRegistry(s.Types)
	s.apps = apps.New(s.Types.Width())
	s.Asks = app.NewAsks(s.asks.View(), s.apps.View(), s.Classes)
	s.Policies = newPolicies(shared, s.Types)
	s.nodes = nodes.New(s.Types.Width())
	s.Nodes = node.NewPool(s.nodes.View(), s.Types, s.scoreOf(c), s.predicate, s.predicateFails)
	s.install(c, first)
	return s
}

// EventNumber returns ShrinkEpoch without retries: a number for events that are compared much later, possibly after a restore.
func (s *State) EventNumber() uint64 { return s.ShrinkEpoch - s.RetryEpochs }

// BeginRetryEpoch begins a shrink epoch only to retry asks.
func (s *State) BeginRetryEpoch() {
	s.ShrinkEpoch++
	s.RetryEpochs++
}

// BeginShrinkEpoch begins a shrink epoch, so that known failures no longer count.
func (s *State) BeginShrinkEpoch() { s.ShrinkEpoch++ }

// QueueOf returns the leaf queue of an ask's application.
func (s *State) QueueOf(ask app.Ask) queues.ID { return QueueOfApp(ask.App()) }

// QueueOfApp returns the leaf queue of an application.
func QueueOfApp(a *app.App) queues.ID { return queues.ID(a.Leaf.ID) }

// admit registers the resource types of some sets, which may widen every vector.
func (s *State) admit(sets ...resource.Set) {
	if !s.Types.Admit(sets...) {
		return
	}
	width := s.Types.Width()
	s.Classes.Widen()
	s.apps.Widen(width)
	s.nodes.Widen(width)
	s.Nodes.Widen()
	s.queues.Widen()
	for _, l := range s.leaves {
		if l != nil {
			l.Widen(width)
		}
	}
	s.queues.SetTotal(s.Nodes.Total())
	s.note(TypesAdded)
}
