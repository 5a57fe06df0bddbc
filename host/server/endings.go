package server

import (
	"sync"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/scheduler"
)

// rememberedEndings bounds the memory for what has ended or was refused: about 20,000 with names of a usual length.
const rememberedEndings = 8 << 20 // bytes

// Endings say how asks, applications and nodes ended that are not there any more. Any goroutines may ask.
type Endings struct {
	mu   sync.Mutex
	list *ledger.Endings
}

// Find returns the last ending of an ID.
func (e *Endings) Find(thing core.ObjectKind, id string) (ledger.Ending, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.list.Find(thing, id)
}

func (e *Endings) step(in *core.Input, refused core.Reason, decisions []core.Decision) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list.Step(in, refused, decisions)
}

// pastWatcher remembers what ends, and how long it ran, and shows everything to another watcher, if there is one.
type pastWatcher struct {
	endings  *Endings
	runTimes *runTimes
	other    Watcher
}

// newPast makes one that has seen nothing. other may be nil.
func newPast(other Watcher) *pastWatcher {
	return &pastWatcher{&Endings{list: ledger.NewEndings(rememberedEndings)}, &runTimes{list: ledger.NewRunTimes()}, other}
}

// Begin makes the present state known.
func (w *pastWatcher) Begin(s *scheduler.Scheduler) {
	w.runTimes.begin(s)
	if w.other != nil {
		w.other.Begin(s)
	}
}

// Step follows a step.
func (w *pastWatcher) Step(at time.Duration, in *core.Input, refused core.Reason, decisions []core.Decision) {
	w.endings.step(in, refused, decisions)
	w.runTimes.step(in, refused, decisions)
	if w.other != nil {
		w.other.Step(at, in, refused, decisions)
	}
}

// Endings says how asks, applications and nodes ended that are not there any more, and which were refused: the latest ones since the
// host was started, and those that it found behind its snapshot.
func (v *View) Endings() *Endings { return v.endings }
