package permission

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/auth"
)

// reserves reports whether an input adds or removes a window.
func reserves(in *core.Input) bool {
	return in.Type() == core.WindowAdd || in.Type() == core.WindowRemove
}

// windows refuses windows of senders that do not administer root. Operators may send what concerns nodes, but a window takes nodes from others for
// the applications that it names.
func (s *Sender) windows(present *scheduler.Scheduler, inputs []core.Input) error {
	for i := range inputs {
		in := &inputs[i]
		if reserves(in) && s.caller.Role != auth.Admin && !s.administersRoot(present, in) {
			return refused(i, in, "only administrators of root may add and remove windows")
		}
	}
	return nil
}

// administersRoot reports whether the sender administers root in the partition of a window. A window that is not there is nobody's.
func (s *Sender) administersRoot(present *scheduler.Scheduler, in *core.Input) bool {
	if add, ok := in.Event.(*core.AddWindow); ok {
		return s.administersQueue(present, add.Partition, "root")
	}
	w, ok := present.Window(in.ID())
	return ok && s.administersQueue(present, w.Partition, "root")
}
