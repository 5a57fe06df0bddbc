package schedule

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/hold"
)

// grantedNodes lists the nodes that are held in some way and that trying may take.
func (s *Walk) grantedNodes(held func(hold.State) bool) (list []int32) {
	for n := range s.state.Nodes().Sorted().All {
		if held(s.state.Nodes().Hold(n)) && s.grants(n) {
			list = append(list, n)
		}
	}
	return list
}

// endBarredByWindows ends the claims and reservations, and lets go of the room, of asks that windows no longer let be placed where they are held:
// a window has opened or come, or so much time has passed that they would not end before one.
func (s *Walk) endBarredByWindows() {
	for _, c := range slices.Collect(s.state.Claims().All()) {
		if ask := s.state.AskAt(c.Ask); ask.Hold().IsClaimed() && !s.state.MayBeOn(ask, c.Node) { // others have ended with their gang's
			s.state.LapseClaim(ask, core.ReasonWindow)
		}
	}
	for _, r := range slices.Collect(s.state.Reservations().All()) {
		if ask := s.state.AskAt(r.Ask); !s.state.MayBeOn(ask, r.Node) {
			s.state.Unreserve(ask, core.ReasonWindow)
		}
	}
	s.state.LetGoBarred()
	s.Sync()
}
