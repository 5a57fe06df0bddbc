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
	"github.com/quern-project/quern/core/internal/state/aged"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/internal/state/departures"
	"github.com/quern-project/quern/core/internal/state/gangs"
	"github.com/quern-project/quern/core/internal/state/nodes"
	"github.com/quern-project/quern/core/internal/state/plans"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/internal/state/replacements"
	"github.com/quern-project/quern/core/internal/state/windows"
	"github.com/quern-project/quern/core/resource"
)

// shared is the name of Shared for embedding, which could be assigned elsewhere otherwise.
type shared = Shared

// State is the state of one partition. Other packages read it through the methods of readers.go.
type State struct {
	*shared
	name  string // in lower case
	shown string // name as written in decisions and dumps; empty for the first partition

	// retryEpochs counts the shrink epochs that began only to retry asks, which a restored scheduler need not repeat.
	shrinkEpoch, retryEpochs uint64

	types   *resource.Types
	classes class.Registry
	finder  node.Updater // finds the nodes for asks; a view of all nodes

	conf   *config.Partition
	limits *limit.Registry

	topologies  topologies
	bound       map[string]class.Topology // by domain: the topologies of asks that have to land there
	sliceBounds map[sliceBound]class.Topology
	toBind      []gangInApp // gangs whose domain may be another one
	lapses      bool        // reservations may have to end, since an ask has another domain
	rebound     bool        // claims may have to end, since an ask has another domain

	orders *app.Owner // pending and allocated, and their applications

	precedence Precedence
	policies   Policies

	queues       *queues.Queues
	leaves       []*leaf // by queue; nil if it is no leaf
	nodes        *nodes.Nodes
	reservations *claims.Reservations
	claims       *claims.Claims
	departures   *departures.Departures
	replacements *replacements.Replacements
	gangs        *gangs.Gangs

	timers     timers
	walltimes  walltimes
	limitIndex *limitIndex // nil if no policy reads the usage of limits
	quotas     quotas
	aging      aging
	windows    windows.Windows
	named      named // what the last question about windows found
	budgets    budgets
	// limitsChanged reports whether the input being applied has changed the limits of a queue.
	limitsChanged bool

	accumulation Accumulation
	planned      plannedStarts

	toJudge []unjudged // atomic gangs that have to be judged, see JudgeGangs

	devices devices

	asks *asks.Asks
	apps *apps.Apps

	lastAsking struct { // the application that the last ask named
		id  string
		app app.App // none if there is none
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

// Gangs returns a view of the gangs of applications with placeholders.
func (s *State) Gangs() gangs.View { return s.gangs.View() }

// Windows returns a view of the windows.
func (s *State) Windows() windows.View { return s.windows.View() }

// AskAt returns the ask in a slot.
func (s *State) AskAt(slot app.Slot) app.Ask { return s.orders.At(slot) }

// newState makes a partition without nodes or applications. The first one has no name in texts.
func newState(shared *Shared, c *config.Partition, first bool) *State {
	s := &State{
		shared: shared, shrinkEpoch: 1, types: resource.NewTypes(), asks: asks.New(),
		reservations: claims.NewReservations(), claims: claims.NewClaims(),
		departures: departures.New(), replacements: replacements.New(),
		planned: plannedStarts{Plans: plans.New()},
	}
	s.queues = queues.New(s.types)
	s.useDeviceTypes()
	s.admitLimits(c.Root) // first, so that all vectors get their final width
	s.queues.Widen()
	s.classes = class.NewRegistry(s.types)
	s.apps = apps.New(s.types.Width())
	s.gangs = gangs.New(s.types.Width())
	s.aging.ledger = aged.New(s.types.Width())
	s.timers.reservations, s.timers.claims, s.timers.gangs, s.timers.accumulation = s.reservations, s.claims, s.gangs, &s.accumulation
	s.orders = app.NewOwner(s.asks.View(), s.apps.View(), s.gangs.View(), s.classes.View())
	s.policies = newPolicies(shared, s.types)
	s.nodes = nodes.New(s.types.Width())
	s.finder = node.New(s.nodes.View(), s.types, s.scoreOf(c), s.predicate, s.predicateFails)
	s.install(c, first)
	return s
}

// EventNumber returns the shrink epoch without retries: a number for events that are compared much later, possibly after a restore.
func (s *State) EventNumber() uint64 { return s.shrinkEpoch - s.retryEpochs }

// BeginRetryEpoch begins a shrink epoch only to retry asks.
func (s *State) BeginRetryEpoch() {
	s.shrinkEpoch++
	s.retryEpochs++
}

// BeginShrinkEpoch begins a shrink epoch, so that known failures no longer count.
func (s *State) BeginShrinkEpoch() { s.shrinkEpoch++ }

// QueueOf returns the leaf queue of an ask's application.
func (s *State) QueueOf(ask app.Ask) queues.ID { return QueueOfApp(ask.App()) }

// QueueOfApp returns the leaf queue of an application.
func QueueOfApp(a app.App) queues.ID { return queues.ID(a.Leaf().ID()) }

// edit returns the record of an application, to change it.
func (s *State) edit(a app.App) *app.Record { return s.orders.Edit(a) }

// admit registers the resource types of some sets, which may widen every vector.
func (s *State) admit(sets ...resource.Set) {
	if !s.types.Admit(sets...) {
		return
	}
	width := s.types.Width()
	s.classes.Widen()
	s.apps.Widen(width)
	s.gangs.Widen(width)
	s.aging.ledger.Widen(width)
	s.nodes.Widen(width)
	s.finder.Widen()
	s.queues.Widen()
	for _, l := range s.leaves {
		if l != nil {
			l.Widen(width)
		}
	}
	s.queues.SetTotal(s.finder.Total())
	s.note(TypesAdded)
}
