package rpc

import (
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
)

// session is a scheduler with a journal, a clock of its own, the log of its decisions, and marks to go back to.
// It does what journal.Replay makes of its journal, in pieces, and never anything else.
//
// Times of requests and answers count from the base; those in here are the journal's.
type session struct {
	scheduler *scheduler.Scheduler
	player    *journal.Player
	inputs    inputs
	base      time.Duration // what the caller calls 0: with relative times 0, else the first instant
	clock     time.Duration // now; the machine's own may be behind while nothing happens
	log       decisionLog
	marks     marks
	grace     time.Duration
	given     bool           // the caller said the grace: the journal has no say in it
	said      journal.Header // by the first line of what was fed first
	closed    bool
	figures   *figures // nil: it does not measure

	server  *Server
	heard   []byte // what happened in the last run, as lines; its memory is used again
	mute    bool   // its output is not read
	failure error  // of writing
}

type sessionNewHead struct {
	Op              string
	Grace           *time.Duration // how long a victim takes to leave; none: as the first line of the journal that is fed first says, else 0
	CheckpointEvery int            // inputs and decisions between two marks, at least; default 1000
	Figures         bool           // measure the run, for session.figures
}

func (server *Server) sessionNew(h *sessionNewHead, _ []byte) (*idAnswer, []byte, error) {
	switch {
	case h.Grace != nil && (*h.Grace < 0 || *h.Grace > latest):
		return nil, nil, badKey("grace", "nanoseconds from 0", *h.Grace)
	case h.CheckpointEvery < 0:
		return nil, nil, badKey("checkpointEvery", "a number of inputs and decisions", h.CheckpointEvery)
	}
	id := server.number()
	s := &session{server: server, marks: marks{every: h.CheckpointEvery}}
	if h.Grace != nil {
		s.grace, s.given = *h.Grace, true
	}
	if s.marks.every == 0 {
		s.marks.every = defaultEvery
	}
	if h.Figures {
		s.figures = &figures{}
	}
	s.begin()
	server.sessions[id] = s
	return &idAnswer{id}, nil, nil
}

// begin sets the session to its start, with its journal untouched.
func (s *session) begin() {
	s.scheduler = scheduler.New(s.server.options())
	s.inputs.next = 0
	s.player = journal.NewPlayer(s.scheduler, &s.inputs, s.options())
	s.clock = s.base
	s.log.back(0, 0)
	if s.figures != nil {
		s.figures = &figures{}
	}
}

// options have the player tell what happens.
func (s *session) options() journal.Options {
	return journal.Options{Grace: s.grace, Inputs: s.hearInput, Decisions: s.hearDecisions}
}

// hearInput tells of an input as a line of the journal. Of one that was refused the line has the reason as well.
func (s *session) hearInput(e *journal.Entry, refused core.Reason) {
	if s.figures != nil {
		books := s.figures.at(e.Input.At, s.base)
		books.Applied(&e.Input, refused, nil)
		if part, ok := e.Input.Event.(*core.SetState); ok && refused == core.Accepted && part.Last() {
			books.Resumed(s.scheduler.Read(core.OfApplications).Applications)
		}
	}
	if s.mute {
		return
	}
	line, err := s.server.lines.in(s.inputs.form).entry(e)
	if refused != core.Accepted && err == nil {
		line = append(line[:len(line)-len("}\n")], `,"refused":"`+string(refused)+"\"}\n"...)
	}
	s.heard = append(s.heard, line...)
	s.fail(err)
}

func (s *session) hearDecisions(list []core.Decision) {
	if s.figures != nil {
		s.figures.at(list[0].At, s.base).Decided(list)
	}
	if s.log.knows(list[len(list)-1].Seq) && s.mute {
		s.log.skip(len(list))
		return
	}
	text, err := s.server.lines.in(s.inputs.form).decisions(list)
	if !s.mute {
		s.heard = append(s.heard, text...)
	}
	s.log.add(text, len(list))
	s.fail(err)
}

func (s *session) fail(err error) {
	if s.failure == nil {
		s.failure = err
	}
}

// open returns a session that may be changed.
func (server *Server) open(id int) (*session, error) {
	s := server.sessions[id]
	switch {
	case s == nil:
		return nil, &Error{Code: UnknownSession, Key: "id", Message: fmt.Sprintf("id: expected that of a session, found %d", id)}
	case s.closed:
		return nil, isClosed(id)
	}
	return s, nil
}
