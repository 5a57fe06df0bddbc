package inspect

import (
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/nearest"
)

// mostCompared bounds the number of ask IDs compared, since there may be millions.
const mostCompared = 20_000

// LikeAsk compares the IDs of asks and allocations with the searched one.
func (s *View) LikeAsk(search *nearest.Search) {
	left := mostCompared
	s.Asks.All(func(ask *app.Ask) bool {
		search.Look(ask.ID)
		left--
		return left > 0
	})
}

// LikeApp compares the IDs of live applications with the searched one.
func (s *View) LikeApp(search *nearest.Search) {
	for id := range s.Apps {
		search.Look(id)
	}
}

// LikeQueue compares the paths of queues with the searched one.
func (s *View) LikeQueue(search *nearest.Search) {
	for _, q := range s.ByPath {
		search.Look(q.Shown)
	}
}

// LikeNode compares the IDs of nodes with the searched one.
func (s *View) LikeNode(search *nearest.Search) {
	for _, n := range s.Nodes.Sorted() {
		search.Look(n.ID)
	}
}
