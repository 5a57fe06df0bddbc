package server

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/drive"
)

// The loop's part in applying configurations: it checks the precondition of a request in the order in which requests are applied. If two writers have
// read the same configuration, the first one succeeds and the second one is refused.

// ready splits off requests whose turn is the next round, and refuses those whose precondition does not hold or that have too many names. Whether an earlier
// request of the same round changes the configuration is known only after the round.
func (l *loop) ready(at time.Duration, requests []*waiting) []*waiting {
	l.names.begin(at)
	list := append(l.deferred, requests...)
	l.deferred = nil
	now, fresh := list[:0:0], false
	for _, w := range list {
		switch {
		case len(l.deferred) > 0 || fresh && w.IfConfig != "": // requests of a source are applied in their order
			l.deferred = append(l.deferred, w)
			continue
		case w.IfConfig != "" && w.IfConfig != l.config.tag:
			l.keys.forget([]*waiting{w}, ErrConfigChanged)
			w.finish(ErrConfigChanged)
			continue
		case !l.admitNames(w):
			continue
		}
		fresh = fresh || w.configures()
		now = append(now, w)
	}
	return now
}

// inForce is the configuration in force, as a precondition names it.
type inForce struct {
	n   uint64
	tag string
}

func inForceOf(c Configuration) inForce { return inForce{c.N, c.Tag()} }

// apply has the scheduler take an input.
func (l *loop) apply(instant *drive.Instant, in *core.Input) core.Reason {
	refused := instant.Apply(in)
	if set, ok := in.Event.(*core.SetConfig); ok && refused == core.Accepted {
		l.config = inForce{l.config.n + 1, tagOf(l.config.n+1, SumOf(set.Config))}
		l.names.ask() // it may have named some
	}
	return refused
}

// configures reports whether a request may put a configuration in force.
func (r *Request) configures() bool {
	for i := range r.Inputs {
		if r.Inputs[i].Type() == core.ConfigSet {
			return true
		}
	}
	return false
}
