package si

import "context"

// The view is a moment behind. What has gone may still be there for it, and is not to be taken for something that is known from before this
// process: until the view knows, its ID stands in gone.
type gone struct {
	batch uint64 // whose inputs ended it
	seq   uint64 // of the decision that says so, where there is one
}

// sweepAt is how many IDs are gone when those are dropped that the view knows of.
const sweepAt = 1_000

func (s *Service) note(kind, id string, g gone) {
	s.gone[kind+id] = g
	if len(s.gone) < s.sweepAt {
		return
	}
	for name, g := range s.gone {
		if s.seen(g) {
			delete(s.gone, name)
		}
	}
	s.sweepAt = sweepAt + 2*len(s.gone)
}

// seen reports whether the view knows that something has gone.
func (s *Service) seen(g gone) bool {
	ended, end := context.WithCancel(context.Background())
	end()
	v := s.server.View()
	return v.NextDecision() > g.seq && v.Await(ended, g.batch) == nil
}

// trusts reports whether what the view has under an ID is there.
func (s *Service) trusts(kind, id string) bool {
	g, ok := s.gone[kind+id]
	if ok && s.seen(g) {
		delete(s.gone, kind+id)
		return true
	}
	return !ok
}

// Kinds of what has gone.
const (
	kindNode = "node "
	kindApp  = "app "
	kindAsk  = "ask "
)
