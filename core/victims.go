package core

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/preempt"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// departure is a victim that was told to leave, with what is to be said of it; Left is set once it has.
type departure struct {
	Claim uint64 // of the ask that it leaves for
	Left  time.Duration
	Why   VictimExplanation
}

// Victims that have left are remembered for three days, the last goneLimit of them.
const goneLimit = 10_000

// firstOn is the first allocation on the node in a slot.
func (s *Scheduler) firstOn(slot int32) *app.Ask { return s.local[slot].placed.First }

// keeperOf is the ask that the node in a slot is kept for.
func (s *Scheduler) keeperOf(slot int32) *app.Ask { return s.local[slot].claim.ask }

// tell has the victims of a choice leave, and keeps their node for the ask.
func (s *Scheduler) tell(ask *app.Ask, set *preempt.Set) {
	whys := s.victimsOf(ask, set)
	for i, v := range set.Victims {
		d := s.emit(Preemption)
		d.ID, d.For, d.Node, d.Queue, d.Approximate = v.ID, ask.ID, set.Node.ID, whys[i].Queue, set.Approximate
	}
	s.counters.Claimed++
	s.search.world++ // more may leave than will land: asks that headroom barred are looked at again
	for i, v := range set.Victims {
		s.leave(v, &departure{Claim: s.counters.Claimed, Why: whys[i]})
	}
	if ask.Reserves != app.NoNode {
		s.unreserve(ask, "")
	}
	s.keep(&claim{s.counters.Claimed, ask, set.Node})
}

// observe says whom an ask would take, once, and takes nobody.
func (s *Scheduler) observe(ask *app.Ask, set *preempt.Set) {
	ask.Observed = true
	s.seekers(ask) // others of its kind have not been heard
	for _, v := range set.Victims {
		d := s.emit(Observed)
		d.ID, d.For, d.Node, d.Queue, d.Approximate = v.ID, ask.ID, set.Node.ID, s.queueOf(v).Path, set.Approximate
	}
}

// leave counts an allocation as leaving, on its node and up the tree.
func (s *Scheduler) leave(v *app.Ask, d *departure) {
	v.Leaving = true
	s.leaving[v] = d
	n := s.nodes.At(v.Node)
	if n.Leaving == nil {
		n.Leaving = make(resource.Vec, len(n.Used))
	}
	n.Leaving.Add(v.Class.Demand)
	for q := s.queueOf(v); q != nil; q = q.Parent {
		if q.Tight(s.classes.Largest()) {
			s.opened(q)
		}
		q.Leave(v.Class.Demand, true)
	}
	s.kept.doubtHolds()
	s.seek.stir()
	s.nodeChanged(n)
	s.touch(s.queueOf(v))
}

// depart takes back what leave counted, since the victim is gone.
func (s *Scheduler) depart(v *app.Ask, n *node.Node) {
	d := s.leaving[v]
	delete(s.leaving, v)
	s.kept.doubtHolds()
	n.Leaving.Sub(v.Class.Demand)
	for q := s.queueOf(v); q != nil; q = q.Parent {
		q.Leave(v.Class.Demand, false)
	}
	d.Left, d.Why.Gone = s.now, true
	s.gone = append(s.gone, *d)
	if len(s.gone) > goneLimit {
		s.gone = slices.Delete(s.gone, 0, goneLimit/10)
	}
}

// forgetGone forgets victims that left long ago.
func (s *Scheduler) forgetGone() {
	n := 0
	for n < len(s.gone) && s.gone[n].Left+expiryPeriod <= s.now {
		n++
	}
	s.gone = slices.Delete(s.gone, 0, n)
}

func (s *Scheduler) queueOf(ask *app.Ask) *queue.Queue { return s.leaves[ask.App.Leaf.ID].queue }
