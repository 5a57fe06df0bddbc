package app

// The states that are looked at here; core says what they are called.
const (
	stateAccepted   = "Accepted"
	stateStarting   = "Starting"
	stateResuming   = "Resuming"
	stateCompleting = "Completing"
)

// startKeys is the length of keys in the order of starting: state, whether nothing is pending, priority, submission.
const startKeys = 4

// passes reports whether the state of an application lets it be allocated to. The filter of stateaware lets one of the
// applications Starting or Accepted pass, the starter.
func (l *Leaf) passes(a *App) bool {
	return !a.paused && (!l.stateAware || a.State != stateAccepted && a.State != stateStarting || a == l.starter)
}

// countsAsStarting reports whether the filter takes an application for Starting: one with a claim holds its place from then on, so that
// no other application can take it before its ask is allocated.
func (a *App) countsAsStarting() bool {
	return a.State == stateStarting || a.State == stateAccepted && (a.Claims > 0 || a.HoldsPlaceholder())
}

func (l *Leaf) countStarting(a *App, change int) {
	if a.countsAsStarting() {
		l.starting += change
	}
}

// BehindAnotherStarting reports whether the filter bars an application that counts as Starting, since another one that
// does comes before it, or an application that is Resuming or Completing. Unlike Eligible it needs no sync.
func (l *Leaf) BehindAnotherStarting(a *App) bool {
	if l.stateAware && a.paused {
		return true
	}
	if !l.stateAware || l.starting < 2 || !a.countsAsStarting() {
		return false
	}
	for _, b := range l.apps.Items {
		if b != nil && b != a && b.countsAsStarting() && l.startsBefore(b, a) {
			return true
		}
	}
	return false
}

// startsBefore orders two applications that count as Starting, as fileStart does.
func (l *Leaf) startsBefore(a, b *App) bool {
	if l.PrioritySort {
		p, waits := a.Highest()
		q, bWaits := b.Highest()
		if waits != bWaits {
			return waits
		}
		if waits && p != q {
			return p > q
		}
	}
	return a.Seq < b.Seq
}

// SeveralStarting reports whether several applications count as Starting where only one of them may pass.
func (l *Leaf) SeveralStarting() bool { return l.stateAware && l.starting > 1 }

// fileStart brings an application's entry in the order of starting up to date. Starting ones come first: while there is one,
// none that is Accepted passes. One with nothing pending has no priority, and comes after those that have.
func (l *Leaf) fileStart(a *App) {
	if !l.stateAware {
		return
	}
	if a.State != stateStarting && (a.State != stateAccepted || a.Asks == 0 && !a.HoldsPlaceholder()) {
		if l.startOrder.Has(a.slot) {
			l.startOrder.Remove(a.slot)
		}
		return
	}
	key := [startKeys]int64{3: int64(a.Seq)}
	if !a.countsAsStarting() {
		key[0] = 1
	}
	if l.PrioritySort && a.Asks == 0 {
		key[1] = 1
	} else if l.PrioritySort {
		key[2] = -int64(a.Priority())
	}
	l.startOrder.Put(a.slot, key[:], nil)
}

// chooseStarter lets the first in the order of starting pass.
func (l *Leaf) chooseStarter() {
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
	l.EligibilityChanges++
	for _, a := range []*App{old, l.starter} {
		if a != nil && l.apps.Items[a.slot] == a {
			a.failed, a.changed = 0, l.world
			l.file(a)
		}
	}
}
