package state

import (
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
)

// walltime restores the promise of an ask.
func (r restorer) walltime(ask app.Ask, m *askMemory) error {
	w := m.Walltime
	if w == nil {
		return nil
	}
	if w.Limit < 0 || w.Most < 0 || w.Least < 0 || w.Backdated && (m.PlacedOn == "" || w.Since > m.PlacedAt) {
		return fmt.Errorf("ask %q: expected a walltime of 0s or more that begins no later than its allocation, found %s from %s", m.ID, w.Limit, w.Since)
	}
	r.s.asks.SetWalltime(ask.Slot(), *w)
	return nil
}

// limit returns the walltime of an ask, or 0.
func (k *askMemory) limit() time.Duration {
	if k.Walltime == nil {
		return 0
	}
	return k.Walltime.Limit
}

// presentWalltimes states the walltimes of asks as they would be submitted: not beyond the present walltime.max, which would refuse them.
func (s *State) presentWalltimes(m *partitionMemory) {
	for i := range m.Asks {
		k := &m.Asks[i]
		queue, w := s.Queues().Conf(s.QueueOf(s.orders.Find(k.ID))), k.Walltime
		k.dated = queue.MinRuntime.Default > 0
		if w == nil {
			continue
		}
		k.Ask.MinRuntime = w.Least
		if w.Limit == 0 {
			continue
		}
		conf := queue.Walltime
		k.Ask.Walltime = w.Limit
		if most := time.Duration(conf.Max); k.PlacedOn == "" && most > 0 {
			k.Ask.Walltime = min(w.Limit, most)
		}
		if w.Allow != conf.AllowOverrun {
			k.Ask.Overrun = core.OverrunEnd
			if w.Allow {
				k.Ask.Overrun = core.OverrunAllow
			}
		}
	}
}

// start returns when an allocation was made from which its run is counted, if that is before a time. Otherwise it returns nil.
func (k *askMemory) start(now time.Duration) *time.Duration {
	at := k.PlacedAt
	switch {
	case k.Walltime == nil:
		if !k.dated {
			return nil
		}
	case k.Walltime.Backdated:
		at = k.Walltime.Since
	case k.Walltime.Limit == 0 && k.Walltime.Least == 0 && !k.Walltime.Windowed && !k.dated:
		return nil
	}
	if at >= now {
		return nil
	}
	return &at
}
