package oracle

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// search is the search for victims of one ask. Sums over the cluster are computed once, when the search starts.
type search struct {
	*partition
	ask    *ask
	way    []*queue // from the ask's leaf to root
	queues map[*queue]usage
	total  amounts

	surplus bool // only surplus of elastic gangs may go, for which the ask need not be entitled
}

// usage is the usage of a queue that the laws compare.
type usage struct {
	used    amounts // including leaving allocations
	leaving amounts
	claimed amounts // sum of the claims in the subtree
	later   amounts // future usage: leaving allocations have left, and claims are allocated
}

func (p *partition) newSearch(k *ask) *search {
	s := &search{partition: p, ask: k, way: k.app.queue.chain(), queues: map[*queue]usage{}, total: p.total()}
	for _, q := range p.root.subtree() {
		s.queues[q] = usage{
			used: p.used(q), leaving: p.leaving(q), claimed: claimedAmounts(q, p.claims), later: p.willUse(q),
		}
	}
	return s
}

// lookForVictims returns the least harmful choice of victims for the ask. It returns nil if there is none, or if the ask needs no victims.
func (p *partition) lookForVictims(k *ask) *choice {
	s := p.newSearch(k)
	nodes := slices.DeleteFunc(slices.Clone(p.nodes), func(n *node) bool { return !p.admits(n, k) || !p.mayTakeVictims(n, k) })
	slices.SortFunc(nodes, func(a, b *node) int { return strings.Compare(a.id, b.id) })
	for _, n := range nodes {
		if s.needsNoVictims(n) {
			return nil
		}
	}
	if k.details.Node == "" && p.hasElasticSurplus() {
		s.surplus = true
		if best := s.bestOf(nodes); best != nil {
			return best
		}
		s.surplus = false
	}
	if !p.hasRightBeside(k) {
		return nil
	}
	return s.bestOf(nodes)
}

// bestOf returns the least harmful choice on the nodes: on those in a domain of the level that the ask prefers, or else of a wider one.
func (s *search) bestOf(nodes []*node) *choice {
	level, _ := s.preferredLevel(s.ask)
	for least := level + 1; ; least-- {
		var best *choice
		for _, n := range nodes {
			if s.claimOn(n) == nil && s.depth(n, level) >= least {
				best = s.bestOn(n, best)
			}
		}
		if best != nil || least <= 0 {
			return best
		}
	}
}

// mayTakeVictims reports whether neither a reservation nor what a gang accumulates keeps the ask from having victims on the node.
func (p *partition) mayTakeVictims(n *node, k *ask) bool {
	return p.mayTakeRoom(n, k) && !p.view.keepsFrom(n)
}

// needsNoVictims reports whether the ask will fit the node without victims, once leaving allocations have left and the ask that claims the
// node, if any, is allocated.
func (s *search) needsNoVictims(n *node) bool {
	room := s.roomOnceLeft(n)
	for _, c := range s.claims {
		if c.node == n {
			room.sub(c.ask.resources)
		}
	}
	return covers(room, s.ask) && s.fitOnceLeft(n, nil, append(claimedOn(n, s.claims), s.ask)...) && s.withinEveryMax(nil)
}

// withinEveryMax reports whether every max on the ask's path holds once the victims are replaced by the ask.
func (s *search) withinEveryMax(victims []*victim) bool {
	for _, q := range s.way {
		held := s.view.in(q, everyone)
		for _, need := range s.ask.resources {
			limit, set := q.settings.Max.Value(need.Type)
			if q.parent == nil {
				limit, set = s.total[need.Type], true
			}
			if need.Value > 0 && set && resource.Add(resource.Add(s.laterWithout(q, need.Type, victims), held[need.Type]), need.Value) > limit {
				return false
			}
		}
	}
	return true
}

// laterWithout returns the queue's future usage of a type without the victims.
func (s *search) laterWithout(q *queue, typ string, victims []*victim) int64 {
	return resource.Sub(s.queues[q].later[typ], taken(q, typ, victims))
}

// taken returns how much of a type the victims use in the queue.
func taken(q *queue, typ string, victims []*victim) int64 {
	var sum int64
	for _, v := range victims {
		if q.holds(v.app.queue) {
			sum = resource.Add(sum, valueOf(v.resources, typ))
		}
	}
	return sum
}
