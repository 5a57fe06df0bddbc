package state

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/heap"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/internal/state/gangs"
)

// Periods of the state machine of applications, and of reservations.
const (
	startingPeriod    = instant.Delay(5 * time.Minute)
	completingPeriod  = instant.Delay(30 * time.Second)
	expiryPeriod      = instant.Delay(72 * time.Hour)
	reservationPeriod = instant.Delay(30 * time.Second)
	banPeriod         = instant.Delay(30 * time.Second)
)

// timerKind is the kind of a timer. It orders the timers of one instant.
type timerKind uint8

const (
	appTimer    timerKind = iota
	gangTimer             // of placeholders
	atomicTimer           // of an atomic gang
	repairTimer           // of a broken atomic gang; the last kind that belongs to applications
	reservationTimer
	banTimer
	emptyTimer
	patienceTimer     // of a claim
	accumulationTimer // of the gang that accumulates; Advance ends that
)

// timer is a deadline. It is not removed when its reason goes away; holds checks it when it is due.
type timer struct {
	at   time.Duration
	kind timerKind
	seq  uint64 // of the application or the reservation
	app  app.App
	ref  claims.Ref // of the reservation or the claim
	leaf *leaf
	path string // of the queue of an emptyTimer
	gang app.AtomicGang
}

func (t *timer) Before(u *timer) bool {
	if t.at != u.at {
		return t.at < u.at
	}
	ofApps := func(t *timer) int { // timers of applications are ordered by application before kind
		if t.kind <= repairTimer {
			return 0
		}
		return 1
	}
	c := cmp.Compare(ofApps(t), ofApps(u))
	if c == 0 && ofApps(t) == 0 {
		c = cmp.Compare(t.seq, u.seq)
	}
	c = cmp.Or(c, cmp.Compare(t.kind, u.kind), cmp.Compare(t.seq, u.seq))
	if c == 0 && (t.kind == atomicTimer || t.kind == repairTimer) {
		return t.gang.Row().Seq < u.gang.Row().Seq
	}
	if c == 0 && t.kind == emptyTimer {
		return t.path < u.path
	}
	return c < 0
}

// holds reports whether a timer still applies.
func (h *timers) holds(t *timer) bool {
	switch t.kind {
	case appTimer:
		switch t.app.State() {
		case apps.StateStarting:
			return startingPeriod.After(t.app.Since()) == t.at
		case apps.StateCompleting:
			return completingPeriod.After(t.app.Since()) == t.at && !h.gangs.View().Of(t.app.Number()).Ended
		}
		return false
	case gangTimer:
		at, measured := h.gangs.View().Of(t.app.Number()).EndsAt()
		return measured && at == t.at && !t.app.Ended()
	case atomicTimer:
		at, ok := t.gang.Ends()
		return ok && at == t.at && t.gang.Row().Pending > 0 // otherwise its first new member starts the timeout anew
	case repairTimer:
		at, ok := t.gang.RepairEnds()
		return ok && at == t.at && t.gang.Row().Members > 0 && t.gang.Row().Staying < t.gang.Need() // it ends with its last member
	case reservationTimer:
		_, there := h.reservations.Resolve(t.ref)
		return there
	case patienceTimer:
		c := h.claims.At(h.claims.Resolve(t.ref)) // a claim that has ended has no leaving victims
		return c.Leaving > 0 && c.WaitsUntil == t.at
	case accumulationTimer:
		return !h.accumulation.IsNone() && h.accumulation.Until == t.at && h.accumulation.Gang.Row().Seq == t.seq
	case emptyTimer:
		d := t.leaf.dynamic
		return d != nil && d.empty && d.ends() == t.at
	default:
		return t.leaf.BannedUntil() == t.at
	}
}

// timers is a heap of deadlines, soonest first.
type timers struct {
	heap []timer

	reservations *claims.Reservations
	claims       *claims.Claims
	gangs        *gangs.Gangs
	accumulation *Accumulation
}

func (h *timers) push(t timer) {
	if t.at == instant.Never {
		return
	}
	h.heap = heap.Push(h.heap, t)
}

func (h *timers) pop() (first timer) {
	first, h.heap = heap.Pop(h.heap)
	return first
}

// next returns the earliest deadline that still holds.
func (h *timers) next() (time.Duration, bool) {
	for len(h.heap) > 0 {
		if h.holds(&h.heap[0]) {
			return h.heap[0].at, true
		}
		if t := h.pop(); t.kind == emptyTimer {
			t.leaf.dropTimer(t.at)
		}
	}
	return 0, false
}

// EndedApp is a terminal application, which stays visible until it expires.
type EndedApp struct {
	ID        string
	Seq       uint64
	Queue     string
	State     string
	Submitted time.Duration
	Since     time.Duration
	Partition string // in lower case
	Former    bool   `json:",omitempty"` // the partition was removed, and another one has taken its name since
}

// Deadline returns the time of the next timer, the expiry of the next terminal application, the next start or end of a window, or the end of
// the next quarantine, whichever comes first.
func (c *Shared) Deadline() (time.Duration, bool) {
	at, ok := c.NextTimer()
	for _, s := range c.partitions {
		if next, waits := s.windows.View().Next(); waits {
			at, ok = instant.Sooner(at, ok, next)
		}
	}
	if len(c.ended) > 0 {
		at, ok = instant.Sooner(at, ok, expiryPeriod.After(c.ended[0].Since))
	}
	if back, waits := c.modules.nextReturn(); waits {
		at, ok = instant.Sooner(at, ok, back)
	}
	return at, ok
}

// NextTimer returns the time of the next timer, of the next round of preemption by quota, or at which restored gangs are judged.
func (c *Shared) NextTimer() (at time.Duration, ok bool) {
	for _, s := range c.partitions {
		if next, waits := s.timers.next(); waits {
			at, ok = instant.Sooner(at, ok, next)
		}
		if next, waits := s.nextWalltime(); waits {
			at, ok = instant.Sooner(at, ok, next)
		}
		if due, waits := s.judgesRestored(); waits {
			at, ok = instant.Sooner(at, ok, due)
		}
		if due, waits := s.nextRound(); waits {
			at, ok = instant.Sooner(at, ok, due)
		}
	}
	return at, ok
}

// Advance sets the clock and fires the due timers: those of applications in order of submission, then the others of each partition.
func (c *Shared) Advance(to time.Duration) {
	for _, s := range c.partitions {
		if at, waits := s.judgesRestored(); waits && at <= to {
			c.judged = false
		}
	}
	c.started, c.now = true, to
	for _, s := range c.partitions {
		s.shrinkEpoch++
	}
	c.fireApps()
	for _, s := range c.partitions {
		s.fireOthers()
		s.passWalltimes()
		if s.Accumulates() && s.accumulation.Until <= s.now {
			s.GiveUpAccumulation()
		}
		s.advanceWindows()
	}
	c.returnPolicies()
	c.forgetGone()
	for _, s := range c.partitions {
		s.advanceQuotas()
		s.advanceAging()
		s.renewBudgets()
	}
}

// dueTimer is a due timer with its partition.
type dueTimer struct {
	timer
	partition *State
}

// fireApps fires the timers of applications, including the expiry of terminal ones, in the order of their submission.
func (c *Shared) fireApps() {
	var due []dueTimer
	for _, s := range c.partitions {
		for {
			at, ok := s.timers.next()
			if !ok || at > c.now || s.timers.heap[0].kind > repairTimer {
				break
			}
			due = append(due, dueTimer{s.timers.pop(), s})
		}
	}
	if len(c.partitions) > 1 {
		sort.SliceStable(due, func(i, j int) bool { return due[i].seq < due[j].seq })
	}
	expired := 0
	for expired < len(c.ended) && expiryPeriod.After(c.ended[expired].Since) <= c.now {
		expired++
	}
	gone := slices.Clone(c.ended[:expired])
	c.ended = c.ended[expired:]
	sort.SliceStable(gone, func(i, j int) bool { return gone[i].Seq < gone[j].Seq })
	for _, t := range due {
		for len(gone) > 0 && gone[0].Seq < t.seq {
			c.expire(&gone[0])
			gone = gone[1:]
		}
		if t.partition.timers.holds(&t.timer) { // an application that became idle twice in an instant has two timers
			t.partition.fire(t.timer)
		}
	}
	for i := range gone {
		c.expire(&gone[i])
	}
}

func (c *Shared) expire(e *EndedApp) {
	d := c.emit(core.AppState)
	d.ID, d.From, d.To, d.Reason = e.ID, e.State, core.StateExpired, core.ReasonExpired
}

// fireOthers fires the due timers of a partition, after those of applications.
func (s *State) fireOthers() {
	for {
		at, ok := s.timers.next()
		if !ok || at > s.now {
			return
		}
		s.fire(s.timers.pop())
	}
}

func (s *State) fire(t timer) {
	switch t.kind {
	case appTimer:
		if t.app.State() == apps.StateStarting {
			s.setState(t.app, apps.StateRunning, core.ReasonStartingTimeout)
		} else if !s.endPlaceholders(t.app) {
			s.end(t.app, apps.StateCompleted, core.ReasonCompletingDone)
		}
	case gangTimer:
		s.endGang(t.app)
	case atomicTimer:
		s.endAtomic(t.app, t.gang)
	case repairTimer:
		s.endBroken(t.app, t.gang)
	case reservationTimer:
		if r, there := s.reservations.Resolve(t.ref); there {
			s.expireReservation(r)
		}
	case banTimer:
		s.queueChanged(t.leaf.queue)
	case emptyTimer:
		s.endEmpty(t.leaf.queue)
	case patienceTimer:
		s.claims.AllowElsewhere(s.claims.Resolve(t.ref))
	}
}
