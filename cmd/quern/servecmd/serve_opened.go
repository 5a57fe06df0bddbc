package servecmd

import (
	"log/slog"
	"time"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/store"
)

// tellOpened logs the damage in a record that opens nevertheless.
func tellOpened(log *slog.Logger, found *store.Opened) {
	if found.Torn != nil {
		log.Warn(found.Torn.String())
	}
	if found.Unmarked != nil {
		log.Warn("it is not known how far the record was acknowledged; it ends with a whole batch, and is used", "error", found.Unmarked)
	}
	for _, skipped := range found.Skipped {
		log.Warn("a snapshot cannot be read; an earlier one is used", "error", skipped)
	}
}

// checkOlder reads the parts of a record that a start does not need, and logs their damage. It closes the channel at the end.
func checkOlder(log *slog.Logger, record *store.Log) <-chan struct{} {
	over := make(chan struct{})
	go func() {
		defer close(over)
		for _, err := range cli.Each(record.CheckOlder()) {
			log.Error("the record is damaged behind the newest snapshot: the state is complete, but what was decided then cannot be read", "error", err)
		}
	}()
	return over
}

// mostCheck is how long a start waits until the older parts of the record were read. With a long --retain that takes longer, and goes on
// while the scheduler serves.
const mostCheck = 5 * time.Second

func awaitCheck(over <-chan struct{}) {
	late := time.NewTimer(mostCheck)
	defer late.Stop()
	select {
	case <-over:
	case <-late.C:
	}
}
