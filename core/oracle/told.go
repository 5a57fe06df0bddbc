package oracle

import (
	"fmt"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// toldPlan is what was last said about a plan.
type toldPlan struct {
	subject subject
	app     *app
	id      string
	start   time.Duration
	nodes   []*node
	asks    []*ask
	facts   string
}

// circumstances is what plans rested on when they were last told.
type circumstances struct {
	ends    map[*ask]time.Duration
	windows map[*window]bool // whether they are open
	rooms   map[*node]*node  // copies
	reloads int
}

func (p *partition) circumstancesNow() circumstances {
	c := circumstances{ends: map[*ask]time.Duration{}, rooms: map[*node]*node{}, windows: map[*window]bool{}, reloads: p.reloads}
	for _, w := range p.windows {
		c.windows[w] = w.opened
	}
	for _, k := range p.ownAsks() {
		if k.node != nil {
			c.ends[k] = p.expectedEnd(k)
		}
	}
	for _, n := range p.nodes {
		own := *n
		c.rooms[n] = &own
	}
	return c
}

// factsOf describes what asks that start together ask for.
func factsOf(asks []*ask) string {
	text := ""
	for _, k := range asks {
		text += fmt.Sprintln(k.id, k.resources, k.wishes, k.priority, k.promise.walltime, k.app.queue.path(), k.details.Predicate)
	}
	return text
}

// tellPlans records decisions about the plans that differ from what was told last: first those that ended, then the others in walk order.
func (p *partition) tellPlans() {
	if !p.plans() && len(p.told) == 0 {
		return
	}
	told := p.told
	p.told = nil
	slices.SortStableFunc(told, func(a, b toldPlan) int { return a.asks[0].submission - b.asks[0].submission })
	for _, t := range told {
		if !slices.ContainsFunc(p.planned, func(pl *plan) bool { return pl.subject == t.subject }) {
			if why := p.whyEnded(t); why != "" {
				p.decidePlan(t, nil, why)
			}
		}
	}
	for _, pl := range p.planned {
		next := tell(pl)
		i := slices.IndexFunc(told, func(t toldPlan) bool { return t.subject == pl.subject })
		if i < 0 {
			p.decidePlan(next, &next.start, core.ReasonPlanned)
		} else if why := p.whyTold(told[i], next); why != "" {
			p.decidePlan(next, &next.start, why)
		} else {
			next = told[i]
		}
		p.told = append(p.told, next)
	}
	p.before = p.circumstancesNow()
}

// sites lists the asks with their nodes, by submission.
func (t toldPlan) sites() []string {
	var list []string
	for i, k := range t.asks {
		list = append(list, fmt.Sprint(k.submission, " ", t.nodes[i].id))
	}
	slices.Sort(list)
	return list
}

func tell(pl *plan) toldPlan {
	t := toldPlan{subject: pl.subject, app: pl.asks[0].app, id: pl.asks[0].id, start: pl.start, asks: pl.asks, facts: factsOf(pl.asks)}
	for _, k := range pl.asks {
		t.nodes = append(t.nodes, pl.nodes[k])
	}
	return t
}

func (p *partition) decidePlan(t toldPlan, start *time.Duration, why core.Reason) {
	d := core.Decision{Type: core.Plan, ID: t.id, App: t.app.id, Start: start, Reason: why}
	if t.subject.gang != nil {
		d.Gang = t.subject.gang.ID
	}
	for _, n := range t.nodes {
		switch {
		case start == nil:
		case t.subject.gang == nil:
			d.Node = n.id
		default:
			d.Nodes = append(d.Nodes, n.id)
		}
	}
	p.decide(d)
}

// whyTold returns the reason for telling a plan again, or "". A start that is earlier by less than a tenth of the wait is not told.
func (p *partition) whyTold(last, next toldPlan) core.Reason {
	gained, wait := instant.Sub(last.start, next.start), instant.Sub(last.start, p.now)
	switch {
	case gained < 0:
		return p.whyLater(last, next)
	case gained > 0 && gained >= instant.Add(wait/10, min(1, wait%10)):
		return core.ReasonEarlier
	case !slices.Equal(last.sites(), next.sites()):
		return core.ReasonNode
	}
	return ""
}

// whyLater returns the first cause, since the last plans were told, that makes plans later.
func (p *partition) whyLater(last, next toldPlan) core.Reason {
	switch {
	case last.facts != next.facts:
		return core.ReasonChanged
	case p.someoneStays():
		return core.ReasonOverrun
	case p.windowCame():
		return core.ReasonWindow
	case p.capacityFell():
		return core.ReasonCapacity
	}
	return core.ReasonOutranked
}

// someoneStays reports whether an allocation is expected to leave later than before.
func (p *partition) someoneStays() bool {
	for k, at := range p.before.ends {
		if k.node != nil && p.expectedEnd(k) > at {
			return true
		}
	}
	return false
}

// windowCame reports whether a window opened or came.
func (p *partition) windowCame() bool {
	return slices.ContainsFunc(p.windows, func(w *window) bool { open, known := p.before.windows[w]; return !known || w.opened && !open })
}

// capacityFell reports whether a node has less room when empty, takes no asks any more or is gone, or the configuration was replaced.
func (p *partition) capacityFell() bool {
	for n, was := range p.before.rooms {
		if !slices.Contains(p.nodes, n) || was.schedulable && !n.schedulable {
			return true
		}
		if none := func(*ask) bool { return false }; haveMore(p.slotsBeside(was, none), p.slotsBeside(n, none)) {
			return true
		}
		for _, q := range was.capacity {
			if n.roomWhenEmpty(q.Type) < was.roomWhenEmpty(q.Type) {
				return true
			}
		}
	}
	return p.before.reloads != p.reloads
}

// whyEnded returns the reason for which a plan ended, or "" if its ask was allocated or its application removed.
func (p *partition) whyEnded(t toldPlan) core.Reason {
	first := t.asks[0]
	switch {
	case t.app.isTerminal(), t.hasStarted():
		return ""
	case slices.ContainsFunc(t.asks, func(k *ask) bool { return !slices.Contains(k.app.asks, k) }):
		return core.ReasonWithdrawn
	case !p.plans():
		return core.ReasonUnplanned
	case !p.eligible(first.app), slices.ContainsFunc(t.asks, func(k *ask) bool { return !p.isOrdinary(k) }), p.isBarred(t.asks):
		return core.ReasonBarred
	case slices.Contains(p.outOfReach, first):
		return core.ReasonOutOfReach
	}
	return core.ReasonUnplanned
}

// hasStarted reports whether the ask, or its gang, was placed.
func (t toldPlan) hasStarted() bool {
	if g := t.subject.gang; g != nil {
		return g.placed && !g.fellBack
	}
	return t.subject.ask.allocation != 0
}

// isBarred reports whether a maximum bars asks even if nobody else runs, or a limit bars them now.
func (p *partition) isBarred(asks []*ask) bool {
	return len(p.nodes) == 0 || !p.mayEverFit(asks) || !p.withinLimitsTogether(asks)
}
