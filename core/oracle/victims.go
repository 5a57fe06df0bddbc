package oracle

import (
	"slices"

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

// possibleOn lists the allocations on the node that the laws about single victims permit.
func (s *search) possibleOn(n *node) []*victim {
	var possible []*victim
	for _, k := range s.allocationsOn(n) {
		v := &victim{ask: k, way: k.app.queue.chain()}
		if !k.isLeaving() && k.app != s.ask.app && k.details.Node == "" && s.mayTake(v) {
			possible = append(possible, v)
		}
	}
	return possible
}

// mayTake finds where ask and victim meet, and checks the laws for that kind of preemption.
func (s *search) mayTake(v *victim) bool {
	if s.ask.details.Node != "" {
		return v.priority <= s.ask.priority
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
