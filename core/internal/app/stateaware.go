package app

import "github.com/quern-project/quern/core/internal/state/apps"

// startKeys is the number of keys in startOrder: state, whether no ask is pending, priority, submission.
const startKeys = 4

// passes reports whether an application's state permits allocations. In a stateaware leaf, only one of the Starting and Accepted
// applications passes: the starter.
func (l *leaf) passes(a *application, state apps.State) bool {
	return !state.Paused() && (!l.stateAware || state != apps.StateAccepted && state != apps.StateStarting || a == l.starter)
}

// countsAsStarting reports whether an application is Starting, or Accepted with a claim or an allocated placeholder. Then no other
// application can become the starter before its ask is allocated.
func (a *application) countsAsStarting() bool {
	state := a.State()
	return state == apps.StateStarting || state == apps.StateAccepted && (a.Claims() > 0 || a.HoldsPlaceholder())
}

func (l *leaf) countStarting(a *application, change int) {
	if a.countsAsStarting() {
		l.starting += change
	}
}

// BehindAnotherStarting reports whether the filter of a stateaware leaf bars an application that has a claim or placeholder: another
// one that counts as Starting comes before it, or it is Resuming or Completing. Unlike Eligible, it needs no sync.
func (l *leaf) BehindAnotherStarting(a App) bool {
	if l.stateAware && a.State().Paused() {
		return true
	}
	if !l.stateAware || l.starting < 2 || !a.countsAsStarting() {
		return false
	}
	for _, b := range l.apps.Items {
		if b != nil && b != a.application && b.countsAsStarting() && l.startsBefore(b, a.application) {
			return true
		}
	}
	return false
}

// startsBefore compares two applications that count as Starting, in the order of fileStart.
func (l *leaf) startsBefore(a, b *application) bool {
	if l.prioritySort {
		p, waits := a.Highest()
		q, bWaits := b.Highest()
		if waits != bWaits {
			return waits
		}
		if waits && p != q {
			return p > q
		}
	}
	return a.Seq() < b.Seq()
}

// SeveralStarting reports whether several applications of a stateaware leaf count as Starting.
func (l *leaf) SeveralStarting() bool { return l.stateAware && l.starting > 1 }

// fileStart updates an application's entry in startOrder. Applications that count as Starting come first, so no Accepted one passes
// while there is one. With priority sorting, applications without pending asks come last.
func (l *leaf) fileStart(a *application) {
	if !l.stateAware {
		return
	}
	if state := a.State(); state != apps.StateStarting && (state != apps.StateAccepted || a.waits == 0 && !a.HoldsPlaceholder()) {
		if l.startOrder.Has(a.slot) {
			l.startOrder.Remove(a.slot)
		}
		return
	}
	key := [startKeys]int64{3: int64(a.Seq())}
	if !a.countsAsStarting() {
		key[0] = 1
	}
	if l.prioritySort && a.waits == 0 {
		key[1] = 1
	} else if l.prioritySort {
		key[2] = -int64(a.Priority())
	}
	l.startOrder.Put(a.slot, key[:], nil)
}

// chooseStarter makes the first application in startOrder the starter.
func (l *leaf) chooseStarter() {
	l.starterLeft = false
	if !l.stateAware {
		return
	}
	old := l.starter
	l.starter = nil
	l.startOrder.Each(func(slot int32) bool { l.starter = l.apps.Items[slot]; return false })
	if old == l.starter {
		return
	}
	l.eligibilityChanges++
	for _, a := range []*application{old, l.starter} {
		if a != nil && l.apps.Items[a.slot] == a {
			a.changed = l.shrinkEpoch
			a.retry()
			l.file(a)
		}
	}
}
