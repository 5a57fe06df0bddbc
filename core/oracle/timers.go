package oracle

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// Durations of application states that end by themselves.
const (
	startingTime   = 5 * time.Minute
	completingTime = 30 * time.Second
	terminalTime   = 72 * time.Hour
)

// stateEnds returns when the application's state ends by itself. ok is false if it does not.
func (a *app) stateEnds() (at time.Duration, ok bool) {
	switch a.state {
	case core.StateStarting:
		return instant.Add(a.since, startingTime), true
	case core.StateCompleting:
		return instant.Add(a.since, completingTime), a.gang == nil || !a.gang.ended
	case core.StateCompleted, core.StateFailed:
		return instant.Add(a.since, terminalTime), true
	}
	return 0, false
}

// Deadline returns the earliest instant at which the passing of time changes anything.
func (o *Oracle) Deadline() (at time.Duration, ok bool) {
	times := o.deadlines()
	for _, p := range o.partitions {
		times = append(append(times, p.searchTimes()...), p.chances()...)
	}
	if o.overran {
		return o.now, true
	}
	return o.next(times)
}

// Due returns the earliest deadline at which the machine must run, even if no decision follows. The end of an ask's delay is not included,
// since it matters only if the ask then preempts.
func (o *Oracle) Due() (at time.Duration, ok bool) { return o.next(o.deadlines()) }

func (o *Oracle) next(times []time.Duration) (at time.Duration, ok bool) {
	for _, when := range times {
		if when > o.now && when != instant.Never && (!ok || when < at) {
			at, ok = when, true
		}
	}
	return at, ok
}

func (o *Oracle) deadlines() []time.Duration {
	var all []time.Duration
	for _, a := range o.apps {
		if at, ok := a.stateEnds(); ok {
			all = append(all, at)
		}
		if at, ok := a.gangEnds(); ok {
			all = append(all, at)
		}
		all = append(all, a.atomicEnds()...)
		all = append(all, a.repairEnds()...)
	}
	for _, p := range o.partitions {
		all = append(all, p.ownDeadlines()...)
	}
	return all
}

func (p *partition) ownDeadlines() []time.Duration {
	var all []time.Duration
	for _, r := range p.reservations {
		if !r.isHold() {
			all = append(all, instant.Add(r.made, reservationLife))
		}
	}
	for _, q := range p.root.subtree() {
		if q.expired > 0 {
			all = append(all, q.bannedUntil)
		}
	}
	for _, c := range p.claims {
		all = append(all, p.patienceEnds(c))
	}
	all = append(all, p.quotaTimes()...)
	all = append(all, p.promisedEnds()...)
	all = append(all, p.windowTimes()...)
	all = append(all, p.planTimes()...)
	if at, ok := p.accumulationEnds(); ok {
		all = append(all, at)
	}
	if p.restoredAt == p.now && p.hasRestoredGangs() {
		all = append(all, instant.Add(p.restoredAt, 1))
	}
	for _, q := range p.emptyQueues() {
		all = append(all, instant.Add(q.dynamic.since, emptyTime))
	}
	if delay := p.settings.ReservationDelay; delay > 0 {
		for _, k := range p.ownAsks() {
			if k.node == nil && k.details.Node == "" && (!p.plans() || slices.Contains(p.outOfReach, k)) {
				all = append(all, delay.After(k.submitted))
			}
		}
	}
	return all
}

// searchTimes returns when the delays of asks end that may preempt afterwards.
func (p *partition) searchTimes() []time.Duration {
	var all []time.Duration
	for _, k := range p.ownAsks() {
		if k.node == nil && k.details.Node == "" && !k.details.NoPreemptOthers && p.claimOf(k) == nil {
			all = append(all, k.searchesAt())
		}
	}
	return all
}

// Advance sets the clock and processes what is due: first applications in order of submission, then, for each partition, reservations in the
// order they were made, and dynamic queues.
func (o *Oracle) Advance(to time.Duration) {
	for _, p := range o.partitions {
		o.changed = o.changed || o.restoredAt == o.now && to > o.now && p.hasRestoredGangs()
		p.roomFreed()
	}
	o.now = to
	for _, a := range slices.Clone(o.apps) {
		if at, ok := a.stateEnds(); ok && at <= o.now {
			a.partition.endState(a)
		}
		if at, ok := a.gangEnds(); ok && at <= o.now {
			a.partition.endGang(a)
		}
		if !a.isTerminal() {
			a.partition.endAtomic(a)
			a.partition.endBrokenGangs(a)
		}
	}
	for _, p := range o.partitions {
		p.expireReservations()
		p.expireAccumulation()
		p.forgetVictims()
		p.endEmptyQueues()
		p.advanceWindows()
		p.updateOverQuota()
	}
}

func (p *partition) expireReservations() {
	for _, r := range slices.Clone(p.reservations) {
		if !r.isHold() && instant.Add(r.made, reservationLife) <= p.now {
			leaf := r.ask.app.queue
			p.unreserve(r.ask, "")
			leaf.bannedUntil, leaf.expired = instant.Add(p.now, reservationBan), p.event()
		}
	}
}

func (p *partition) endState(a *app) {
	switch a.state {
	case core.StateStarting:
		p.move(a, core.StateRunning, core.ReasonStartingTimeout)
	case core.StateCompleting:
		if p.endCompleting(a) {
			return
		}
		p.move(a, core.StateCompleted, core.ReasonCompletingDone)
		p.leaveQueue(a.queue)
	case core.StateCompleted, core.StateFailed:
		p.move(a, core.StateExpired, core.ReasonExpired)
		p.apps = slices.DeleteFunc(p.apps, func(other *app) bool { return other == a })
	}
}

// planTimes lists when plans that rest on allocations that stay too long are made anew.
func (p *partition) planTimes() []time.Duration {
	var all []time.Duration
	if !p.plans() || len(p.planned) == 0 {
		return nil
	}
	for _, k := range p.ownAsks() {
		if k.node != nil {
			all = append(all, p.expectedEnd(k))
		}
	}
	return all
}
