package server

import (
	"bytes"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/store"
)

// handover is what the loop hands to the view once it is durable: a batch, and how its decisions were made.
type handover struct {
	at        store.Position // of the batch; zero: none was written
	payload   []byte
	inputs    []core.Input // of the batch: they are decided with the next
	steps     []step       // since the last handover
	decisions []core.Decision
	answered  bool // the batch has answers of policies
	quiet     quiet

	// version is the state at the batch, before its inputs. It is nil unless the view wanted it, and if policies are in use, whose answers a
	// fork would not have: then unversioned is set.
	version     *scheduler.Frozen
	unversioned bool
}

// step is a part of an instant, as a Watcher sees it.
type step struct {
	at        time.Duration
	input     int // index among the inputs of the last batch; noInput: it was a deadline or a cycle
	refused   core.Reason
	decisions int // that it brought
}

const noInput = -1

// trace records what the loop decides until it is handed over.
type trace struct {
	steps     []step
	decisions []core.Decision
	stepped   int // decisions that belong to steps
	answered  bool
}

// step ends a step.
func (t *trace) step(at time.Duration, input int, refused core.Reason) {
	t.steps = append(t.steps, step{at, input, refused, len(t.decisions) - t.stepped})
	t.stepped = len(t.decisions)
}

// versionPeriod is the least time between two versions: a version costs the loop up to a millisecond, and copies of the pages that it changes next.
const versionPeriod = 20 * time.Millisecond

// receiver is the view, as the loop knows it.
type receiver interface {
	// hand must not wait for readers.
	hand(h *handover)
	// wantsVersion reports whether the next handover should have a version.
	wantsVersion() bool
}

// handOver hands to the view what is durable: the last batch with its inputs, or that there was nothing to write. Without a view, it forgets it.
func (l *loop) handOver(p store.Position, inputs []core.Input) error {
	t := l.trace
	l.trace = trace{steps: make([]step, 0, len(t.steps)), decisions: make([]core.Decision, 0, len(t.decisions))} // the next is often like it
	if l.view == nil {
		return nil
	}
	h := &handover{at: p, steps: t.steps, decisions: t.decisions, answered: t.answered, quiet: l.quiet}
	if p != (store.Position{}) {
		h.payload, h.inputs = bytes.Clone(l.batch), slices.Clip(inputs)
		if err := l.addVersion(h); err != nil {
			return err
		}
	}
	l.view.hand(h)
	return nil
}

// addVersion adds a version if the view wants one and the last one is old enough.
func (l *loop) addVersion(h *handover) (err error) {
	if !l.view.wantsVersion() || time.Since(l.frozen) < l.versionPeriod {
		return nil
	}
	if h.unversioned = len(anew(l.scheduler)) > 0; h.unversioned {
		return nil
	}
	h.version, err = l.scheduler.Freeze()
	l.frozen = time.Now()
	return err
}
