package preempt

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/victim"
	"github.com/quern-project/quern/core/resource"
)

// namedBeside limits how many of the other victims are named in the explanation of a victim. A large gang has very many victims, and
// each explanation stays in memory until its victim has left.
const namedBeside = 100

// explainVictims returns the victims of an ask, each with the law that permits the preemption.
func (s *Preemption) explainVictims(c *choice) []state.Victim {
	ask, set, q := c.ask, c.set, s.Question(c.ask)
	q.Surplus = c.surplus
	r, ends := victim.Analyze(&q), s.state.EndingGangs(set.Victims)
	var all []state.Victim
	for _, v := range set.Victims {
		all = append(all, s.explainVictim(r, ask, v, set, ends))
	}
	return all
}

// explainVictim explains why the ask may preempt one victim of a set.
func (s *Preemption) explainVictim(r *victim.Analysis, ask, v app.Ask, set *victim.Set, ends state.Ending) state.Victim {
	e := explain.VictimExplanation{
		Victim: s.VictimOf(r, ask, v, set.Victims, ends), For: ask.ID(), ForApp: ask.App().ID(), ForQueue: s.state.Queues().Shown(s.state.QueueOf(ask)), Node: s.state.Nodes().ID(v.Node()), At: s.state.Now(),
	}
	for _, other := range set.Victims {
		if len(e.With) == namedBeside {
			break
		}
		if v != other {
			e.With = append(e.With, other.ID())
		}
	}
	if e.Kind == explain.ByGuarantee {
		e.Entitled = s.entitledBelow(r, e.Common)
	}
	return state.Victim{Ask: v, Why: e}
}

// entitledBelow lists the guarantees that law 4 compared on the ask's path below the common queue of victim and ask.
func (s *Preemption) entitledBelow(r *victim.Analysis, common string) []explain.Finding {
	var list []explain.Finding
	for _, st := range r.Law4() {
		if s.state.Queues().Shown(st.Queue) == common {
			break
		}
		list = append(list, s.Finding(explain.Law4, st, st.Used < st.Bound))
	}
	return list
}

// Finding describes the usage of a queue by the count of a law. holds says whether the law is satisfied.
func (s *Preemption) Finding(law core.Reason, st victim.Usage, holds bool) explain.Finding {
	return explain.Finding{Law: law, Queue: s.state.Queues().Shown(st.Queue), Type: s.state.Types().Name(st.Lane), Used: st.Used, Guaranteed: st.Bound, Holds: holds, Milli: s.state.Types().IsMilli(st.Lane)}
}

// VictimOf describes a victim of an ask, and the law that permits the preemption. set contains all victims that would leave together, and
// ends the gangs that leave as a whole with them.
func (s *Preemption) VictimOf(r *victim.Analysis, ask, v app.Ask, set []app.Ask, ends state.Ending) explain.Victim {
	p, q, tree := s.state.QueueOf(ask), s.state.QueueOf(v), s.state.Queues()
	meet := tree.CommonAncestor(p, q)
	e := explain.Victim{
		ID: v.ID(), App: v.App().ID(), Queue: tree.Shown(q), Priority: v.Priority(), Kind: explain.ByGuarantee, Originator: v.Originator(), OptedOut: v.NotPreemptable(),
		Common: tree.Shown(meet), Seen: tree.SeenBy(q, meet, v.Priority()), ForSeen: tree.SeenBy(p, meet, ask.Priority()),
	}
	nameGang(v, ends, &e)
	switch {
	case r.BySurplus():
		e.Kind, e.Over = explain.BySurplus, s.keptGuarantees(r, v, set)
	case ask.Class().Node() != "":
		e.Kind, e.Seen, e.ForSeen = explain.ByNode, v.Priority(), ask.Priority()
	case p == q:
		e.Kind = explain.ByIntraQueue
	default:
		e.Over = s.keptGuarantees(r, v, set)
	}
	return e
}

// keptGuarantees lists the guarantees that laws 2 and 5 check for a victim, with the usage once all victims have left.
func (s *Preemption) keptGuarantees(r *victim.Analysis, v app.Ask, set []app.Ask) (list []explain.Finding) {
	for _, st := range r.Guards(v, s.state.QueueOf(v)) {
		for _, other := range set {
			if s.state.Queues().Within(s.state.QueueOf(other), st.Queue) {
				st.Used = resource.Sub(st.Used, other.Class().Demand().At(st.Lane))
			}
		}
		list = append(list, s.Finding(explain.Law5, st, st.Used >= st.Bound))
	}
	return list
}
