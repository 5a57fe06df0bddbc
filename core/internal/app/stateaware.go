package app

// The two states that the filter of stateaware looks at; core says what they are called.
const (
	stateAccepted = "Accepted"
	stateStarting = "Starting"
)

// gateKeys is the length of keys among gates: state, whether nothing is pending, priority, submission.
const gateKeys = 4

// passes is the filter of stateaware: of the applications Starting or Accepted one passes, the gate.
func (l *Leaf) passes(a *App) bool {
	return !l.stateAware || a.State != stateAccepted && a.State != stateStarting || a == l.gate
}

// countsAsStarting reports whether the filter takes an application for Starting: one that a node is kept for holds its
// place from then on, so that nobody else can take it before the application lands.
func (a *App) countsAsStarting() bool {
	return a.State == stateStarting || a.State == stateAccepted && a.Kept > 0
}

func (l *Leaf) count(a *App, change int) {
	if a.countsAsStarting() {
		l.starting += change
	}
}

// Outrun reports whether the filter bars an application that counts as Starting, since another one that does stands
// before it. Unlike Eligible it needs no sync.
func (l *Leaf) Outrun(a *App) bool {
	if !l.stateAware || l.starting < 2 || !a.countsAsStarting() {
		return false
	}
	for _, b := range l.apps.Items {
		if b != nil && b != a && b.countsAsStarting() && l.gateBefore(b, a) {
			return true
		}
	}
	return false
}

// gateBefore orders two applications that count as Starting, as fileGate does.
func (l *Leaf) gateBefore(a, b *App) bool {
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

// Contended reports whether several applications count as Starting where only one of them may pass.
func (l *Leaf) Contended() bool { return l.stateAware && l.starting > 1 }

// fileGate brings an application's entry among the gates up to date. Starting ones come first: while there is one, none
// that is Accepted passes. One with nothing pending has no priority, and comes after those that have.
func (l *Leaf) fileGate(a *App) {
	if !l.stateAware {
		return
	}
	if a.State != stateStarting && (a.State != stateAccepted || a.Asks == 0) {
		if l.gates.Has(a.slot) {
			l.gates.Remove(a.slot)
		}
		return
	}
	key := [gateKeys]int64{3: int64(a.Seq)}
	if !a.countsAsStarting() {
		key[0] = 1
	}
	if l.PrioritySort && a.Asks == 0 {
		key[1] = 1
	} else if l.PrioritySort {
		key[2] = -int64(a.Priority())
	}
	l.gates.Put(a.slot, key[:], nil)
}

// regate lets the first of the gates pass.
func (l *Leaf) regate() {
	l.ungated = false
	if !l.stateAware {
		return
	}
	old := l.gate
	l.gate = nil
	l.gates.Each(func(slot int32) bool { l.gate = l.apps.Items[slot]; return false })
	if old == l.gate {
		return
	}
	l.Turns++
	for _, a := range []*App{old, l.gate} {
		if a != nil && l.apps.Items[a.slot] == a {
			a.failed, a.changed = 0, l.world
			l.file(a)
		}
	}
}
