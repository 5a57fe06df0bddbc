package state

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/asks"
)

// Fork makes a state that starts with a version and has its own future. It decides as the original would have. Everything that follows
// from the rows is made again: the orders of nodes, applications and asks, the usage of limits, and the timers.
func (f *Frozen) Fork(o core.Options) *Shared {
	c := f.read(o)
	for _, s := range c.Partitions {
		s.forkAsks()
		s.forkHolds()
		s.forkTimers()
		s.TrimLog()
	}
	return c
}

// read makes a state whose rows, applications and queues can be read, without what follows from asks.
func (f *Frozen) read(o core.Options) *Shared {
	c := &Shared{
		Options: o, Modules: newModules(), Now: f.now, Started: f.started, seq: f.seq, Counters: f.counters, Source: f.source,
		Ended: f.ended, gone: f.gone, parts: slices.Clone(f.parts),
	}
	if err := (sharedRestorer{c, &snapshot{snapshotHead: snapshotHead{Modules: f.modules}}}).policies(); err != nil {
		panic("core: a module of our own was refused: " + err.Error()) // our bug
	}
	for i := range f.partitions {
		c.Partitions = append(c.Partitions, f.partitions[i].read(c))
	}
	return c
}

// read makes the State of a partition. Those before it have been made.
func (f *frozenPartition) read(shared *Shared) *State {
	types := f.types.Clone()
	s := &State{
		Shared: shared, Name: f.name, Shown: f.shown, ShrinkEpoch: f.shrinkEpoch, RetryEpochs: f.retryEpochs, Types: types, Conf: f.conf,
		Classes: f.classes.Fork(types), Limits: limit.NewRegistry(types), Precedence: slices.Clone(f.precedence),
		Policies: newPolicies(shared, types), quotas: f.quotas, apps: f.apps.Fork(), departures: f.departures.Fork(),
		queues: f.queues.Fork(types), nodes: f.nodes.Fork(), asks: f.asks.Fork(), reservations: f.reservations.Fork(),
		claims: f.claims.Fork(), replacements: f.replacements.Fork(),
	}
	s.log.first = f.logEnd // positions in the log start at 1, and those of a fork after those of its original
	s.quotas.noted = slices.Clone(f.quotas.noted)
	s.timers.reservations, s.timers.claims = s.reservations, s.claims
	s.Nodes = node.NewPoolOf(s.nodes.View(), f.sorted, s.Types, s.scoreOf(s.Conf), s.predicate, s.predicateFails)
	s.forkLeaves(f.leaves)
	s.enforceQueues()
	s.enforceFilters()
	s.indexLimitsForRanks()
	s.forkApps(f.gangs)
	return s
}

// forkLeaves makes the leaf queues.
func (s *State) forkLeaves(list []frozenLeaf) {
	for _, was := range list {
		l := &leaf{Leaf: app.NewLeaf(s.Types)}
		l.BannedUntil, l.ExpiredAt = was.bannedUntil, was.expiredAt
		if was.dynamic {
			l.dynamic = &dynamicLeaf{quota: was.quota}
		}
		s.fileLeaf(l, was.queue)
		if was.empty {
			s.setEmpty(l, was.emptySince)
		}
		if was.bannedUntil > s.Now {
			s.timers.push(timer{at: was.bannedUntil, kind: banTimer, leaf: l})
		}
	}
}

// forkApps makes the applications and adds them to their leaves, which have their policies.
func (s *State) forkApps(f *app.Frozen) {
	s.Asks = f.Fork(s.asks.View(), s.apps.View(), s.Classes, s.Types, func(a *app.App) {
		s.leaves[s.Apps().Queue(a.Number())].Admit(a)
	})
}

// forkAsks adds asks to their applications and classes: pending ones in the order of submission, then others in the order of allocation.
func (s *State) forkAsks() {
	tree := s.Queues()
	pending, placed := make([]app.Ask, 0, tree.Asks(tree.Root())), make([]app.Ask, 0, tree.Allocations(tree.Root()))
	last := app.NoSlot
	for ask := range s.Asks.All {
		last = ask.Slot()
		if ask.Pending() {
			pending = append(pending, ask)
		} else {
			placed = append(placed, ask)
		}
	}
	s.Asks.BeginAll(last)
	sortBySeq(pending)
	sortByNumber(placed, app.Ask.Placed)
	for _, ask := range pending {
		s.forkPending(ask)
	}
	for _, ask := range placed {
		s.forkPlaced(ask)
	}
}

func (s *State) forkPending(ask app.Ask) {
	var r asks.Ask
	ask.Read(&r)
	a := s.forkAsk(ask, &r)
	s.Classes.Enqueue(s.Classes.At(r.Class))
	if a.Gang != nil {
		a.Gang.Enqueue(ask)
	}
	a.AddAsk(ask, &r, s.ShrinkEpoch)
}

// forkAsk counts an ask in its class and its gangs, and returns its application.
func (s *State) forkAsk(ask app.Ask, r *asks.Ask) *app.App {
	a := s.Asks.App(r.App)
	s.Classes.Count(s.Classes.At(r.Class))
	if r.Grouped {
		a.Gang.Rejoin(ask)
	}
	if r.Atomic != 0 {
		ask.Atomic().Members++
		a.GangResized()
	}
	return a
}

func (s *State) forkPlaced(ask app.Ask) {
	var r asks.Ask
	ask.Read(&r)
	a := s.forkAsk(ask, &r)
	a.AddPlaced(ask, r.Node)
	s.Policies.symbols.Made++
	if r.Grouped {
		a.Change(s.ShrinkEpoch, func() { a.Gang.Place(ask) })
		if r.Leaving && ask.IsPlaceholder() {
			a.Gang.MarkLeaving(ask)
		}
	}
	s.reportPlacement(ask, r.Node, false)
}

// forkHolds counts reservations and claims in applications and leaves, and then what follows from all asks of an application.
func (s *State) forkHolds() {
	for r := range s.Reservations().All() {
		l := s.leafOf(s.AskAt(r.Ask).App())
		if r.Required {
			l.required++
		} else {
			l.Reserved = r.Ask
		}
	}
	for c := range s.Claims().All() {
		ask := s.AskAt(c.Ask)
		if c.Gang != 0 {
			ask.Atomic().Claims++
		}
		ask.App().MarkChanged(s.ShrinkEpoch)
	}
	for a := range s.Asks.Apps {
		if a.Gang != nil {
			for group := range a.Gang.Groups {
				s.gangChanged(a, group)
			}
			s.gangChanged(a, nil)
		}
		s.joinLimits(a)
	}
}

// forkTimers sets the timers of applications, gangs, reservations and claims.
func (s *State) forkTimers() {
	for a := range s.Asks.Apps {
		switch a.State() {
		case apps.StateStarting:
			s.timers.push(timer{at: startingPeriod.After(a.Since()), kind: appTimer, seq: a.Seq(), app: a})
		case apps.StateCompleting:
			s.timers.push(timer{at: completingPeriod.After(a.Since()), kind: appTimer, seq: a.Seq(), app: a})
		}
		if a.Gang != nil {
			s.timeGang(a)
		}
		for _, g := range a.AtomicGangs {
			s.timeAtomic(a, g)
		}
	}
	for r := range s.Reservations().All() {
		if !r.Required {
			s.timers.push(timer{at: r.ExpiresAt, kind: reservationTimer, seq: r.Seq, ref: s.reservations.RefOn(r.Node)})
		}
	}
	for _, id := range s.claims.IDs() {
		if c := s.claims.At(id); c.Gang == 0 && c.Leaving > 0 && c.WaitsUntil > s.Now {
			s.timers.push(timer{at: c.WaitsUntil, kind: patienceTimer, seq: c.Seq, ref: s.claims.Ref(id)})
		}
	}
}
