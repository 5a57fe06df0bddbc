package rpc

import (
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/journal"
)

// earliest is the first time at which inputs are still applied.
func (s *session) earliest() time.Duration {
	idle := s.player.Over() && s.player.Last() < s.clock
	if !s.player.Started() || s.player.Open() || idle {
		return s.clock
	}
	return instant.Add(s.clock, 1)
}

// deviceTypes returns the types of devices in force now, and those of each configuration that comes next.
func (s *session) deviceTypes() [][]string {
	types := [][]string{s.scheduler.DeviceTypes()}
	for _, e := range s.inputs.list[s.inputs.next:] {
		if set, ok := e.Input.Event.(*core.SetConfig); ok {
			types = append(types, config.DeviceTypesIn([]byte(set.Config), config.Format(set.Format)))
		}
	}
	return types
}

type feedAnswer struct {
	Positions []piece // of the lines in the journal
	Entries   int     // inputs of the journal, asks of a count one by one
	Total     int     // lines of the journal
	Header    string  // the journal's first line, as session.journal writes it now
}

// piece is a run of lines in the journal, from 0.
type piece struct{ From, Lines int }

func (server *Server) sessionFeed(h *idHead, body []byte) (*feedAnswer, []byte, error) {
	s, err := server.open(h.ID)
	if err != nil {
		return nil, nil, err
	}
	if s.inputs.size+len(body) > maxRequest {
		return nil, nil, &Error{Code: TooLarge, Message: fmt.Sprintf("journal: expected at most %d bytes, found %d", maxRequest, s.inputs.size+len(body))}
	}
	lines, err := decoded(body, s.deviceTypes()...)
	if err != nil {
		return nil, nil, err
	}
	if s.inputs.inputs+lines.inputs > maxInputs {
		return nil, nil, &Error{Code: TooLarge, Message: fmt.Sprintf("journal: expected at most %d inputs, found %d", maxInputs, s.inputs.inputs+lines.inputs)}
	}
	if err := s.agree(&lines.header); err != nil {
		return nil, nil, err
	}
	if len(lines.entries) > 0 {
		if err := s.accept(lines.entries, lines.form); err != nil {
			return nil, nil, err
		}
	}
	s.follow(lines.header)
	return &feedAnswer{s.insert(lines, len(body)), s.inputs.inputs, len(s.inputs.list), s.headerLine()}, nil, nil
}

// insert takes lines that were accepted, and says where they stand.
func (s *session) insert(lines *text, size int) []piece {
	if len(lines.entries) == 0 {
		return nil
	}
	positions := s.inputs.insert(lines.entries, lines.inputs, size, lines.form)
	s.marks.forgetAhead(s.work())
	s.log.cut()
	return positions
}

// accept checks lines against what the session has, and sets its clock when they are the first of all.
func (s *session) accept(entries []journal.Entry, form journal.Form) error {
	first := &entries[0]
	if s.inputs.form != journal.UnknownForm && form != s.inputs.form {
		return &Error{Code: BadJournal, Line: first.Line, Key: "at", Expected: s.inputs.form.String(), Found: form.String(),
			Message: fmt.Sprintf("line %d: at: expected %v as in the journal, found %v", first.Line, s.inputs.form, form)}
	}
	at := first.Input.At
	if form == journal.Absolute && !s.player.Started() && (s.inputs.form == journal.UnknownForm || s.clock == s.base && at < s.base) {
		waited := s.clock - s.base
		if at < waited-latest {
			return &Error{Code: BadTime, Line: first.Line, Key: "at",
				Message: fmt.Sprintf("line %d: at: expected a time that leaves room for the %v that have passed, found one more than 291 years before 1970", first.Line, waited)}
		}
		s.base, s.clock = at-waited, at
	}
	if earliest := s.earliest(); at < earliest {
		return &Error{Code: BadTime, Line: first.Line, Key: "at",
			Message: fmt.Sprintf("line %d: at: expected a time from %d ns of the session on, found %d", first.Line, earliest-s.base, at-s.base)}
	}
	return nil
}

func (server *Server) sessionTruncate(h *idHead, _ []byte) (*statusAnswer, []byte, error) {
	s, err := server.open(h.ID)
	if err != nil {
		return nil, nil, err
	}
	s.inputs.truncate(s.player.Given())
	if !s.player.Started() && len(s.inputs.list) == 0 {
		s.inputs.form, s.clock, s.base = journal.UnknownForm, s.clock-s.base, 0
	}
	s.marks.forgetAhead(s.work())
	s.log.cut()
	return s.status(), nil, nil
}
