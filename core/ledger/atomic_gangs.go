package ledger

import (
	"time"

	"github.com/quern-project/quern/core"
)

// atomicGang is a gang with live members.
type atomicGang struct {
	Gang
	members int // asks and allocations
	placed  int // of members
}

// joinGang makes an ask a member of its gang.
func (l *Ledger) joinGang(a *Ask, g *core.Gang) {
	p := a.app
	if p.gangs == nil {
		p.gangs = &appGangs{}
	}
	known := p.gangs.atomic[g.ID]
	if known == nil {
		known = l.newAtomic(p, g.ID, g.Min)
	}
	known.members++
	a.gang = known
}

func (l *Ledger) newAtomic(p *app, name string, least int) *atomicGang {
	g := &atomicGang{Gang: Gang{App: p.id, Name: name, Queue: p.queue.Path, Since: l.Now, Min: least, Outcome: GangWaits}}
	if p.gangs.atomic == nil {
		p.gangs.atomic = map[string]*atomicGang{}
	}
	p.gangs.atomic[name] = g
	return g
}

// land records that a member was allocated.
func (g *atomicGang) land(now time.Duration) {
	if g.placed++; g.placed == 1 && g.Outcome == GangFormed {
		g.whole.start(now)
	}
}

// leave records that an allocated member has left.
func (g *atomicGang) leave(now time.Duration) {
	if g.placed--; g.placed == 0 {
		g.whole.stop(now)
	}
}

// gangChanged records that a gang is whole no more, or again.
func (l *Ledger) gangChanged(d *core.Decision) {
	p := l.apps[d.App]
	if p == nil || p.gangs == nil || p.gangs.atomic[d.Gang] == nil {
		return
	}
	g := p.gangs.atomic[d.Gang]
	switch d.Type {
	case core.GangBroken:
		g.whole.stop(l.Now)
	case core.GangRepaired:
		g.whole.start(l.Now)
	default:
		l.endAtomic(p, g)
	}
}

// endAtomic ends the wait and service of a gang whose last members were asked to leave. The ledger counts its other members as a new gang,
// which waits from this moment.
func (l *Ledger) endAtomic(p *app, g *atomicGang) {
	if p.gangs.atomic[g.Name] != g {
		return // it has ended already
	}
	delete(p.gangs.atomic, g.Name)
	g.course.leave(l.Now, core.ReasonGangBroken)
	l.endGang(p, &g.Gang)
	if g.members == g.placed {
		return
	}
	next := l.newAtomic(p, g.Name, g.Min)
	for a := p.asks; a != nil; a = a.then {
		if a.gang == g && a.Node == nil {
			a.gang = next
			next.members++
			g.members--
		}
	}
}

// leaveGang removes a member that has ended. The last one ends the gang.
func (l *Ledger) leaveGang(a *Ask) {
	g := a.gang
	if g.members--; g.members > 0 || a.app.gangs.atomic[g.Name] != g {
		return // or it ended before
	}
	delete(a.app.gangs.atomic, g.Name)
	l.settle(&g.Gang, GangWithdrawn)
	l.endGang(a.app, &g.Gang)
}
