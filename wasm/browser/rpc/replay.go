package rpc

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
)

// replayHead plays a whole journal at once.
type replayHead struct {
	Op        string
	Grace     *time.Duration // none: as the journal's first line says, else 0
	Until     *time.Duration // ns since the first instant; without any of these three as the journal's first line says
	Idle      bool
	Last      bool   // to the last input
	Config    string // in place of the journal's start: applied before its first input
	Format    string
	Decisions bool // send them
}

// replayAnswer is the result of a replay.
type replayAnswer struct {
	Inputs, Decisions, Allocations, Ended int
	Start, End                            time.Duration // as the journal counts
	SHA256                                string        // of the lines of all decisions
}

// options are those of the journal's replay.
func (h *replayHead) options(form journal.Form, start time.Duration) (journal.Options, error) {
	o := journal.Options{Idle: h.Idle, Last: h.Last}
	if h.Grace != nil {
		o.Grace, o.HasGrace = *h.Grace, true
	}
	if o.Grace < 0 || o.Grace > latest {
		return o, badKey("grace", "nanoseconds from 0", o.Grace)
	}
	if h.Until != nil {
		o.HasUntil, o.Until = true, *h.Until
		if form == journal.Absolute {
			o.Until = instant.Add(o.Until, start)
		}
		if *h.Until < 0 || *h.Until > latest || o.Until > latest {
			return o, badTime("until: expected nanoseconds from 0, found %d", *h.Until)
		}
	}
	return o, nil
}

// source yields entries that were read before.
type source struct{ rest []journal.Entry }

// Next implements journal.Source.
func (s *source) Next() (*journal.Entry, error) {
	if len(s.rest) == 0 {
		return nil, io.EOF
	}
	e := &s.rest[0]
	s.rest = s.rest[1:]
	return e, nil
}

func (server *Server) replay(h *replayHead, body []byte) (*replayAnswer, []byte, error) {
	lines, err := decoded(body, config.DeviceTypesIn([]byte(h.Config), config.Format(h.Format)))
	if err != nil {
		return nil, nil, err
	}
	var start time.Duration
	if len(lines.entries) > 0 {
		start = lines.entries[0].Input.At
	}
	o, err := h.options(lines.form, start)
	if err == nil {
		err = o.Follow(lines.header)
	}
	if err != nil {
		return nil, nil, err
	}
	if h.Config != "" {
		o.Config = &core.SetConfig{Config: h.Config, Format: h.Format}
	}
	var out []byte
	var failed error
	sum, w := sha256.New(), server.lines.in(lines.form)
	o.Decisions = func(list []core.Decision) {
		text, err := w.decisions(list)
		if err != nil {
			failed = err
		}
		_, _ = sum.Write(text) // never fails
		if h.Decisions {
			out = append(out, text...)
		}
	}
	r, err := journal.Replay(scheduler.New(server.options()), &source{lines.entries}, o)
	if failed != nil {
		panic(failed) // our bug: what was decided cannot be written
	}
	if err != nil {
		return nil, nil, err
	}
	return &replayAnswer{r.Inputs, r.Decisions, r.Allocations, r.Ended, r.Start, r.End, hex.EncodeToString(sum.Sum(nil))}, out, nil
}
