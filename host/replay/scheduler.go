package replay

import "github.com/quern-project/quern/core"

// NewScheduler makes the scheduler that runs are made on.
func NewScheduler() *core.Scheduler { return core.New(core.Options{}) }
