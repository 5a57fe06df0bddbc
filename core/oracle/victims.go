package oracle

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/resource"
)

// victim is an allocation that the laws about single victims permit.
type victim struct {
	*ask
	way    []*queue // queues from its leaf to root
	common *queue   // the lowest queue that contains ask and victim; nil for asks with a required node
	chain  []*queue // the part of way below common
}

// victimsOf converts allocations to victims. ok is false if the laws about single victims do not permit all of them.
func (s *search) victimsOf(allocations ...*ask) (victims []*victim, ok bool) {
	for _, k := range allocations {
		v := &victim{ask: k, way: k.app.queue.chain()}
		if k.isLeaving() || k.app == s.ask.app || k.details.Node != "" || !s.mayTake(v) {
			return nil, false
		}
		victims = append(victims, v)
	}
	return victims, true
}

// possibleOn lists the parts of sets of victims that free the node: whole units with a member there, and then
// the single allocations there. A set that takes single members of a unit never takes the whole unit afterwards.
func (s *search) possibleOn(nodes ...*node) [][]*victim {
	var possible [][]*victim
	var on []*ask
	for _, n := range nodes {
		on = append(on, slices.DeleteFunc(s.allocationsOn(n), (*ask).isLeaving)...)
	}
	units := s.touched(on)
	for _, u := range units {
		if victims, ok := s.victimsOf(u.present()...); ok {
			possible = append(possible, victims)
		}
	}
	for _, k := range on {
		if victims, ok := s.victimsOf(k); ok {
			possible = append(possible, victims)
		}
	}
	return possible
}

// extended returns the set with one more part. It returns nil if the part adds nothing, or takes more of a unit than its surplus and
// leaves some.
func (s *search) extended(set, part []*victim) []*victim {
	next := slices.Clone(set)
	for _, v := range part {
		if !slices.ContainsFunc(set, func(other *victim) bool { return other.ask == v.ask }) {
			next = append(next, v)
		}
	}
	if len(next) == len(set) || !s.keepsUnits(asksOf(next)) || s.surplus && !s.isElasticSurplus(asksOf(next)) {
		return nil
	}
	return next
}

func asksOf(victims []*victim) []*ask {
	var asks []*ask
	for _, v := range victims {
		asks = append(asks, v.ask)
	}
	return asks
}

// on lists the victims on some nodes.
func on(victims []*victim, nodes ...*node) []*victim {
	return slices.DeleteFunc(slices.Clone(victims), func(v *victim) bool { return !slices.Contains(nodes, v.node) })
}

// mayTake finds where ask and victim meet, and checks the laws for that kind of preemption.
func (s *search) mayTake(v *victim) bool {
	if s.ask.details.Node != "" {
		return v.priority <= s.ask.priority && !s.spares(v.ask, core.RightRequiredNode)
	}
	if s.spares(v.ask, "") {
		return false
	}
	if s.surplus {
		return s.mayTakeSurplus(v)
	}
	v.common, v.chain = meet(v.way, s.way)
	if v.common == s.way[0] {
		return s.way[0].settings.IntraQueue && v.priority < s.ask.priority
	}
	_, chain := meet(s.way, v.way)
	return s.byGuarantee(s.ask) && !v.way[0].isDisabled() && !fenced(chain) && s.isEntitled(chain) &&
		seenAbove(v.chain, v.priority) <= seenAbove(chain, s.ask.priority)
}

// meet returns the lowest queue that is on both paths, and the part of the first path below it.
func meet(way, other []*queue) (common *queue, below []*queue) {
	i := slices.IndexFunc(way, func(q *queue) bool { return slices.Contains(other, q) })
	return way[i], way[:i]
}

// fenced implements law 7: an ask has no victims outside its fence.
func fenced(chain []*queue) bool {
	return slices.ContainsFunc(chain, func(q *queue) bool { return q.settings.PreemptionPolicy == config.PreemptionFence })
}

// isEntitled implements law 4: for some type that the ask needs, at least one queue of its chain has a guarantee, and each queue that has one
// uses less than it. Claims count as used.
func (s *search) isEntitled(chain []*queue) bool {
	return slices.ContainsFunc(s.ask.resources, func(need resource.Quantity) bool {
		return need.Value > 0 && s.isEntitledTo(need.Type, chain)
	})
}

func (s *search) isEntitledTo(typ string, chain []*queue) bool {
	guaranteed := false
	for _, q := range chain {
		promise := valueOf(q.settings.Guaranteed, typ)
		if promise <= 0 {
			continue
		}
		guaranteed = true
		stands := s.queues[q]
		if resource.Add(stands.used[typ], stands.claimed[typ]) >= promise {
			return false
		}
	}
	return guaranteed
}

// seenAbove returns a priority as seen above the chain of queues.
func seenAbove(chain []*queue, priority int32) int32 {
	for _, q := range chain {
		priority = shownBy(q, priority)
	}
	return priority
}
