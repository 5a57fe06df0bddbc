package oracle

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core/resource"
)

// search is one ask that looks for victims. What the rules ask of the cluster is summed once, as it stands when the
// search begins.
type search struct {
	*partition
	ask    *ask
	way    []*queue // from the ask's leaf to root
	queues map[*queue]standing
	total  amounts
}

// standing is a queue's usage as the laws look at it.
type standing struct {
	used    amounts // victims that still leave included
	leaving amounts
	claimed amounts // what claims in the subtree wait for
	later   amounts // once the victims are gone and the claims have landed
}

func (p *partition) newSearch(k *ask) *search {
	s := &search{partition: p, ask: k, way: k.app.queue.chain(), queues: map[*queue]standing{}, total: p.total()}
	for _, q := range p.root.subtree() {
		s.queues[q] = standing{
			used: p.used(q), leaving: p.leaving(q), claimed: demands(q, p.claims), later: p.willUse(q),
		}
	}
	return s
}

// lookForVictims gives the least harmful choice of victims for the ask; nil when there is none, or when it need only
// wait for a node to become free.
func (p *partition) lookForVictims(k *ask) *choice {
	s := p.newSearch(k)
	nodes := slices.DeleteFunc(slices.Clone(p.nodes), func(n *node) bool { return !n.admits(k) || !p.mayTakeRoom(n, k) })
	slices.SortFunc(nodes, func(a, b *node) int { return strings.Compare(a.id, b.id) })
	for _, n := range nodes {
		if s.needsNobody(n) {
			return nil
		}
	}
	var best *choice
	for _, n := range nodes {
		if p.claimOn(n) == nil {
			best = s.bestOn(n, best)
		}
	}
	return best
}

// needsNobody reports whether the ask will fit the node without victims of its own: once those that leave have left
// and the ask that the node is kept for, if any, has landed.
func (s *search) needsNobody(n *node) bool {
	room := s.roomOnceLeft(n)
	for _, c := range s.claims {
		if c.node == n {
			room.sub(c.ask.resources)
		}
	}
	return covers(room, s.ask) && s.withinEveryMax(nil)
}

// withinEveryMax reports whether every max on the ask's way holds after the exchange.
func (s *search) withinEveryMax(victims []*victim) bool {
	for _, q := range s.way {
		for _, need := range s.ask.resources {
			limit, set := q.settings.Max.Value(need.Type)
			if q.parent == nil {
				limit, set = s.total[need.Type], true
			}
			if need.Value > 0 && set && resource.Add(s.laterWithout(q, need.Type, victims), need.Value) > limit {
				return false
			}
		}
	}
	return true
}

// laterWithout is what the queue will use of a type with the victims gone too.
func (s *search) laterWithout(q *queue, typ string, victims []*victim) int64 {
	return resource.Sub(s.queues[q].later[typ], taken(q, typ, victims))
}

// taken is how much of a type the victims use inside the queue.
func taken(q *queue, typ string, victims []*victim) int64 {
	var sum int64
	for _, v := range victims {
		if q.holds(v.app.queue) {
			sum = resource.Add(sum, valueOf(v.resources, typ))
		}
	}
	return sum
}
