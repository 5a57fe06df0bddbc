package oracle

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// gang is what an application with placeholders has.
type gang struct {
	ask     amounts // the sum of the placeholders
	hard    bool
	timeout time.Duration

	formed  bool
	failed  bool          // it was not formed in time
	timed   bool          // a placeholder was allocated, and one is allocated or pending since
	since   time.Duration // of timed
	expired bool          // the placeholders were told to leave, of timed
	ended   bool          // of the present state, Completing: the placeholders were told to leave
}

const placeholderTimeout = 15 * time.Minute

// newGang reads what the input says of placeholders; nil: the application is no gang.
func newGang(in *core.AddApp) *gang {
	if in.Placeholders == nil || in.Placeholders.Ask.IsZero() {
		return nil
	}
	g := &gang{ask: amountsOf(in.Placeholders.Ask), hard: in.Placeholders.Hard, timeout: in.Placeholders.Timeout}
	if g.timeout == 0 {
		g.timeout = placeholderTimeout
	}
	return g
}

// gangRefusal says why a gang cannot run in its leaf; empty: it can, or it is no gang.
func (p *partition) gangRefusal(a *app) core.Reason {
	if a.gang == nil {
		return ""
	}
	if sort := a.queue.settings.AppSort; sort != config.FIFO && sort != config.StateAware {
		return core.ReasonGangSortPolicy
	}
	for _, q := range belowRoot(a.queue.chain()) {
		if !a.gang.fits(q.settings.Max) {
			return core.ReasonGangTooLarge
		}
	}
	for _, b := range p.boundsOf(a) {
		if !a.gang.fits(b.limit.MaxResources) {
			return core.ReasonGangTooLarge
		}
	}
	return ""
}

func (g *gang) fits(most resource.Set) bool {
	for _, q := range most {
		if g.ask[q.Type] > 0 && g.ask[q.Type] > q.Value {
			return false
		}
	}
	return true
}

func (k *ask) isPlaceholder() bool { return k.details.Placeholder }

// placeholders lists those of the application that are pending, in the order of the walk, then those allocated that were not
// told to leave, the oldest first.
func (a *app) placeholders() (pending, staying []*ask) {
	for _, k := range a.pending() {
		if k.isPlaceholder() {
			pending = append(pending, k)
		}
	}
	for _, k := range inAllocationOrder(a.allocated()) {
		if k.isPlaceholder() && !k.isLeaving() {
			staying = append(staying, k)
		}
	}
	return pending, staying
}

// holdsPlaceholder reports whether a placeholder is allocated.
func (a *app) holdsPlaceholder() bool {
	return slices.ContainsFunc(a.asks, func(k *ask) bool { return k.isPlaceholder() && k.node != nil })
}

func (a *app) hasPlaceholders() bool { return slices.ContainsFunc(a.asks, (*ask).isPlaceholder) }
func (a *app) hasTasks() bool {
	return slices.ContainsFunc(a.asks, func(k *ask) bool { return !k.isPlaceholder() })
}

// refusesPlaceholder says why the application takes no placeholder; empty: it takes it.
func (a *app) refusesPlaceholder(in *core.AddAsk) core.Reason {
	switch {
	case a.gang == nil:
		return core.ReasonNotAGang
	case in.Ask.TaskGroup == "":
		return core.ReasonNoTaskGroup
	case a.gang.failed:
		return core.ReasonGangOver
	}
	return ""
}

// waitsForGang reports whether the tasks of the application wait until its placeholders have their room.
func (a *app) waitsForGang() bool {
	return a.gang != nil && !a.gang.formed && !a.gang.failed && a.hasPlaceholders()
}

// placeholderCame looks at an application that was given an allocated placeholder: its time begins, and it may be formed.
func (p *partition) placeholderCame(a *app) {
	if !a.gang.timed {
		a.gang.timed, a.gang.expired, a.gang.since = true, false, p.now
	}
	if a.gang.formed || a.state != core.StateAccepted {
		return
	}
	_, staying := a.placeholders()
	has := amounts{}
	for _, k := range staying {
		has.add(k.resources)
	}
	for typ, value := range a.gang.ask {
		if has[typ] < value {
			return
		}
	}
	a.gang.formed = true
	to := core.StateStarting
	if a.straight {
		to = core.StateRunning
	}
	p.move(a, to, core.ReasonGangFormed)
}

// tellToLeave has a placeholder go: a pending one at once, an allocated one as soon as it can.
func (p *partition) tellToLeave(k *ask, why core.Reason) {
	d := core.Decision{Type: core.TimedOut, ID: k.id, App: k.app.id, Reason: why}
	if k.node != nil {
		d.Node, d.Placement = k.node.id, k.placement
		k.leaves = core.ReasonTimeout
	}
	p.decide(d)
	if k.node == nil {
		p.withdraw(k)
		p.forget(k)
	}
}

// tellAllToLeave has all placeholders go that were not told yet.
func (p *partition) tellAllToLeave(a *app, why core.Reason) {
	pending, staying := a.placeholders()
	for _, k := range slices.Concat(pending, staying) {
		p.tellToLeave(k, why)
	}
}

// gangEnds says when the time of the placeholders is over; ok is false where none is measured.
func (a *app) gangEnds() (at time.Duration, ok bool) {
	if a.isTerminal() || a.gang == nil || !a.gang.timed || a.gang.expired {
		return 0, false
	}
	return instant.Add(a.gang.since, a.gang.timeout), true
}

// endGang ends the placeholders whose time is over. If the gang was not formed, the application goes on without it, or fails.
func (p *partition) endGang(a *app) {
	a.gang.expired = true
	p.tellAllToLeave(a, core.ReasonTimeout)
	switch {
	case a.gang.formed:
	case a.gang.hard:
		a.gang.failed = true
		p.move(a, core.StateFailing, core.ReasonGangTimeout)
		for _, k := range slices.Clone(a.asks) {
			if k.node == nil {
				p.withdraw(k)
				p.forget(k)
			}
		}
	default:
		a.gang.failed = true
		p.move(a, core.StateResuming, core.ReasonGangTimeout)
	}
	p.somethingLeft(a)
}

// gangLeft is somethingLeft for a gang. It reports whether that is all that there is to do.
func (p *partition) gangLeft(a *app) bool {
	if !a.hasPlaceholders() {
		a.gang.timed = false
	}
	switch {
	case a.state == core.StateFailing:
		if len(a.asks) == 0 {
			p.move(a, core.StateFailed, core.ReasonFailed)
			p.leaveQueue(a.queue)
		}
		return true
	case a.state == core.StateCompleting:
		if a.gang.ended && !a.hasPlaceholders() {
			p.move(a, core.StateCompleted, core.ReasonCompletingDone)
			p.leaveQueue(a.queue)
		}
		return true
	case a.state == core.StateResuming && len(a.asks) > 0:
		if !a.hasPlaceholders() {
			p.move(a, core.StateAccepted, core.ReasonGangOver)
		}
		return true
	case a.gang.formed && a.made > 0 && !a.hasTasks() && len(a.asks) > 0:
		p.move(a, core.StateCompleting, core.ReasonIdle)
		return true
	}
	return false
}

// endCompleting has the placeholders of an application leave whose 30 seconds are over; it reports whether it had any.
func (p *partition) endCompleting(a *app) bool {
	if a.gang == nil || !a.hasPlaceholders() {
		return false
	}
	a.gang.ended = true
	p.tellAllToLeave(a, core.ReasonAppCompleting)
	p.gangLeft(a)
	return true
}
