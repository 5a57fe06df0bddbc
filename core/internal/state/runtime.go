package state

import (
	"time"

	"github.com/quern-project/quern/core/internal/app"
)

// MinRuntime returns how long the allocation of an ask runs before it may be a victim, by the present settings of its queue.
func (s *State) MinRuntime(ask app.Ask) time.Duration {
	if ask.IsPlaceholder() {
		return 0
	}
	return time.Duration(s.Queues().Conf(s.QueueOf(ask)).MinRuntime.Of(ask.Walltime().Least))
}
