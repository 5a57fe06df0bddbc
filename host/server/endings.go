package server

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/scheduler"
)

// rememberedEndings bounds the memory for what has ended or was refused: about 20,000 with names of a usual length.
const rememberedEndings = 8 << 20 // bytes

// pastWatcher remembers what ends, and shows everything to another watcher, if there is one.
type pastWatcher struct {
	endings *ledger.Endings
	other   Watcher
}

// Begin is that of the other watcher.
func (w *pastWatcher) Begin(s *scheduler.Scheduler) {
	if w.other != nil {
		w.other.Begin(s)
	}
}

// Step follows a step.
func (w *pastWatcher) Step(at time.Duration, in *core.Input, refused core.Reason, decisions []core.Decision) {
	w.endings.Step(in, refused, decisions)
	if w.other != nil {
		w.other.Step(at, in, refused, decisions)
	}
}

// Endings says how asks, applications and nodes ended that are not there any more, and which were refused: the latest ones since the
// host was started, and those that it found behind its snapshot. It may be read in Read and Explain.
func (v *View) Endings() *ledger.Endings { return v.endings }
