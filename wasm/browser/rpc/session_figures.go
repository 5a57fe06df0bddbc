package rpc

import (
	"time"

	"github.com/quern-project/quern/core/ledger"
)

// figures are the books of a session from its start, and what is measured of them.
type figures struct {
	books   *ledger.Ledger
	metrics *ledger.Metrics
}

// at returns the books of a moment. They are opened at the first, when the session knows its base.
func (f *figures) at(now, base time.Duration) *ledger.Ledger {
	if f.books == nil {
		f.books = ledger.New()
		f.metrics = ledger.Measure(f.books, base)
	}
	f.books.Advance(now)
	return f.books
}

// figuresAnswer is what the run came to up to the session's time.
type figuresAnswer ledger.Figures

func (server *Server) sessionFigures(h *idHead, _ []byte) (*figuresAnswer, []byte, error) {
	s, err := server.open(h.ID)
	if err != nil {
		return nil, nil, err
	}
	if s.figures == nil {
		return nil, nil, badKey("id", "a session that was made with figures and went back to no checkpoint", h.ID)
	}
	s.figures.at(s.clock, s.base)
	a := figuresAnswer(s.figures.metrics.Figures(s.clock))
	return &a, nil, nil
}
