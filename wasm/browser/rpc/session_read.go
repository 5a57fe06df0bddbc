package rpc

import (
	"bytes"
	"time"

	"github.com/quern-project/quern/core/journal"
)

type statusAnswer struct {
	Now         time.Duration  // ns of the session
	Earliest    time.Duration  // the first time at which a fed input is still applied
	Start       string         // what the journal calls 0; empty: its times are relative
	Next        *time.Duration `json:",omitempty"` // when something happens next
	Midway      bool           // an instant is under way: now
	Idle        bool           // nothing is to come that is worth waiting for
	Seq         uint64         // of the last decision
	Applied     int            // inputs, asks of a count one by one
	Entries     int            // inputs of the journal, applied or not
	Lines       int            // of the journal
	Checkpoints int
	Closed      bool           // something went wrong: it can be read, but not changed
	Grace       time.Duration  // how long a victim takes to leave
	Ends        *time.Duration `json:",omitempty"` // where the journal that was fed first says that its replay ends
	EndsIdle    bool           // it says: when nothing is worth waiting for
	Header      string         // the journal's first line, as session.journal writes it now
	Done        bool           // run: what was wanted is reached, or nothing more is to come
	Hash        string         `json:",omitempty"` // session.status: sha256 of the decisions' bytes up to Seq
}

func (server *Server) sessionStatus(h *idHead, _ []byte) (*statusAnswer, []byte, error) {
	s := server.sessions[h.ID]
	if s == nil {
		return nil, nil, unknown(h.ID)
	}
	a := s.status()
	a.Hash = s.log.hash()
	return a, nil, nil
}

func (s *session) status() *statusAnswer {
	a := &statusAnswer{
		Now: s.clock - s.base, Earliest: s.earliest() - s.base, Seq: s.log.seq, Applied: s.player.Result().Inputs, Entries: s.inputs.inputs, Lines: len(s.inputs.list),
		Checkpoints: len(s.marks.list), Closed: s.closed, Grace: s.grace, Header: s.headerLine(),
	}
	a.Ends, a.EndsIdle = s.ends()
	if s.inputs.form == journal.Absolute {
		a.Start = time.Unix(0, int64(s.base)).UTC().Format(time.RFC3339Nano)
	}
	if s.closed {
		return a
	}
	a.Midway, a.Idle = !s.player.Over(), s.player.Idle()
	if at, ok, err := s.player.Next(); ok && err == nil {
		at -= s.base
		a.Next = &at
	}
	return a
}

type pieceHead struct {
	Op, What string
	ID       int
	Offset   int // lines of the journal, or decisions
	Most     int // bytes, about; default 1 MiB
}

type pieceAnswer struct {
	Next int // the offset of the next piece
	Done bool
}

// sessionJournal writes a piece of the journal, or of the log of decisions up to now.
func (server *Server) sessionJournal(h *pieceHead, _ []byte) (*pieceAnswer, []byte, error) {
	s := server.sessions[h.ID]
	switch {
	case s == nil:
		return nil, nil, unknown(h.ID)
	case h.Offset < 0:
		return nil, nil, badKey("offset", "a line, from 0", h.Offset)
	case h.Most < 0:
		return nil, nil, badKey("most", "a number of bytes", h.Most)
	}
	most := h.Most
	if most == 0 {
		most = 1 << 20
	}
	switch h.What {
	case "journal":
		return s.journalPiece(h.Offset, min(most, maxRequest))
	case "decisions":
		text, n := s.log.read(uint64(h.Offset)+1, 1<<62, most)
		return &pieceAnswer{h.Offset + n, uint64(h.Offset+n) >= s.log.seq}, text, nil
	}
	return nil, nil, badKey("what", "journal or decisions", h.What)
}

func (s *session) journalPiece(offset, most int) (*pieceAnswer, []byte, error) {
	var out bytes.Buffer
	w := s.server.lines.in(s.inputs.form)
	if offset == 0 {
		line, err := w.header(s.header())
		if err != nil {
			return nil, nil, err
		}
		out.Write(line)
	}
	for ; offset < len(s.inputs.list) && out.Len() < most; offset++ {
		line, err := w.entry(s.inputs.list[offset])
		if err != nil {
			return nil, nil, err
		}
		out.Write(line)
	}
	return &pieceAnswer{offset, offset >= len(s.inputs.list)}, out.Bytes(), nil
}

type decisionsHead struct {
	Op   string
	ID   int
	From uint64 // seq
	Most int    // at most 10000, the default
}

func (server *Server) sessionDecisions(h *decisionsHead, _ []byte) (*pieceAnswer, []byte, error) {
	const most = 10_000
	s := server.sessions[h.ID]
	switch {
	case s == nil:
		return nil, nil, unknown(h.ID)
	case h.Most < 0 || h.Most > most:
		return nil, nil, badKey("most", "1 to 10000", h.Most)
	case h.Most == 0:
		h.Most = most
	}
	text, n := s.log.read(max(h.From, 1), h.Most, maxRequest)
	next := int(max(h.From, 1)) + n
	return &pieceAnswer{next, uint64(next) > s.log.seq}, text, nil
}
