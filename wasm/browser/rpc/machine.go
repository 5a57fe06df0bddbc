package rpc

import (
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
)

// machine is a scheduler that its caller drives by hand.
type machine struct {
	*scheduler.Scheduler
	started bool
	closed  bool
	form    journal.Form // of its decisions
}

func unknown(id int) *Error {
	return &Error{Code: UnknownSession, Key: "id", Message: fmt.Sprintf("id: expected that of a machine or a session, found %d", id)}
}

func isClosed(id int) *Error {
	return &Error{Code: Internal, Message: fmt.Sprintf("%d is closed, since something went wrong in it before", id)}
}

// driven returns a machine that may be changed.
func (server *Server) driven(id int) (*machine, error) {
	m := server.machines[id]
	switch {
	case m == nil:
		return nil, &Error{Code: UnknownSession, Key: "id", Message: fmt.Sprintf("id: expected that of a machine, found %d", id)}
	case m.closed:
		return nil, isClosed(id)
	}
	return m, nil
}

func (server *Server) machineNew(*plainHead, []byte) (*idAnswer, []byte, error) {
	id := server.number()
	server.machines[id] = &machine{Scheduler: scheduler.New(server.options())}
	return &idAnswer{id}, nil, nil
}

func (server *Server) machineRestore(_ *plainHead, body []byte) (*idAnswer, []byte, error) {
	s, err := scheduler.Restore(body, server.options())
	if err != nil {
		return nil, nil, &Error{Code: BadSnapshot, Message: err.Error()}
	}
	id := server.number()
	server.machines[id] = &machine{Scheduler: s, started: true}
	return &idAnswer{id}, nil, nil
}

// driveHead is the head of what changes a machine. With Take the decisions that were made come along as the body.
type driveHead struct {
	Op    string
	ID    int
	To    time.Duration // advance
	Limit *int          // cycle: of allocations; none: no limit
	Take  bool
}

// machineAnswer is where a machine stands. A Deadline of null: nothing is to come.
type machineAnswer struct {
	Now      time.Duration
	Deadline *time.Duration
	Made     int // allocations
	// Refused has, for each input that was applied, the reason for which it was refused; empty if it was accepted.
	Refused []core.Reason `json:",omitempty"`
}

func (server *Server) stand(m *machine, made int, take bool) (*machineAnswer, []byte, error) {
	a := &machineAnswer{Now: m.Now(), Made: made}
	if at, ok := m.Deadline(); ok {
		a.Deadline = &at
	}
	if !take {
		return a, nil, nil
	}
	body, err := server.lines.in(m.form).decisions(m.Take())
	return a, body, err
}

func (server *Server) machineAdvance(h *driveHead, _ []byte) (*machineAnswer, []byte, error) {
	m, err := server.driven(h.ID)
	if err != nil {
		return nil, nil, err
	}
	at, waits := m.Deadline()
	switch {
	case h.To < -latest || h.To > latest:
		return nil, nil, badTime("to: expected a time within 291 years, found %d", h.To)
	case m.started && h.To < m.Now():
		return nil, nil, badTime("to: expected a time not before %d, found %d", m.Now(), h.To)
	case waits && h.To > at:
		return nil, nil, badTime("to: expected a time up to the deadline %d, found %d", at, h.To)
	}
	m.started = true
	m.Advance(h.To)
	return server.stand(m, 0, h.Take)
}

// running returns a machine whose clock was set.
func (server *Server) running(id int) (*machine, error) {
	m, err := server.driven(id)
	if err == nil && !m.started {
		return nil, badTime("the clock was not set yet: machine.advance comes first")
	}
	return m, err
}

func (server *Server) machineApply(h *driveHead, body []byte) (*machineAnswer, []byte, error) {
	m, err := server.running(h.ID)
	if err != nil {
		return nil, nil, err
	}
	lines, err := decoded(body, m.DeviceTypes())
	if err != nil {
		return nil, nil, err
	}
	if h := lines.header; h.HasGrace || h.HasUntil || h.Idle || h.HasEnd {
		return nil, nil, &Error{Code: BadJournal, Line: h.Line, Message: fmt.Sprintf("line %d: expected a first line without grace, until and end, since the caller drives the machine", h.Line)}
	}
	for i := range lines.entries {
		switch e := &lines.entries[i]; {
		case e.Input.At != m.Now():
			return nil, nil, &Error{Code: BadTime, Line: e.Line, Key: "at", Message: fmt.Sprintf("line %d: at: expected the machine's time of %d ns, found %d", e.Line, m.Now(), e.Input.At)}
		case e.HasRun || e.Numbered:
			return nil, nil, &Error{Code: BadJournal, Line: e.Line, Message: fmt.Sprintf("line %d: expected one input without run and count", e.Line)}
		}
	}
	if m.form == journal.UnknownForm {
		m.form = lines.form
	}
	refused := make([]core.Reason, len(lines.entries))
	for i := range lines.entries {
		refused[i] = m.Apply(&lines.entries[i].Input)
	}
	a, out, err := server.stand(m, 0, h.Take)
	a.Refused = refused
	return a, out, err
}

func (server *Server) machineCycle(h *driveHead, _ []byte) (*machineAnswer, []byte, error) {
	m, err := server.running(h.ID)
	if err != nil {
		return nil, nil, err
	}
	limit := -1
	if h.Limit != nil {
		limit = *h.Limit
	}
	return server.stand(m, m.Cycle(limit), h.Take)
}

func (server *Server) machineTake(h *driveHead, _ []byte) (*machineAnswer, []byte, error) {
	m, err := server.driven(h.ID)
	if err != nil {
		return nil, nil, err
	}
	return server.stand(m, 0, true)
}
