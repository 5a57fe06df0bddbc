package html

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// mostReloads bounds how many configurations are looked at; the state at the end is always known.
const mostReloads = 64

// limits keeps which guaranteed and max each queue had from when on.
type limits struct {
	known   map[string][]limit // by shown path, in order of time
	stale   bool               // a configuration was accepted since
	reloads []time.Duration
}

type limit struct {
	at              time.Duration
	guaranteed, max resource.Set
}

// note enters the limits of a state that holds from a time on.
func (l *limits) note(at time.Duration, d core.Dump) {
	l.stale = false
	if len(l.reloads) >= mostReloads {
		return
	}
	l.reloads = append(l.reloads, at)
	for _, q := range d.Queues {
		l.change(core.ShownPath(q.Partition, q.Path), limit{at, q.Guaranteed, q.Max})
	}
}

func (l *limits) change(path string, next limit) {
	before := l.known[path]
	if n := len(before); n > 0 && slices.Equal(before[n-1].guaranteed, next.guaranteed) && slices.Equal(before[n-1].max, next.max) {
		return
	}
	l.known[path] = append(before, next)
}
