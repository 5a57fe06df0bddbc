package inspect

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// PlannedAsks returns the planned starts of all partitions: by partition, then by start, then by ID.
func PlannedAsks(views []*View) (list []core.PlannedAsk) {
	for _, s := range views {
		first := len(list)
		for p := range s.Plans().All {
			if p.Lost {
				continue
			}
			ask := s.AskAt(p.Ask)
			d := core.PlannedAsk{ID: ask.ID(), Node: s.Nodes().ID(p.Node), Start: p.Start}
			if end, _ := s.PromiseOn(ask, p.Node, max(p.Start, s.Now())); end != instant.Never {
				d.Ends = &end
			}
			list = append(list, d)
		}
		slices.SortFunc(list[first:], func(a, b core.PlannedAsk) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.ID, b.ID)) })
	}
	return list
}
