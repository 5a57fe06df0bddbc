package state

import (
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// MinRuntime returns how long the allocation of an ask runs before it may be a victim, by the present settings of its queue.
func (s *State) MinRuntime(ask app.Ask) time.Duration {
	if ask.IsPlaceholder() {
		return 0
	}
	return time.Duration(s.Queues().Conf(s.QueueOf(ask)).MinRuntime.Of(ask.Walltime().Least))
}

// SparedUntil returns when an allocation has run long enough to be a victim. ok is false if it has.
func (s *State) SparedUntil(v app.Ask) (at time.Duration, ok bool) {
	least := s.MinRuntime(v)
	if least == 0 {
		return 0, false
	}
	at = instant.Add(v.Began(), least)
	return at, at > s.now
}

// SparesAny returns the settings about least run times that some queue has: whether any has one, and whether any counts for preemption by
// required nodes and by quota too.
func (s *State) SparesAny() (any, required bool) {
	for q := range s.Queues().All {
		m := &s.Queues().Conf(q).MinRuntime
		if m.Default > 0 || m.Max > 0 {
			any, required = true, required || m.Required
		}
	}
	return any, required
}

// nextSpared returns the first instant at which an allocation of a queue that preemption by quota spares has run long enough, or 0.
func (s *State) nextSpared(q queues.ID) (next time.Duration) {
	if _, required := s.SparesAny(); !required {
		return 0
	}
	found := false
	for leaf, l := range s.Leaves {
		if !s.Queues().Within(leaf, q) || !s.Queues().Conf(leaf).MinRuntime.Required {
			continue
		}
		l.Apps(func(a app.App) bool {
			for v := a.FirstPlaced(); !v.IsNone(); v = v.NextOfApp() {
				if at, spared := s.SparedUntil(v); spared && !v.Leaving() {
					next, found = instant.Sooner(next, found, at)
				}
			}
			return true
		})
	}
	return next
}
