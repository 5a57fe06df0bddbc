package core

import (
	"cmp"
	"sort"
	"time"

	"github.com/quern-project/quern/core/internal/app"
)

// Periods of the state machine.
const (
	startingPeriod    = 5 * time.Minute
	completingPeriod  = 30 * time.Second
	expiryPeriod      = 72 * time.Hour
	reservationPeriod = 30 * time.Second
	banPeriod         = 30 * time.Second
)

// timerKind orders the timers of one instant.
type timerKind uint8

const (
	appTimer timerKind = iota
	reservationTimer
	banTimer
)

// timer is a deadline. It is not taken back when its reason goes away: whether it still holds is asked when it is due.
type timer struct {
	at   time.Duration
	kind timerKind
	seq  uint64 // of the application or the reservation
	app  *app.App
	ask  *app.Ask
	leaf *leaf
}

func (t *timer) before(u *timer) bool {
	if c := cmp.Or(cmp.Compare(t.at, u.at), cmp.Compare(t.kind, u.kind), cmp.Compare(t.seq, u.seq)); c != 0 {
		return c < 0
	}
	return false
}

// holds reports whether what the timer waits for can still happen.
func (t *timer) holds() bool {
	switch t.kind {
	case appTimer:
		switch t.app.State {
		case StateStarting:
			return t.app.Since+startingPeriod == t.at
		case StateCompleting:
			return t.app.Since+completingPeriod == t.at
		}
		return false
	case reservationTimer:
		return t.ask.Reserves != app.NoNode && t.ask.Reserved == t.seq
	default:
		return t.leaf.BannedUntil == t.at
	}
}

// timers is a heap of deadlines, soonest first.
type timers struct {
	heap []timer
}

func (h *timers) push(t timer) {
	h.heap = append(h.heap, t)
	i := len(h.heap) - 1
	for i > 0 {
		p := (i - 1) / 2
		if !h.heap[i].before(&h.heap[p]) {
			break
		}
		h.heap[i], h.heap[p] = h.heap[p], h.heap[i]
		i = p
	}
}

func (h *timers) pop() timer {
	top := h.heap[0]
	last := len(h.heap) - 1
	h.heap[0] = h.heap[last]
	h.heap[last] = timer{}
	h.heap = h.heap[:last]
	i := 0
	for {
		c := 2*i + 1
		if c >= last {
			return top
		}
		if c+1 < last && h.heap[c+1].before(&h.heap[c]) {
			c++
		}
		if !h.heap[c].before(&h.heap[i]) {
			return top
		}
		h.heap[i], h.heap[c] = h.heap[c], h.heap[i]
		i = c
	}
}

// next is the soonest deadline that still holds.
func (h *timers) next() (time.Duration, bool) {
	for len(h.heap) > 0 {
		if h.heap[0].holds() {
			return h.heap[0].at, true
		}
		h.pop()
	}
	return 0, false
}

// arrivals lists pending asks in the order in which they came, to know when the next becomes due for a reservation.
type arrivals struct {
	list []arrival
	head int
}

type arrival struct {
	ask *app.Ask
	seq uint64
}

func (q *arrivals) push(a *app.Ask) { q.list = append(q.list, arrival{a, a.Seq}) }

// next is when the first ask that still waits came, after a time.
func (q *arrivals) next(after time.Duration) (time.Duration, bool) {
	for q.head < len(q.list) {
		a := q.list[q.head]
		if a.ask.Seq == a.seq && a.ask.Pending() && a.ask.Created > after {
			return a.ask.Created, true
		}
		q.list[q.head] = arrival{}
		q.head++
	}
	q.list, q.head = q.list[:0], 0
	return 0, false
}

// trim forgets what has passed, once it is most of the list.
func (q *arrivals) trim() {
	if q.head > 1024 && q.head*2 > len(q.list) {
		n := copy(q.list, q.list[q.head:])
		clear(q.list[n:])
		q.list, q.head = q.list[:n], 0
	}
}

// endedApp is a terminal application, kept to be read until it expires.
type endedApp struct {
	ID        string
	Seq       uint64
	Queue     string
	State     string
	Submitted time.Duration
	Since     time.Duration
}

// Deadline is when the scheduler next wants an Advance.
func (s *Scheduler) Deadline() (time.Duration, bool) {
	at, ok := s.IdleDeadline()
	if len(s.ended) > 0 {
		at, ok = sooner(at, ok, s.ended[0].Since+expiryPeriod), true
	}
	if back, waits := s.policies.nextReturn(); waits {
		at, ok = sooner(at, ok, back), true
	}
	return at, ok
}

// IdleDeadline is the next deadline that anything other than forgetting a terminal application, or a policy that comes
// back, waits for. A replay that runs until the scheduler is idle ends when there is none.
func (s *Scheduler) IdleDeadline() (time.Duration, bool) {
	at, ok := s.timers.next()
	if s.conf.ReservationDelay > 0 {
		if came, waits := s.arrivals.next(s.now - s.conf.ReservationDelay); waits {
			at, ok = sooner(at, ok, came+s.conf.ReservationDelay), true
		}
	}
	if came, waits := s.seek.next(s.now); waits {
		at, ok = sooner(at, ok, came), true
	}
	return at, ok
}

// sooner is the sooner of two times, of which the first may not be there.
func sooner(at time.Duration, there bool, other time.Duration) time.Duration {
	if !there {
		return other
	}
	return min(at, other)
}

// Advance sets the clock and fires the timers that are due.
func (s *Scheduler) Advance(to time.Duration) {
	if s.started && to < s.now {
		panic("core: the clock goes back")
	}
	s.started = true
	s.now = to
	s.search.world++
	s.arrivals.next(to - s.conf.ReservationDelay)
	s.arrivals.trim()
	s.seek.pass(s)
	s.fireApps()
	for {
		at, ok := s.timers.next()
		if !ok || at > to {
			break
		}
		s.fire(s.timers.pop())
	}
	s.returnPolicies()
	s.forgetGone()
}

// fireApps fires the timers of applications, terminal ones included, in the order of their submission.
func (s *Scheduler) fireApps() {
	var due []timer
	for {
		at, ok := s.timers.next()
		if !ok || at > s.now || s.timers.heap[0].kind != appTimer {
			break
		}
		due = append(due, s.timers.pop())
	}
	expired := 0
	for expired < len(s.ended) && s.ended[expired].Since+expiryPeriod <= s.now {
		expired++
	}
	gone := s.ended[:expired]
	s.ended = s.ended[expired:]
	sort.SliceStable(gone, func(i, j int) bool { return gone[i].Seq < gone[j].Seq })
	for _, t := range due {
		for len(gone) > 0 && gone[0].Seq < t.seq {
			s.expire(&gone[0])
			gone = gone[1:]
		}
		if t.holds() { // one that went idle twice in an instant has two
			s.fire(t)
		}
	}
	for i := range gone {
		s.expire(&gone[i])
	}
}

func (s *Scheduler) expire(e *endedApp) {
	d := s.emit(AppState)
	d.ID, d.From, d.To, d.Reason = e.ID, e.State, StateExpired, ReasonExpired
}

func (s *Scheduler) fire(t timer) {
	switch t.kind {
	case appTimer:
		if t.app.State == StateStarting {
			s.setState(t.app, StateRunning, ReasonStartingTimeout)
		} else {
			s.complete(t.app, ReasonCompletingDone)
		}
	case reservationTimer:
		s.expireReservation(t.ask)
	case banTimer:
		s.touch(t.leaf.queue)
	}
}
