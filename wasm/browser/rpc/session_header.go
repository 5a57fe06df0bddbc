package rpc

import (
	"fmt"
	"strings"
	"time"

	"github.com/quern-project/quern/core/journal"
)

// writable bounds the times that a journal may hold. Nothing happens later.
const writable = 290 * 365 * 24 * time.Hour

// agree checks the first line of a text that is fed to a session which has a journal already: one grace is for all of it.
func (s *session) agree(h *journal.Header) error {
	if len(s.inputs.list) == 0 || s.given || !h.HasGrace || h.Grace == s.grace {
		return nil
	}
	expected := s.grace.String() + " as in the journal that is there"
	return &Error{Code: BadJournal, Line: h.Line, Key: "grace", Expected: expected, Found: h.Grace.String(),
		Message: fmt.Sprintf("line %d: grace: expected %s, found %v", h.Line, expected, h.Grace)}
}

// follow has the first line of the text that is fed first say what the caller left open.
func (s *session) follow(h journal.Header) {
	if len(s.inputs.list) > 0 || h.Line == 0 {
		return
	}
	s.said = h
	if !s.given && h.HasGrace {
		s.grace = min(h.Grace, latest)
		s.player = journal.NewPlayer(s.scheduler, &s.inputs, s.options())
	}
}

// ends is where the journal that was fed first says that its replay ends, in the session's time; idle: when nothing is
// worth waiting for.
func (s *session) ends() (at *time.Duration, idle bool) {
	var o journal.Options
	if len(s.inputs.list) == 0 || o.Follow(s.said) != nil {
		return nil, false
	}
	to := o.Until
	if !o.HasUntil {
		last := s.inputs.list[len(s.inputs.list)-1].Input.At
		to = max(o.End, last)
	}
	if o.Idle || !o.HasUntil && !o.HasEnd {
		return nil, o.Idle
	}
	to = min(max(to-s.base, 0), latest-max(s.base, 0))
	return &to, false
}

// header is what the first line of the journal says now, so that its replay decides what the session has decided: it ends at
// the present, and where inputs are ahead it does not go on to them.
func (s *session) header() journal.Header {
	h := journal.Header{Grace: s.grace, HasGrace: s.grace > 0}
	now := max(min(s.clock, writable), -writable)
	switch {
	case len(s.inputs.list) == 0:
	case s.closed || s.player.Result().Inputs < s.inputs.inputs:
		h.Until, h.HasUntil = now, true
	default:
		h.End, h.HasEnd = now, true
	}
	return h
}

// headerLine is that line, without its end.
func (s *session) headerLine() string {
	text, err := s.server.lines.in(s.inputs.form).header(s.header())
	if err != nil {
		panic(err) // our bug: it is written to memory
	}
	return strings.TrimSuffix(string(text), "\n")
}
