package oracle

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/resource"
)

// moveApp moves an application with its asks and allocations to another queue of its partition, if that has room for it.
func (p *partition) moveApp(in *core.MoveApp) {
	a := p.findApp(in.ID)
	if a == nil {
		p.ignore(in, core.ReasonUnknownApplication)
		return
	}
	if why := p.wrongLeaf(&core.AddApp{Queue: in.Queue, User: a.user, Groups: a.groups}); why != "" {
		p.ignore(in, why)
		return
	}
	from, to := a.queue, p.findQueue(strings.ToLower(in.Queue))
	if a.gang != nil && to.settings.AppSort != config.FIFO && to.settings.AppSort != config.StateAware {
		p.ignore(in, core.ReasonGangSortPolicy)
		return
	}
	if why := p.moveRefusal(a, to); why != "" {
		p.ignore(in, why)
		return
	}
	p.decide(core.Decision{Type: core.AppMoved, ID: a.id, From: from.path(), To: to.path()})
	if from == to {
		return
	}
	for _, k := range a.asks {
		p.unreserve(k, "")
		p.dropHeld(k)
		if p.claimOf(k) != nil {
			p.lapse(k, core.ReasonMoved)
		}
	}
	p.enter(a, to)
	if len(a.allocated()) > 0 {
		common := from
		for !common.holds(to) {
			common = common.parent
		}
		p.usageChanged(a, from, common)
		p.usageChanged(a, to, common)
	}
	p.leaveQueue(from)
}

// moveRefusal returns the bound of the queue that the application would exceed, or "". Queues in which the application already counts are
// not checked.
func (p *partition) moveRefusal(a *app, to *queue) core.Reason {
	from, group := a.queue, a.group()
	claims := slices.DeleteFunc(slices.Clone(p.claims), func(c *claim) bool { return c.ask.app == a })
	place := p.holdsPlace(a) && (a.state != core.StateAccepted || a.holdsPlaceholder()) // claims do not count, since they end
	a.queue = to
	defer func() { a.queue = from }()
	entered := slices.DeleteFunc(to.chain(), func(q *queue) bool { return q.holds(from) })
	for _, q := range entered {
		if used := p.usedOrClaimedBy(q, everyone, claims); exceeds(a, used, q.settings.Max) {
			return core.ReasonHeadroom
		}
	}
	for _, b := range p.boundsOf(a) {
		isNew := !b.queue.holds(from) || b.group && a.group() != group
		if isNew && exceeds(a, p.usedOrClaimedBy(b.queue, b.counts, claims), b.limit.MaxResources) {
			return reasonBy(b, core.ReasonUserLimit, core.ReasonGroupLimit)
		}
	}
	if !place {
		return ""
	}
	for _, q := range entered {
		if most := q.settings.MaxApplications; most > 0 && p.running(q) > most {
			return core.ReasonMaxApplications
		}
	}
	for _, b := range p.boundsOf(a) {
		isNew := !b.queue.holds(from) || b.group && a.group() != group
		if most := b.limit.MaxApplications; isNew && most > 0 && p.placesOf(b.queue, b.counts) > most {
			return reasonBy(b, core.ReasonUserMaxApplications, core.ReasonGroupMaxApplications)
		}
	}
	return ""
}

func reasonBy(b appliedLimit, user, group core.Reason) core.Reason {
	if b.group {
		return group
	}
	return user
}

// exceeds reports whether usage exceeds a bound, for a type that the application uses.
func exceeds(a *app, used amounts, most resource.Set) bool {
	own := amounts{}
	for _, k := range a.allocated() {
		own.add(k.resources)
	}
	return slices.ContainsFunc(most, func(q resource.Quantity) bool { return own[q.Type] > 0 && used[q.Type] > q.Value })
}
