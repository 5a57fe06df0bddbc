package server

import (
	"bytes"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/server/view"
	"github.com/quern-project/quern/host/store"
)

// trace records what the loop decides until it is handed over.
type trace struct {
	steps     []view.Step
	decisions []core.Decision
	stepped   int // decisions that belong to steps
	answered  bool
}

// step ends a step.
func (t *trace) step(at time.Duration, input int, refused core.Reason) {
	t.steps = append(t.steps, view.Step{At: at, Input: input, Refused: refused, Decisions: len(t.decisions) - t.stepped})
	t.stepped = len(t.decisions)
}

// versionPeriod is the least time between two versions: a version costs the loop up to a millisecond, and copies of the pages that it changes next.
const versionPeriod = 20 * time.Millisecond

// receiver is the view, as the loop knows it.
type receiver interface {
	// hand must not wait for readers.
	hand(h *view.Handover)
	// wantsVersion reports whether the next handover should have a version.
	wantsVersion() bool
}

// handOver hands to the view what is durable: the last batch with its inputs, or that there was nothing to write. Without a view, it forgets it.
func (l *loop) handOver(p store.Position, inputs []core.Input) error {
	t := l.trace
	l.trace = trace{steps: make([]view.Step, 0, len(t.steps)), decisions: make([]core.Decision, 0, len(t.decisions))} // the next is often like it
	if l.view == nil {
		return nil
	}
	h := &view.Handover{At: p, Steps: t.steps, Decisions: t.decisions, Answered: t.answered, Quiet: l.quiet}
	if p != (store.Position{}) {
		h.Payload, h.Inputs = bytes.Clone(l.batch), slices.Clip(inputs)
		if err := l.addVersion(h); err != nil {
			return err
		}
	}
	l.view.hand(h)
	return nil
}

// addVersion adds a version if the view wants one and the last one is old enough.
func (l *loop) addVersion(h *view.Handover) (err error) {
	if !l.view.wantsVersion() || time.Since(l.frozen) < l.versionPeriod {
		return nil
	}
	if h.Unversioned = len(anew(l.scheduler)) > 0; h.Unversioned {
		return nil
	}
	h.Version, err = l.scheduler.Freeze()
	l.frozen = time.Now()
	return err
}
