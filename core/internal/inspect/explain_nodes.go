package inspect

import (
	"slices"
	"sort"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
)

// candidate is a node with its score for an ask.
type candidate struct {
	explain.Candidate
	score int64
}

// explainNodes fills in the nodes that come first for a pending ask, the asks that other nodes are reserved or claimed for, and the
// attribute values that the ask does not find on nodes.
func (s *View) explainNodes(ask app.Ask, e *explain.AskExplanation) {
	c := ask.Class()
	scores := s.Nodes().Scores(c)
	var list []candidate
	for n := range s.Nodes().Sorted().All {
		reason, detail := s.failsOn(ask, n)
		switch reason {
		case explain.NodeNotRequired:
			continue
		case explain.NodeReserved, explain.NodeClaimed:
			e.Holders = s.addHolder(e.Holders, n, reason == explain.NodeClaimed)
		case explain.NodePlanned:
			e.Holders = s.addPlanned(e.Holders, ask, n)
		}
		score, known := scores.Of(n)
		list = addCandidate(list, candidate{score: score, Candidate: explain.Candidate{
			Node: s.Nodes().ID(n), Fits: reason == "", Reason: reason, Detail: detail, Score: scores.Value(score), Unscored: !known,
		}})
	}
	for i := range list {
		e.Candidates = append(e.Candidates, list[i].Candidate)
	}
	e.NodePolicy, e.Mismatches = scores.Policy(), s.mismatches(c)
}

// addCandidate inserts a node into a list in order of score, and by ID among equal scores, since nodes are added by ID. It keeps the
// first MostCandidates nodes that take the ask, and as many of those that do not and come before the best of these.
func addCandidate(list []candidate, c candidate) []candidate {
	at := len(list)
	for at > 0 && list[at-1].score < c.score {
		at--
	}
	list = slices.Insert(list, at, c)
	var counts [2]int
	taken := false
	return slices.DeleteFunc(list, func(c candidate) bool {
		which := 0
		if c.Fits {
			which, taken = 1, true
		} else if taken {
			return true
		}
		counts[which]++
		return counts[which] > explain.MostCandidates
	})
}

// addHolder adds the ask that a node is reserved or claimed for.
func (s *View) addHolder(list []explain.Holder, n int32, claimed bool) []explain.Holder {
	if len(list) == explain.MostHolders {
		return list
	}
	h := explain.Holder{Node: s.Nodes().ID(n), Claimed: claimed}
	var slot app.Slot
	if claimed {
		c, _ := s.Claims().First(n)
		slot = c.Ask
	} else if r, reserved := s.Reservations().On(n); reserved {
		slot, h.Until = r.Ask, r.ExpiresAt
	} else {
		x := s.Accumulation()
		for p := range x.Held().All {
			if p.Node == n {
				slot, h.Until = p.Ask.Slot(), x.Until
				break
			}
		}
	}
	ask := s.AskAt(slot)
	h.Ask, h.App, h.Queue = ask.ID(), ask.App().ID(), s.Queues().Shown(s.QueueOf(ask))
	return append(list, h)
}

// addPlanned adds the planned asks whose room on a node an ask would take.
func (s *View) addPlanned(list []explain.Holder, ask app.Ask, n int32) []explain.Holder {
	for _, other := range s.walk.PlansFrom(n, s.walk.RoomUntil(ask, n)) {
		p, _ := s.Plans().Of(other.Slot())
		if len(list) == explain.MostHolders {
			break
		}
		if other != ask {
			list = append(list, explain.Holder{Node: s.Nodes().ID(n), Ask: other.ID(), App: other.App().ID(), Queue: s.Queues().Shown(s.QueueOf(other)), From: &p.Start, When: s.moment(p.Start)})
		}
	}
	return list
}

// mismatches lists the attributes for which some nodes have no allowed value. If the class requires a node, only that node counts.
func (s *View) mismatches(c class.Class) (list []explain.Mismatch) {
	for wanted := range c.Constraints().All {
		m := explain.Mismatch{Attribute: wanted.Attribute, Wanted: wanted.Values.Clone()}
		present := map[string]int{}
		for n := range s.Nodes().Sorted().All {
			value, has := s.Nodes().Attribute(n, wanted.Attribute)
			if wanted.ByID {
				m.Attribute, value, has = "node", s.Nodes().ID(n), true
			}
			if c.Node() != "" && c.Node() != s.Nodes().ID(n) || has && wanted.Allows(value) {
				continue
			}
			if m.Nodes++; has {
				present[value]++
			} else {
				m.Without++
			}
		}
		if m.Nodes > 0 {
			m.Present = mostPresent(present)
			list = append(list, m)
		}
	}
	return list
}

// mostPresent lists the most frequent values, in descending order of frequency.
func mostPresent(counts map[string]int) (list []explain.ValuePresent) {
	for value, n := range counts {
		list = append(list, explain.ValuePresent{Value: value, Nodes: n})
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		return a.Nodes > b.Nodes || a.Nodes == b.Nodes && a.Value < b.Value
	})
	return list[:min(len(list), explain.MostValues)]
}
