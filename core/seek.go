package core

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/preempt"
	"github.com/quern-project/quern/core/internal/queue"
)

// defaultSearchSteps is about 5 ms of looking for victims.
const defaultSearchSteps = 500_000

// classesTold is up to how many classes the finder is told of, so that it can rule queues out without looking at nodes.
const classesTold = 64

// seeking knows which asks may look for victims, and what came of it.
type seeking struct {
	// stamp grows with everything that may let an ask find victims that could not: what failed at a stamp fails at it.
	// calls grows with that, and when more asks may look for victims.
	stamp, calls uint64
	spent        uint64           // the calls at which nobody found anything
	failed       map[seekKey]bool // at failedAt
	failedAt     uint64
	steps        int  // left in this cycle
	short        bool // the last cycle ran out of steps
	waits        []waiting
}

// seekKey is what asks have in common that find the same victims.
type seekKey struct {
	leaf  int
	class *class.Class
	prio  int32
	app   *app.App // where it matters whose ask it is
	holds int32    // slot of the node that it has a reservation on
}

// stir says that something changed that may let an ask find victims: usage, nodes, claims, limits.
func (k *seeking) stir() {
	k.stamp++
	k.calls++
}

// wake says that more asks may look for victims.
func (k *seeking) wake() { k.calls++ }

// preempt lets the first ask, in the order of the walk, that finds victims take them. It reports whether anything came
// of it.
func (s *Scheduler) preempt() bool {
	k := &s.seek
	if s.root.Seekers == 0 || k.spent == k.calls {
		return false
	}
	if k.failedAt != k.stamp {
		k.failedAt = k.stamp
		clear(k.failed)
	}
	s.ranks.ask(s.finder)
	ask, set := s.seekIn(s.root)
	switch {
	case set == nil:
		if !k.short {
			k.spent = k.calls
		}
		return false
	case s.conf.PreemptionObserve:
		s.observe(ask, set)
	default:
		s.tell(ask, set)
	}
	return true
}

// seekIn visits the asks of a queue that may preempt, in the order of the walk.
func (s *Scheduler) seekIn(q *queue.Queue) (ask *app.Ask, set *preempt.Set) {
	if q.Leaf() {
		return s.seekInLeaf(s.leaves[q.ID])
	}
	if q.Stale(&s.wide) {
		s.sync(q)
	}
	q.Each(func(child *queue.Queue) bool {
		if child.Seekers > 0 {
			ask, set = s.seekIn(child)
		}
		return set == nil && !s.seek.short
	})
	return ask, set
}

// seekInLeaf asks those again that found nothing when the leaf was last walked; if one of them does now, or others may
// seek, the leaf is walked.
func (s *Scheduler) seekInLeaf(l *leaf) (*app.Ask, *preempt.Set) {
	if l.bound == 0 && !preempt.Hopeful(l.queue, s.guaranteesPreempt()) {
		return nil, nil
	}
	s.refresh(l)
	if l.walked == 0 || s.openedSince(l) {
		return s.seekByWalk(l)
	}
	for _, ask := range l.tried {
		if set := s.seekFor(l, ask); set != nil {
			return s.seekByWalk(l) // another may come first by now
		}
		if s.seek.short {
			break
		}
	}
	return nil, nil
}

// guaranteesPreempt reports whether the partition lets guarantees preempt, or wants to know what would come of it.
func (s *Scheduler) guaranteesPreempt() bool {
	return s.conf.PreemptionEnabled || s.conf.PreemptionObserve
}

// openedSince reports whether more applications may start than when a leaf was last walked.
func (s *Scheduler) openedSince(l *leaf) bool {
	for q := l.queue; q != nil; q = q.Parent {
		if q.OpenedAt >= l.walked {
			return true
		}
	}
	return false
}

// seekByWalk visits the applications of a leaf that may be allocated to, and in each the first due ask of each kind.
func (s *Scheduler) seekByWalk(l *leaf) (found *app.Ask, set *preempt.Set) {
	l.tried, l.walked = l.tried[:0], 0
	due := false
	l.Each(func(a *app.App) bool {
		for _, ask := range s.dueOf(l, a) {
			due = true
			if !s.mayStart(a) || slices.ContainsFunc(l.tried, func(x *app.Ask) bool { return s.seekKeyOf(l, x) == s.seekKeyOf(l, ask) }) {
				continue
			}
			if set = s.seekFor(l, ask); set != nil || s.seek.short {
				found = ask
				return false
			}
			l.tried = append(l.tried, ask)
		}
		return true
	})
	switch {
	case set != nil || s.seek.short:
	case due:
		l.walked = s.search.world
	default:
		s.unseek(l)
	}
	return found, set
}

func (s *Scheduler) seekKeyOf(l *leaf, ask *app.Ask) seekKey {
	key := seekKey{leaf: l.ID, class: ask.Class, prio: ask.Priority, holds: ask.Reserves}
	if ask.Class.Node != "" || l.queue.Conf.IntraQueue {
		key.app = ask.App
	}
	return key
}

// seekFor looks for victims for an ask, unless one like it found none since anything changed.
func (s *Scheduler) seekFor(l *leaf, ask *app.Ask) *preempt.Set {
	k := &s.seek
	key := s.seekKeyOf(l, ask)
	if k.failed[key] {
		return nil
	}
	if k.steps <= 0 {
		k.short = true
		return nil
	}
	q := s.question(ask)
	set, outcome, taken := s.finder.Find(&q, k.steps)
	k.steps -= taken
	switch outcome {
	case preempt.Unfinished:
		k.short = true
	case preempt.NoVictims, preempt.NeedsNobody:
		if k.failed == nil {
			k.failed = map[seekKey]bool{}
		}
		k.failed[key] = true
	}
	return set
}

// question puts an ask to the finder.
func (s *Scheduler) question(ask *app.Ask) preempt.Question {
	q := preempt.Question{
		Ask: ask, Leaf: s.queueOf(ask), Leaves: len(s.leaves), Total: s.wide.Total, Largest: s.classes.Largest(),
		Enabled: s.guaranteesPreempt(),
		MayTake: func(n *node.Node) bool { return s.mayTake(ask, n) },
	}
	q.Classes, _ = s.classes.InUse(classesTold)
	if c := ask.Class; c.Node != "" || len(c.Constraints) > 0 || s.decided(c) {
		q.Admits = func(n *node.Node) bool { return s.nodes.Admits(c, n) }
	}
	return q
}
