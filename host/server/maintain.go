package server

import (
	"log/slog"
	"time"
)

// acknowledgedPeriod is the interval at which the number of the last acknowledged batch is made durable, in its own file.
const acknowledgedPeriod = time.Second

// The pauses after which a chore that failed is tried again.
const (
	firstRetry = time.Second
	lastRetry  = 15 * time.Second
)

// chore is a part of the store's maintenance that may fail. What fails is logged once, and so is its recovery.
type chore struct {
	name   string
	do     func() error
	wanted func() bool   // nil: whenever the view has gone on
	period time.Duration // it is done no more often

	next   time.Time // it is not done before
	failed int       // times in a row
}

// maintenance are the chores of a view.
type maintenance []*chore

func (v *View) maintenance() maintenance {
	return maintenance{
		{name: "keeping snapshots", do: v.keepWhenDue},
		{name: "making segments", do: v.store.Prepare},
		{name: "marking what was acknowledged", do: v.store.SyncAcknowledged, wanted: v.store.AcknowledgedUnsynced, period: acknowledgedPeriod},
	}
}

// run runs the chores that are due, and returns the time of the next one that cannot wait until the view continues; zero: none.
func (m maintenance) run(now time.Time, log *slog.Logger) (next time.Time) {
	for _, c := range m {
		if !now.Before(c.next) && (c.wanted == nil || c.wanted()) {
			c.run(now, log)
		}
		if waits := c.failed > 0 || c.wanted != nil && c.wanted(); waits && (next.IsZero() || c.next.Before(next)) {
			next = c.next
		}
	}
	return next
}

func (c *chore) run(now time.Time, log *slog.Logger) {
	c.next = now.Add(c.period)
	switch err := c.do(); {
	case err != nil:
		if c.failed++; c.failed == 1 {
			log.Error("the maintenance of the store failed", "task", c.name, "error", err)
		}
		c.next = now.Add(min(firstRetry<<min(c.failed-1, 10), lastRetry))
	case c.failed > 0:
		log.Info("the maintenance of the store works again", "task", c.name, "failures", c.failed)
		c.failed = 0
	}
}

// maintain keeps snapshots, makes segments ready and marks what was acknowledged while the view goes on, until it ends.
func (v *View) maintain() {
	chores, timer := v.maintenance(), time.NewTimer(acknowledgedPeriod)
	defer timer.Stop()
	for {
		select {
		case <-v.caughtUp:
		case <-timer.C:
		case <-v.ended:
			return
		}
		if next := chores.run(time.Now(), v.log); next.IsZero() {
			timer.Stop()
		} else {
			timer.Reset(time.Until(next))
		}
	}
}
