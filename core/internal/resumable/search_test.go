package resumable

import "testing"

// world holds a Search and the counters that it observes.
type world struct {
	*Search
	changes, failures uint64
}

func newWorld(unfinished bool) *world {
	w := &world{}
	w.Search = New(Observed{func() uint64 { return w.changes }, func() uint64 { return w.failures }}, unfinished)
	return w
}

// stopIn runs a cycle that stops in a phase.
func (w *world) stopIn(p Phase) {
	w.Begin(Steps(1))
	w.Enter(p)
	w.Stop(p)
	w.End()
}

func TestSearch_ResumesThePhaseInWhichItStopped(t *testing.T) {
	w := newWorld(false)
	for _, p := range []Phase{Placement, Victims} {
		w.stopIn(p)
		if !w.Unfinished() || !w.Resumable() {
			t.Fatalf("phase %d: expected the search to be resumable", p)
		}
		w.Begin(Steps(1))
		if w.FromStart() || w.Unfinished() {
			t.Errorf("phase %d: expected the cycle to resume, with nothing unfinished", p)
		}
		if w.Resume(Placement+Victims-p) || !w.Resume(p) || w.Resume(p) {
			t.Errorf("phase %d: expected that phase alone to be resumed, once", p)
		}
	}
}

func TestSearch_StartsOverWhen(t *testing.T) {
	for name, meanwhile := range map[string]func(w *world){
		"the state has changed":  func(w *world) { w.changes++ },
		"an input has come":      func(w *world) { w.Abandon() },
		"the cycle has finished": func(w *world) { w.Begin(Steps(1)); w.End() },
		"a policy has failed in it": func(w *world) {
			w.Begin(Steps(1))
			w.failures++
			w.Stop(Placement)
			w.End()
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(false)
			w.stopIn(Placement)
			meanwhile(w)
			if w.Resumable() {
				t.Error("expected no search to resume")
			}
			if w.Begin(Steps(1)); !w.FromStart() || w.Resume(Placement) {
				t.Error("expected the cycle to start over")
			}
		})
	}
}

func TestSearch_RestoredStartsOver(t *testing.T) {
	w := newWorld(true)
	if !w.Unfinished() || w.Resumable() {
		t.Error("expected an unfinished search that starts over")
	}
	if w.Begin(Steps(1)); w.Unfinished() {
		t.Error("expected the cycle to finish it")
	}
}

func TestSearch_PolicyFailureCountsInItsPhase(t *testing.T) {
	w := newWorld(false)
	w.Begin(Steps(1))
	w.failures++
	if !w.PolicyFailed(Placement) || !w.MustStop(Placement) {
		t.Error("expected the failure to stop the placement")
	}
	w.Enter(Victims)
	if w.PolicyFailed(Victims) || w.MustStop(Victims) {
		t.Error("expected the phase that came later to go on")
	}
}

func TestSearch_RestartsAfterAPolicyFailed(t *testing.T) {
	w := newWorld(false)
	w.Begin(Steps(2))
	if w.Restart() {
		t.Error("expected no restart without a failure")
	}
	w.failures++
	w.Stop(Placement)
	if !w.Restart() || w.Unfinished() || w.PolicyFailed(Placement) {
		t.Error("expected a restart")
	}
	w.failures++
	w.Stop(Placement)
	if w.Spend(2); w.Restart() {
		t.Error("expected no restart of a stopped search without steps")
	}
	w.Begin(Steps(0))
	w.Enter(Victims)
	if w.failures++; !w.Restart() {
		t.Error("expected a finished search to restart even without steps")
	}
}

func TestAttempt_HoldsWhileNothingChanges(t *testing.T) {
	w := newWorld(false)
	w.Begin(Steps(1))
	a := w.Attempt(false)
	w.Spend(3)
	if !w.Holds(a) || !w.MustStopIn(Placement, a) {
		t.Error("expected an attempt that is resumed once there are steps")
	}
	w.changes++
	if w.Holds(a) {
		t.Error("expected a change to end the attempt")
	}
	b := w.Attempt(true)
	if w.MustStopIn(Placement, b) {
		t.Error("expected the second attempt to run to its end")
	}
	if w.failures++; !w.MustStopIn(Placement, b) {
		t.Error("expected a failure to stop it")
	}
}

func TestBudget(t *testing.T) {
	b := Steps(3)
	if b.After(2).Exhausted() || !b.After(3).Exhausted() || b.Exhausted() {
		t.Error("expected 3 steps")
	}
	if b.Spend(5); !b.Exhausted() {
		t.Error("expected nothing left")
	}
	u := Unlimited()
	if u.Spend(1 << 62); u.Exhausted() {
		t.Error("expected no limit")
	}
	if !(Budget{}).Exhausted() {
		t.Error("expected the zero budget to be exhausted")
	}
}
