package permission

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// overrun refuses an ask whose allocation may stay after its promised end, whatever its queue says.
func overrun(i int, in *core.Input) error {
	if ask := in.Ask(); ask != nil && ask.Overrun == core.OverrunAllow {
		return refused(i, in, "walltime_overrun allow needs another role")
	}
	return nil
}

// lengthens refuses a longer walltime, unless the sender administers the queue. Owners may only shorten it.
func (s *Sender) lengthens(present *scheduler.Scheduler, i int, in *core.Input) error {
	update, ok := in.Event.(*core.UpdateAsk)
	if !ok || update.Walltime == 0 {
		return nil
	}
	ask, known := present.Ask(update.ID)
	if !known || ask.Walltime == 0 || update.Walltime <= ask.Walltime || s.administers(present, &ask) {
		return nil
	}
	return refused(i, in, "only administrators of the queue may lengthen a walltime, which is "+ask.Walltime.String())
}

// administers reports whether the sender administers the queue of an ask.
func (s *Sender) administers(present *scheduler.Scheduler, ask *core.AskItem) bool {
	return s.administersQueue(present, ask.Partition, ask.Queue)
}

func (s *Sender) administersQueue(present *scheduler.Scheduler, partition, queue string) bool {
	e, ok := present.Access(core.ShownPath(partition, queue), s.caller.User, s.caller.Groups)
	return ok && !e.Open && e.Admin
}
