package preempt

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/internal/victim"
)

// classesTold is the largest number of ask classes that is passed to the finder. With them, it can exclude queues without looking at
// nodes.
const classesTold = 64

// searchKey identifies asks that find the same victims. If one of them fails, the others need not search.
type searchKey struct {
	leaf  queues.ID
	class class.Class
	prio  int32
	app   app.App // none unless the result depends on the application
	holds int32   // slot of the node on which the ask has a reservation
	first bool    // it may use what is held for a gang

	gang    app.AtomicGang // the gang that searches as a whole; nil if the ask searches by itself
	version uint64         // version of the gang
}

// choice is the node and the victims that were found for an ask, or the nodes and victims for a gang, whose first member is ask.
type choice struct {
	ask  app.Ask
	set  *victim.Set     // nil for a gang
	gang *victim.GangSet // nil for a single ask
	by   []app.Ask       // the gang members that are placed

	surplus bool // by the right surplus
}

// terms says how the victims were chosen.
func (c *choice) terms() state.Terms {
	if c.gang != nil {
		return state.Terms{Surplus: c.surplus, Approximate: c.gang.Approximate}
	}
	return state.Terms{Surplus: c.surplus, Approximate: c.set.Approximate}
}

// Step searches victims for the due asks in the order of the walk, until the first ask that finds some, and preempts them for it. It
// reports whether an ask found victims.
func (s *Preemption) Step() bool {
	s.progress.Enter(resumable.Victims)
	s.Follow()
	if s.leavesDue[s.state.Queues().Root()] == 0 || s.spent == s.calls {
		return false
	}
	if s.failedAt != s.stamp {
		s.failedAt = s.stamp
		clear(s.failed)
	}
	s.ranks.ask(s.finder)
	s.touchUnits()
	found := s.searchQueue(s.state.Queues().Root())
	switch {
	case found == nil:
		if !s.progress.Unfinished() {
			s.spent = s.calls
		}
		return false
	case s.state.Conf().PreemptionObserve:
		s.observe(found)
		s.mayBeDue(s.state.QueueOf(found.ask)) // other asks of its kind have not been observed yet
	default:
		s.take(found)
	}
	return true
}

func (s *Preemption) observe(c *choice) {
	if c.gang != nil {
		s.state.ObserveGang(c.placements(), c.gang.Victims, c.terms())
		return
	}
	s.state.Observe(c.ask, c.set.Victims, c.terms())
}

func (s *Preemption) take(c *choice) {
	if c.gang != nil {
		s.state.PreemptForGang(c.placements(), s.explainGangVictims(c), c.terms())
		return
	}
	s.state.Preempt(c.ask, c.set.Node, s.explainVictims(c), c.terms())
}

// searchQueue searches victims for the due asks of a queue, in the order of the walk, until one finds some.
func (s *Preemption) searchQueue(q queues.ID) (found *choice) {
	if s.state.Queues().IsLeaf(q) {
		return s.searchLeaf(q)
	}
	s.walk.Freshen(q)
	s.walk.EachChild(q, func(child queues.ID) bool {
		if s.leavesDue[child] > 0 {
			found = s.searchQueue(child)
		}
		return found == nil && !s.progress.Unfinished()
	})
	return found
}

// searchLeaf searches victims for the due asks of a leaf. Unless the leaf has to be walked again, it repeats only the searches that
// failed in the last walk. If one of these succeeds now, it walks the leaf.
func (s *Preemption) searchLeaf(leaf queues.ID) *choice {
	k, l := s.leaf(leaf), s.state.Leaf(leaf)
	if k.bound == 0 && !s.hasSurplus() && !victim.MayPreemptNow(s.state.Queues(), leaf, s.guaranteesPreempt()) {
		return nil
	}
	s.walk.FreshenLeaf(l)
	if k.eligibility != l.EligibilityChanges() {
		k.eligibility, k.walked = l.EligibilityChanges(), 0
	}
	if k.walked == 0 || s.openedSince(leaf, k.walked) {
		return s.searchInOrder(leaf)
	}
	for _, ask := range k.tried {
		if s.searchFor(leaf, ask) != nil {
			return s.searchInOrder(leaf) // an ask of another application may come first now
		}
		if s.progress.Unfinished() {
			break
		}
	}
	return nil
}

// guaranteesPreempt reports whether preemption by guarantees is enabled in the partition or observed.
func (s *Preemption) guaranteesPreempt() bool {
	return s.state.Conf().PreemptionEnabled || s.state.Conf().PreemptionObserve
}

// openedSince reports whether, since a walk of the leaf, more applications may have become able to start, or a limit may exclude fewer
// asks. shrink epoch is the Shrink epoch of that walk.
func (s *Preemption) openedSince(leaf queues.ID, shrinkEpoch uint64) bool {
	if s.leaf(leaf).limited && s.limitsOpened >= shrinkEpoch {
		return true
	}
	tree := s.state.Queues()
	for q := leaf; q != queues.None; q = tree.Parent(q) {
		if tree.OpenedAt(q) >= shrinkEpoch {
			return true
		}
	}
	return false
}

// searchInOrder walks the applications of a leaf that are eligible, and searches victims for the first due ask of each kind.
func (s *Preemption) searchInOrder(leaf queues.ID) (found *choice) {
	k := s.leaf(leaf)
	k.tried, k.walked, k.limited = k.tried[:0], 0, false
	due := false
	s.state.Leaf(leaf).Each(func(t app.Turn) bool {
		if t.Surplus {
			return true // such asks do not preempt
		}
		a := t.App
		for _, ask := range s.dueOf(leaf, a) {
			due = true
			if !a.Limits().IsNone() && !s.withinLimits(ask) {
				k.limited = true
				continue
			}
			if !s.state.MayStart(a) || slices.ContainsFunc(k.tried, func(x app.Ask) bool { return s.searchKeyOf(leaf, x) == s.searchKeyOf(leaf, ask) }) {
				continue
			}
			if found = s.searchFor(leaf, ask); found != nil || s.progress.Unfinished() {
				return false
			}
			k.tried = append(k.tried, ask)
		}
		return true
	})
	switch {
	case found != nil || s.progress.Unfinished():
	case due:
		k.walked = s.state.ShrinkEpoch()
	default:
		s.noneDue(leaf)
	}
	return found
}

// withinLimits reports whether the user and group limits have room for the ask, or for the gang of which it is the first member,
// without any victims: limits never preempt.
func (s *Preemption) withinLimits(ask app.Ask) bool {
	a := ask.App()
	if !a.LacksPlace().IsNone() {
		return false
	}
	g := ask.WaitingGang()
	if g.IsNone() {
		return s.walk.WithinLimits(ask, ask.Class().Demand())
	}
	return s.walk.WithinLimits(ask, Together(s.firstMembers(a, g), s.state.Types().Width()).Amounts())
}

func (s *Preemption) searchKeyOf(leaf queues.ID, ask app.Ask) searchKey {
	if g := ask.WaitingGang(); !g.IsNone() {
		return searchKey{leaf: leaf, gang: g, version: g.Row().Version}
	}
	key := searchKey{leaf: leaf, class: ask.Class(), prio: ask.Priority(), holds: ask.ReservedNode(), first: s.walk.MayUseHeld(ask)}
	if ask.Class().Node() != "" || s.state.Queues().Conf(leaf).IntraQueue || s.hasSurplus() || s.state.HasWindows() {
		key.app = ask.App()
	}
	return key
}

// searchFor searches victims for an ask, unless an ask with the same key found none since the last relevant change.
func (s *Preemption) searchFor(leaf queues.ID, ask app.Ask) *choice {
	key := s.searchKeyOf(leaf, ask)
	if s.failed[key] {
		return nil
	}
	if s.progress.MustStop(resumable.Victims) {
		s.progress.Stop(resumable.Victims)
		return nil
	}
	if !key.gang.IsNone() {
		return s.searchForGang(key, ask)
	}
	set, surplus, outcome := s.findVictims(ask)
	switch outcome {
	case victim.Unfinished:
		s.progress.Stop(resumable.Victims)
	case victim.NoVictims, victim.NotNeeded:
		s.failed[key] = true
	}
	if set == nil {
		return nil
	}
	return &choice{ask: ask, set: set, surplus: surplus}
}

// Question describes the search for victims of an ask to the finder.
func (s *Preemption) Question(ask app.Ask) victim.Question {
	q := victim.Question{
		Ask: ask, Queues: s.state.Queues(), Leaf: s.state.QueueOf(ask), Total: s.state.Nodes().Total(), Largest: s.state.Classes().Largest(),
		Enabled: s.guaranteesPreempt(), Elastic: s.hasSurplus(),
		MayTake: func(n int32) bool { return s.walk.MayEmpty(ask, n) },
		Held:    s.walk.HeldFrom(ask),
		Spared:  s.sparedFrom(ask), BudgetLeft: s.state.BudgetLeft,
	}
	s.addShares(&q)
	q.Classes, _ = s.state.Classes().InUse(classesTold)
	if len(ask.Class().Devices()) > 0 {
		q.Devices = func(n int32, gone []app.Ask) bool { return s.state.FitsDevicesWithout(ask.Class(), n, gone) }
	}
	switch c := ask.Class(); {
	case node.SupportsDepartures(c):
		q.Admits = func(n int32) bool { return s.state.Nodes().MayAdmit(c, n) }
		q.Without = func(n int32, gone []app.Ask) bool { return s.admitsWithout(c, n, gone) }
	case c.Node() != "" || c.Constraints().Len() > 0 || s.walk.Predicated(c):
		q.Admits = func(n int32) bool { return s.state.Nodes().Admits(c, n) }
	}
	return q
}

// admitsWithout reports whether a node would admit a class if some of its allocations had gone.
func (s *Preemption) admitsWithout(c class.Class, n int32, gone []app.Ask) bool {
	if len(gone) == 0 {
		return s.state.Nodes().Admits(c, n)
	}
	ids := make([]string, len(gone))
	for i, v := range gone {
		ids[i] = v.ID()
	}
	return s.state.Nodes().AdmitsWithout(c, n, ids)
}
