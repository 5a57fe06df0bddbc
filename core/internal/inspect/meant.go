package inspect

import (
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/nearest"
)

// mostCompared bounds the number of ask IDs in a search for similar names, since there may be millions.
const mostCompared = 20_000

// LikeAsk adds the IDs of asks and allocations, at most mostCompared, to a search for similar names.
func (s *View) LikeAsk(search *nearest.Search) {
	left := mostCompared
	s.Asks().All(func(ask app.Ask) bool {
		search.Add(ask.ID())
		left--
		return left > 0
	})
}

// LikeApp adds the IDs of live applications to a search for similar names.
func (s *View) LikeApp(search *nearest.Search) {
	for a := range s.Asks().Apps {
		search.Add(a.ID())
	}
}

// LikeQueue adds the paths of queues to a search for similar names.
func (s *View) LikeQueue(search *nearest.Search) {
	for q := range s.Queues().All {
		search.Add(s.Queues().Shown(q))
	}
}

// LikeNode adds the IDs of nodes to a search for similar names.
func (s *View) LikeNode(search *nearest.Search) {
	for n := range s.Nodes().Sorted().All {
		search.Add(s.Nodes().ID(n))
	}
}

// LikeWindow adds the IDs of windows to a search for similar names.
func (s *View) LikeWindow(search *nearest.Search) {
	for i := range s.Windows().Len() {
		search.Add(s.Windows().At(i).ID())
	}
}
