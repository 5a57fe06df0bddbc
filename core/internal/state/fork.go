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
	for _, s := range c.partitions {
		s.forkAsks()
		s.forkHolds()
		s.forkTimers()
		s.timeWalltimes()
		s.TrimLog()
	}
	return c
}

// read makes a state whose rows, applications and queues can be read, without what follows from asks.
func (f *Frozen) read(o core.Options) *Shared {
	c := &Shared{
		options: o, modules: newModules(), now: f.now, started: f.started, seq: f.seq, counters: f.counters, source: f.source, deviceTypes: f.deviceTypes,
		ended: f.ended, gone: f.gone, parts: slices.Clone(f.parts), judged: f.judged, restoredAt: f.restoredAt,
	}
	if err := (sharedRestorer{c, &snapshot{snapshotHead: snapshotHead{Modules: f.modules}}}).policies(); err != nil {
		panic("core: a module of our own was refused: " + err.Error()) // our bug
	}
	for i := range f.partitions {
		c.partitions = append(c.partitions, f.partitions[i].read(c))
	}
	return c
}

// read makes the State of a partition. Those before it have been made.
func (f *frozenPartition) read(shared *Shared) *State {
	types := f.types.Clone()
	s := &State{
		shared: shared, name: f.name, shown: f.shown, shrinkEpoch: f.shrinkEpoch, retryEpochs: f.retryEpochs, types: types, conf: f.conf,
		devices: devices{f.devices.types, slices.Clone(f.devices.placed)},
		classes: f.classes.Fork(types), limits: limit.NewRegistry(types), precedence: slices.Clone(f.precedence),
		policies: newPolicies(shared, types), quotas: f.quotas, apps: f.apps.Fork(), departures: f.departures.Fork(),
		queues: f.queues.Fork(types), nodes: f.nodes.Fork(), asks: f.asks.Fork(), reservations: f.reservations.Fork(),
		claims: f.claims.Fork(), replacements: f.replacements.Fork(), gangs: f.gangs.Fork(),
		aging: aging{ledger: f.aged.Fork()}, budgets: f.budgets.clone(), windows: f.windows.Clone(),
		planned: plannedStarts{Plans: f.plans.Fork(), slips: f.slips, ended: slices.Clone(f.unplanned), changed: true},
	}
	s.log.first = f.logEnd // positions in the log start at 1, and those of a fork after those of its original
	s.quotas.noted = slices.Clone(f.quotas.noted)
	s.timers.reservations, s.timers.claims, s.timers.gangs, s.timers.accumulation = s.reservations, s.claims, s.gangs, &s.accumulation
	s.finder = node.NewSorted(s.nodes.View(), f.sorted, s.types, s.scoreOf(s.conf), s.predicate, s.predicateFails)
	s.setTopology()
	s.forkLeaves(f.leaves)
	s.indexAging()
	s.enforceQueues()
	s.enforceFilters()
	s.indexLimitsForRanks()
	s.forkApps(f.orders)
	s.readAccumulation(f.accumulation)
	s.listUnjudged()
	return s
}

// forkLeaves makes the leaf queues.
func (s *State) forkLeaves(list []frozenLeaf) {
	for _, was := range list {
		l := &leaf{OwnedLeaf: app.NewLeaf(s.types)}
		l.Ban(was.bannedUntil, was.expiredAt)
		if was.dynamic {
			l.dynamic = &dynamicLeaf{quota: was.quota}
		}
		s.fileLeaf(l, was.queue)
		if was.empty {
			s.setEmpty(l, was.emptySince)
		}
		if was.bannedUntil > s.now {
			s.timers.push(timer{at: was.bannedUntil, kind: banTimer, leaf: l})
		}
	}
}

// forkApps makes the applications and adds them to their leaves, which have their policies.
func (s *State) forkApps(f *app.Frozen) {
	s.orders = f.Fork(s.asks.View(), s.apps.View(), s.gangs.View(), s.classes.View(), func(r *app.Record) {
		s.leaves[s.Apps().Queue(r.Number())].Admit(r.App())
	})
}

// forkAsks adds asks to their applications and classes: pending ones in the order of submission, then others in the order of allocation.
func (s *State) forkAsks() {
	tree := s.Queues()
	pending, placed := make([]app.Ask, 0, tree.Asks(tree.Root())), make([]app.Ask, 0, tree.Allocations(tree.Root()))
	last := app.NoSlot
	for ask := range s.orders.All {
		last = ask.Slot()
		if ask.Pending() {
			pending = append(pending, ask)
		} else {
			placed = append(placed, ask)
		}
	}
	s.orders.BeginAll(last)
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
	s.classes.Enqueue(s.classes.At(r.Class))
	if r.Grouped && !ask.IsPlaceholder() {
		s.edit(a).ListTask(ask)
	}
	if r.Atomic != 0 && ask.IsReplacing() {
		s.edit(a).EditGang(ask.Atomic()).Staying++
	}
	s.edit(a).AddAsk(ask, &r, s.shrinkEpoch)
}

// forkAsk counts an ask in its class and its gangs, and returns its application.
func (s *State) forkAsk(ask app.Ask, r *asks.Ask) app.App {
	a := s.orders.App(r.App)
	s.classes.Count(s.classes.At(r.Class))
	if r.Grouped {
		s.edit(a).Rejoin(ask)
	}
	if r.Atomic != 0 {
		s.edit(a).EditGang(ask.Atomic()).Members++
		s.edit(a).GangResized()
	}
	return a
}

func (s *State) forkPlaced(ask app.Ask) {
	var r asks.Ask
	ask.Read(&r)
	a := s.forkAsk(ask, &r)
	s.edit(a).AddPlaced(ask, r.Node)
	if r.Atomic != 0 && !r.Leaving {
		s.edit(a).EditGang(ask.Atomic()).Staying++
	}
	s.policies.symbols.Made++
	if r.Grouped {
		s.edit(a).MarkChanged(s.shrinkEpoch)
		if !r.Leaving && ask.IsPlaceholder() {
			s.edit(a).ListPlaceholder(ask)
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
			l.SetReserved(r.Ask)
		}
	}
	for c := range s.Claims().All() {
		ask := s.AskAt(c.Ask)
		if c.Gang != 0 {
			s.edit(ask.App()).EditGang(ask.Atomic()).Claims++
		}
		s.edit(ask.App()).MarkChanged(s.shrinkEpoch)
	}
	for a := range s.orders.Apps {
		for g := range a.AtomicGangs {
			s.chooseRoles(a, g)
		}
		if a.HasGang() {
			for group := range a.TaskGroups {
				s.gangChanged(a, group)
			}
			s.gangChanged(a, app.TaskGroup{})
		}
		s.joinLimits(a)
	}
}

// forkTimers sets the timers of applications, gangs, reservations and claims.
func (s *State) forkTimers() {
	for a := range s.orders.Apps {
		switch a.State() {
		case apps.StateStarting:
			s.timers.push(timer{at: startingPeriod.After(a.Since()), kind: appTimer, seq: a.Seq(), app: a})
		case apps.StateCompleting:
			s.timers.push(timer{at: completingPeriod.After(a.Since()), kind: appTimer, seq: a.Seq(), app: a})
		}
		if a.HasGang() {
			s.timeGang(a)
		}
		for g := range a.AtomicGangs {
			s.timeAtomic(a, g)
			s.timeRepair(a, g)
		}
	}
	s.timeAccumulation(s.now)
	for r := range s.Reservations().All() {
		if !r.Required {
			s.timers.push(timer{at: r.ExpiresAt, kind: reservationTimer, seq: r.Seq, ref: s.reservations.RefOn(r.Node)})
		}
	}
	for _, id := range s.claims.IDs() {
		if c := s.claims.At(id); c.Gang == 0 && c.Leaving > 0 && c.WaitsUntil > s.now {
			s.timers.push(timer{at: c.WaitsUntil, kind: patienceTimer, seq: c.Seq, ref: s.claims.Ref(id)})
		}
	}
}
