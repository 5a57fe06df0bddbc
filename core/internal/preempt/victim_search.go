package preempt

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/victim"
)

// DefaultSearchSteps is about 5 ms of looking for victims.
const DefaultSearchSteps = 500_000

// classesTold is up to how many classes the finder is told of, so that it can rule queues out without looking at nodes.
const classesTold = 64

// searchKey is what asks have in common that find the same victims.
type searchKey struct {
	leaf  int
	class *class.Class
	prio  int32
	app   *app.App // where it matters whose ask it is
	holds int32    // slot of the node that it has a reservation on
}

// Step lets the first ask, in the order of the walk, that finds victims take them. It reports whether one did.
func (s *Preemption) Step() bool {
	s.Follow()
	if s.Root.LeavesDue == 0 || s.spent == s.calls {
		return false
	}
	if s.failedAt != s.stamp {
		s.failedAt = s.stamp
		clear(s.failed)
	}
	s.ranks.ask(s.finder)
	ask, set := s.searchQueue(s.Root)
	switch {
	case set == nil:
		if !s.short {
			s.spent = s.calls
		}
		return false
	case s.Conf.PreemptionObserve:
		s.Observe(ask, set.Node, set.Victims, set.Approximate)
		s.mayBeDue(s.LeafOf(ask)) // others of its kind have not been heard
	default:
		s.Preempt(ask, set.Node, s.explainVictims(ask, set), set.Approximate)
	}
	return true
}

// searchQueue visits the asks of a queue that may preempt, in the order of the walk.
func (s *Preemption) searchQueue(q *queue.Queue) (ask *app.Ask, set *victim.Set) {
	if q.Leaf() {
		return s.searchLeaf(s.Leaves[q.ID])
	}
	s.walk.Freshen(q)
	q.Each(func(child *queue.Queue) bool {
		if child.LeavesDue > 0 {
			ask, set = s.searchQueue(child)
		}
		return set == nil && !s.short
	})
	return ask, set
}

// searchLeaf asks those again that found nothing when the leaf was last walked; if one of them does now, or others may
// search, the leaf is walked.
func (s *Preemption) searchLeaf(l *state.Leaf) (*app.Ask, *victim.Set) {
	k := s.leaf(l)
	if k.bound == 0 && !victim.MayPreemptNow(l.Queue, s.guaranteesPreempt()) {
		return nil, nil
	}
	s.walk.FreshenLeaf(l)
	if k.eligibility != l.EligibilityChanges {
		k.eligibility, k.walked = l.EligibilityChanges, 0
	}
	if k.walked == 0 || s.openedSince(l, k.walked) {
		return s.searchInOrder(l)
	}
	for _, ask := range k.tried {
		if set := s.searchFor(l, ask); set != nil {
			return s.searchInOrder(l) // another may come first by now
		}
		if s.short {
			break
		}
	}
	return nil, nil
}

// guaranteesPreempt reports whether the partition lets guarantees preempt, or wants to know what would come of it.
func (s *Preemption) guaranteesPreempt() bool {
	return s.Conf.PreemptionEnabled || s.Conf.PreemptionObserve
}

// openedSince reports whether more applications may start than when a leaf was last walked, or limits may bar fewer asks.
func (s *Preemption) openedSince(l *state.Leaf, world uint64) bool {
	if s.leaf(l).limited && s.limitsOpened >= world {
		return true
	}
	for q := l.Queue; q != nil; q = q.Parent {
		if q.OpenedAt >= world {
			return true
		}
	}
	return false
}

// searchInOrder visits the applications of a leaf that may be allocated to, and in each the first due ask of each kind.
func (s *Preemption) searchInOrder(l *state.Leaf) (found *app.Ask, set *victim.Set) {
	k := s.leaf(l)
	k.tried, k.walked, k.limited = k.tried[:0], 0, false
	due := false
	l.Each(func(a *app.App) bool {
		for _, ask := range s.dueOf(l, a) {
			due = true
			if a.Limits != nil && (a.LacksPlace() != nil || !a.WithinLimits(ask.Class)) { // with nobody gone: limits never preempt
				k.limited = true
				continue
			}
			if !s.MayStart(a) || slices.ContainsFunc(k.tried, func(x *app.Ask) bool { return s.searchKeyOf(l, x) == s.searchKeyOf(l, ask) }) {
				continue
			}
			if set = s.searchFor(l, ask); set != nil || s.short {
				found = ask
				return false
			}
			k.tried = append(k.tried, ask)
		}
		return true
	})
	switch {
	case set != nil || s.short:
	case due:
		k.walked = s.World
	default:
		s.noneDue(l)
	}
	return found, set
}

func (s *Preemption) searchKeyOf(l *state.Leaf, ask *app.Ask) searchKey {
	key := searchKey{leaf: l.ID, class: ask.Class, prio: ask.Priority, holds: ask.Reserves}
	if ask.Class.Node != "" || l.Queue.Conf.IntraQueue {
		key.app = ask.App
	}
	return key
}

// searchFor looks for victims for an ask, unless one like it found none since anything changed.
func (s *Preemption) searchFor(l *state.Leaf, ask *app.Ask) *victim.Set {
	key := s.searchKeyOf(l, ask)
	if s.failed[key] {
		return nil
	}
	if s.steps <= 0 {
		s.short = true
		return nil
	}
	q := s.Question(ask)
	set, outcome, taken := s.finder.Find(&q, s.steps)
	s.steps -= taken
	switch outcome {
	case victim.Unfinished:
		s.short = true
	case victim.NoVictims, victim.NotNeeded:
		s.failed[key] = true
	}
	return set
}

// Question puts an ask to the finder.
func (s *Preemption) Question(ask *app.Ask) victim.Question {
	q := victim.Question{
		Ask: ask, Leaf: s.QueueOf(ask), Leaves: len(s.Leaves), Total: s.Nodes.Total(), Largest: s.Classes.Largest(),
		Enabled: s.guaranteesPreempt(),
		MayTake: func(n *node.Node) bool { return s.MayTake(ask, n) },
	}
	q.Classes, _ = s.Classes.InUse(classesTold)
	if c := ask.Class; c.Node != "" || len(c.Constraints) > 0 || s.walk.Predicated(c) {
		q.Admits = func(n *node.Node) bool { return s.Nodes.Admits(c, n) }
	}
	return q
}
