package rpc

import (
	"time"

	"github.com/quern-project/quern/core/instant"
)

type sessionSeekHead struct {
	Op   string
	ID   int
	Seq  *uint64        // of a decision
	Time *time.Duration // of the session
	Most int            // decisions to make again at most; where that is not enough, done is false and the caller calls again
}

func (server *Server) sessionSeek(h *sessionSeekHead, _ []byte) (*statusAnswer, []byte, error) {
	s, err := server.open(h.ID)
	switch {
	case err != nil:
		return nil, nil, err
	case (h.Seq == nil) == (h.Time == nil):
		return nil, nil, badKey("seek", "one of seq and time", "both or none")
	case h.Most < 0 || h.Most > maxInputs:
		return nil, nil, badKey("most", "a number of decisions", h.Most)
	}
	if h.Time != nil {
		if err := s.checkTime(*h.Time); err != nil {
			return nil, nil, err
		}
	}
	s.mute = true
	var done bool
	if h.Seq != nil {
		done = newRun(s, h.Most).toSeq(*h.Seq)
	} else {
		to := instant.Add(s.base, *h.Time)
		s.jump(func(m *mark) bool { return m.clock <= to }, to >= s.clock)
		done = newRun(s, h.Most).toTime(to)
	}
	a := s.status()
	a.Done = done
	return a, nil, nil
}

// toSeq goes to the first place where a decision was made.
func (r *run) toSeq(seq uint64) bool {
	r.jump(func(m *mark) bool { return m.seq < seq }, seq > r.log.seq)
	r.single = true
	for r.log.seq < seq {
		if _, ok, _ := r.player.Next(); !ok {
			return true
		}
		if r.budget <= 0 {
			return false
		}
		r.step()
	}
	return true
}

// jump takes the session to the last mark that is before the goal, unless the present lies between the two.
func (s *session) jump(before func(*mark) bool, ahead bool) {
	m := s.marks.before(before)
	if ahead && (m == nil || m.work <= s.work()) {
		return
	}
	s.resume(m)
}
