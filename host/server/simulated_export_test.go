package server

import (
	"strings"

	"github.com/quern-project/quern/core"
)

// exports holds replays of exports against the record: of all that is kept, and of what follows a decision in the middle. Predicates and
// policies that are no functions answer from the journal alone.
func (s *simulatedServer) exports() {
	last, kept := s.record.End().Decision, decisionsIn(s.T, s.record)
	if len(kept) == 0 {
		return
	}
	first := SeqOf(kept)
	for _, from := range []Begin{{}, {Decision: first + (last-first)*9/10}} {
		var out strings.Builder
		x, err := Export(s.record, func() (Policies, error) { return s.policy.of(false), nil }, from, &out)
		if err != nil {
			s.Fatalf("the export from %v: %v", from, err)
		}
		again := decisionsOf(s.T, out.String(), core.Options{SearchSteps: s.policy.steps})
		want, found := moves(x.State, kept, s.T), moves(x.State, again, s.T)
		for i := range want {
			if i >= len(found) || want[i] != found[i] {
				s.Fatalf("the export from %v: after %d of %d decisions, expected\n%s\nfound\n%s", from, i, len(want), want[i], strings.Join(found[min(i, len(found)):min(i+1, len(found))], ""))
			}
		}
		s.count["exports"]++
		if !x.Whole {
			s.count["exports that begin with a state"]++
		}
	}
}
