package oracle

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// gang is the gang of an application with placeholders.
type gang struct {
	ask     amounts // the sum of the placeholders
	hard    bool
	unit    bool // it is preempted as one
	timeout time.Duration

	formed  bool
	failed  bool          // it did not form in time
	timed   bool          // the timeout runs: a placeholder was allocated, and there have been placeholders since
	since   time.Duration // start of the timeout
	expired bool          // the timeout has expired, and the placeholders are leaving
	ended   bool          // the application is Completing, and the placeholders are leaving
}

const placeholderTimeout = 15 * time.Minute

// newGang makes the gang of an input, or returns nil if the application has no placeholders.
func newGang(in *core.AddApp) *gang {
	if in.Placeholders == nil || in.Placeholders.Ask.IsZero() {
		return nil
	}
	g := &gang{
		ask: amountsOf(in.Placeholders.Ask), hard: in.Placeholders.Hard, timeout: in.Placeholders.Timeout, unit: in.Placeholders.Unit,
	}
	if g.timeout == 0 {
		g.timeout = placeholderTimeout
	}
	return g
}

// gangRefusal returns the reason why a gang cannot run in its leaf, or "".
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

// gangAsk returns the sum of the placeholders of a live application.
func (a *app) gangAsk() amounts {
	if a.gang == nil || a.isTerminal() {
		return nil
	}
	return a.gang.ask
}

func (g *gang) fits(most resource.Set) bool { return !g.ask.exceed(most) }

func (k *ask) isPlaceholder() bool { return k.details.Placeholder }

// placeholders lists the application's pending placeholders in scheduling order, and the allocated ones that are not leaving, oldest first.
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

// holdsPlaceholder reports whether a placeholder of the application is allocated.
func (a *app) holdsPlaceholder() bool {
	return slices.ContainsFunc(a.asks, func(k *ask) bool { return k.isPlaceholder() && k.node != nil })
}

func (a *app) hasPlaceholders() bool { return slices.ContainsFunc(a.asks, (*ask).isPlaceholder) }
func (a *app) hasTasks() bool {
	return slices.ContainsFunc(a.asks, func(k *ask) bool { return !k.isPlaceholder() })
}

// refusesPlaceholder returns the reason why the application refuses a placeholder, or "".
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

// waitsForGang reports whether the tasks of the application wait until its gang is formed.
func (a *app) waitsForGang() bool {
	return a.gang != nil && !a.gang.formed && !a.gang.failed && a.hasPlaceholders()
}

// placeholderAllocated updates the gang of an application after a placeholder was allocated: the timeout starts, and the gang may be formed.
func (p *partition) placeholderAllocated(a *app) {
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
	if a.skipsStarting {
		to = core.StateRunning
	}
	p.move(a, to, core.ReasonGangFormed)
}

// releasePlaceholder removes a pending placeholder, or makes an allocated one leave.
func (p *partition) releasePlaceholder(k *ask, why core.Reason) {
	d := core.Decision{Type: core.TimedOut, ID: k.id, App: k.app.id, Reason: why}
	if k.node != nil {
		d.Node, d.Placement = k.node.id, k.placement
		k.leaves, k.leavesSince = core.ReasonTimeout, p.now
	}
	p.decide(d)
	if k.node == nil {
		p.withdraw(k)
		p.forget(k)
	}
}

// releasePlaceholders releases all placeholders that are not leaving yet.
func (p *partition) releasePlaceholders(a *app, why core.Reason) {
	pending, staying := a.placeholders()
	for _, k := range slices.Concat(pending, staying) {
		p.releasePlaceholder(k, why)
	}
}

// gangEnds returns when the timeout of the placeholders expires. ok is false if no timeout runs.
func (a *app) gangEnds() (at time.Duration, ok bool) {
	if a.isTerminal() || a.gang == nil || !a.gang.timed || a.gang.expired {
		return 0, false
	}
	return instant.Add(a.gang.since, a.gang.timeout), true
}

// endGang releases the placeholders after their timeout. If the gang was not formed, the application continues without it, or fails.
func (p *partition) endGang(a *app) {
	a.gang.expired = true
	p.releasePlaceholders(a, core.ReasonTimeout)
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
	p.removed(a)
}

// gangMemberRemoved is removed for an application with placeholders. It reports whether there is nothing else to do.
func (p *partition) gangMemberRemoved(a *app) bool {
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

// endCompleting releases the placeholders of an application that has been Completing for 30 seconds. It reports whether there were any.
func (p *partition) endCompleting(a *app) bool {
	if a.gang == nil || !a.hasPlaceholders() {
		return false
	}
	a.gang.ended = true
	p.releasePlaceholders(a, core.ReasonAppCompleting)
	p.gangMemberRemoved(a)
	return true
}
