package importing

import (
	"errors"
	"io"
	"maps"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/journal"
)

// Layout says how a journal is written.
type Layout struct {
	Dates  bool   // times are dates; otherwise they are durations since the first job
	Config string // the configuration that the journal begins with; empty: none
	Idle   bool   // a replay goes on until nothing is left to happen
}

// Write writes the journal. It is called once, after everything was taken.
func (s *Sink) Write(w io.Writer, l Layout) error {
	out := &writer{sink: s, form: journal.Relative, origin: s.jobs.first}
	if l.Dates {
		out.form, out.shift = journal.Absolute, s.jobs.first
	}
	if !l.Dates && s.jobs.last > instant.Add(Farthest, min(s.jobs.first, 0)) {
		return &Error{File: "the journal", Key: "at", Expected: "times within 290 years of one another, or dates", Found: "times farther apart"}
	}
	out.encode = journal.NewEncoder(w, out.form)
	if err := out.encode.Header(journal.Header{Idle: l.Idle}); err != nil {
		return err
	}
	if l.Config != "" {
		in := core.Input{Event: &core.SetConfig{Config: l.Config, Format: "yaml"}}
		if err := out.entry(&journal.Entry{Input: in, Count: 1}, s.jobs.first); err != nil {
			return err
		}
	}
	if err := out.all(&s.nodes, func(*journal.Entry) (time.Duration, bool) { return s.jobs.first, true }); err != nil {
		return err
	}
	if err := out.all(&s.jobs, out.job); err != nil {
		return err
	}
	return out.encode.Flush()
}

// writer writes a journal.
type writer struct {
	sink          *Sink
	encode        *journal.Encoder
	form          journal.Form
	origin, shift time.Duration // the first time, and what it is written as

	alive map[string]time.Duration // by application, until when it lives at least
	sweep int                      // how many make it worth while to forget those that are over
}

func (w *writer) entry(e *journal.Entry, at time.Duration) error {
	e.Input.At = instant.Add(at-w.origin, w.shift)
	return w.encode.Entry(e)
}

// all writes what a spool holds, at the time that when says, without what it does not want.
func (w *writer) all(s *spool, when func(*journal.Entry) (time.Duration, bool)) error {
	source, err := s.source()
	if err != nil {
		return err
	}
	for {
		e, err := source.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		at, wanted := when(e)
		if !wanted {
			continue
		}
		if err := w.entry(e, at); err != nil {
			return err
		}
	}
}

// completing is how long an application without asks and allocations stays.
const completing = 30 * time.Second

// job counts an entry. It drops an application that is there for certain: the asks before have not been over for long enough,
// even if they were all allocated at once. Where the application may be over, adding it again is right: either it was, or
// the scheduler rejects a duplicate and takes the asks.
func (w *writer) job(e *journal.Entry) (time.Duration, bool) {
	in := &e.Input
	switch in.Type() {
	case core.AppAdd:
		if until, ok := w.alive[in.ID()]; ok && until > in.At {
			return 0, false
		}
		w.live(in.ID(), in.At, in.At)
		w.sink.Applications++
	case core.AppRemove:
		delete(w.alive, in.ID())
	case core.NodeRemove:
		clear(w.alive) // what ran there ends early
	case core.AskAdd:
		w.live(in.Ask().App, in.At, end(e))
		w.sink.Asks += e.Count
	case core.AllocationRestore:
		w.live(in.Ask().App, in.At, end(e))
		w.sink.Allocations += e.Count
	}
	return in.At, true
}

// end is the earliest time at which an application without other asks is over.
func end(e *journal.Entry) time.Duration {
	if !e.HasRun {
		return instant.Never
	}
	return instant.Add(instant.Add(e.Input.At, e.Run), completing)
}

// mostSwept is how many applications are remembered before those that are over are forgotten.
const mostSwept = 1 << 16

func (w *writer) live(app string, now, until time.Duration) {
	if w.alive == nil {
		w.alive, w.sweep = map[string]time.Duration{}, mostSwept
	}
	w.alive[app] = max(w.alive[app], until)
	if len(w.alive) < w.sweep {
		return
	}
	maps.DeleteFunc(w.alive, func(_ string, until time.Duration) bool { return until <= now })
	w.sweep = max(mostSwept, 2*len(w.alive))
}
