package oracle

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// A gang that was placed is whole, broken or over. It is broken if it was whole and has lost members for one of the causes that are
// recorded; then its pending members repair it. It is over if no member is left; then its pending members wait as a new gang.

// members lists the asks of the gang, pending and allocated, in order of submission.
func (g *atomicGang) members() []*ask {
	var all []*ask
	for _, k := range g.app.asks {
		if g.app.atomicOf(k.details.Gang) == g {
			all = append(all, k)
		}
	}
	return all
}

// present lists the allocated members that are not leaving.
func (g *atomicGang) present() []*ask {
	var present []*ask
	for _, k := range g.members() {
		if k.node != nil && !k.isLeaving() {
			present = append(present, k)
		}
	}
	return present
}

// count returns the number of members that are there. A member whose placeholder is leaving for it counts.
func (g *atomicGang) count() int {
	count := len(g.present())
	for _, k := range g.members() {
		if k.replaces != nil {
			count++
		}
	}
	return count
}

func (g *atomicGang) isShort() bool { return g.count() < g.need() }

// repairs lists the pending members that repair a broken gang, in the order of asks: as many as are missing.
func (g *atomicGang) repairs() []*ask {
	var repairs []*ask
	if !g.broken {
		return nil
	}
	for _, k := range g.app.pendingByPriority() {
		if g.app.atomicOf(k.details.Gang) == g && k.replaces == nil && len(repairs) < g.need()-g.count() {
			repairs = append(repairs, k)
		}
	}
	return repairs
}

// isRepair reports whether the ask repairs its gang.
func (k *ask) isRepair() bool {
	g := k.app.atomicOf(k.details.Gang)
	if g == nil {
		return false
	}
	for _, repair := range g.repairs() {
		if repair == k {
			return true
		}
	}
	return false
}

// lost records why a gang loses a member. Only the first cause since the gang was last judged counts.
func (k *ask) lost(why core.Reason) {
	if g := k.app.atomicOf(k.details.Gang); g != nil && g.cause == "" {
		g.cause = why
	}
}

// decideGang records a decision about the gang.
func (p *partition) decideGang(g *atomicGang, what core.DecisionType, why core.Reason) {
	p.decide(core.Decision{Type: what, App: g.app.id, Gang: g.ID, Allocated: g.count(), Min: g.need(), Reason: why})
}

// judgeGangs finds out which gangs are broken, whole again or over, in all partitions. It does so before a cycle, once after inputs.
func (o *Oracle) judgeGangs() {
	if !o.changed {
		return
	}
	o.changed = false
	for _, p := range o.partitions {
		for _, a := range p.liveApps(p.root) {
			for _, g := range a.atomic {
				p.judgeGang(g)
			}
		}
	}
}

// hasRestoredGangs reports whether restored gangs have not been judged.
func (p *partition) hasRestoredGangs() bool {
	for _, a := range p.liveApps(p.root) {
		for _, g := range a.atomic {
			if g.restored {
				return true
			}
		}
	}
	return false
}

func (p *partition) judgeGang(g *atomicGang) {
	if !g.held || g.restored && p.restoredAt == p.now {
		return
	}
	cause := g.cause
	if g.restored {
		g.whole = true // before, so that it is broken if members are missing
		if cause == "" {
			cause = core.ReasonMemberFailed
		}
	}
	g.cause, g.restored = "", false
	switch {
	case g.fellBack:
	case g.count() == 0:
		p.disband(g)
	case !g.isShort():
		p.gangIsWhole(g)
	case !g.broken && g.whole && cause != "":
		p.breakGang(g, cause)
	}
}

// gangIsWhole records that enough members are there.
func (p *partition) gangIsWhole(g *atomicGang) {
	g.whole = true
	if g.broken {
		g.broken = false
		p.decideGang(g, core.GangRepaired, "")
	}
}

func (p *partition) breakGang(g *atomicGang, why core.Reason) {
	g.broken, g.brokenSince = true, p.now
	p.decideGang(g, core.GangBroken, why)
	if g.Repair.Bounded && g.Repair.Within == 0 {
		p.endBroken(g)
	}
}

// endBroken makes the last members of a gang leave, which was broken for too long.
func (p *partition) endBroken(g *atomicGang) {
	if g.count() > 0 {
		d := core.Decision{Type: core.GangEnded, App: g.app.id, Gang: g.ID, Allocated: g.count(), Min: g.need()}
		for _, k := range inAllocationOrder(g.present()) {
			d.Members = append(d.Members, core.Member{ID: k.id, Placement: k.placement})
		}
		p.decide(d)
	}
	for _, k := range g.present() {
		k.leaves, k.leavesSince = core.ReasonGangBroken, p.now
	}
	p.disband(g)
}

// disband makes the pending and later members of a gang wait as a new gang.
func (p *partition) disband(g *atomicGang) {
	g.placed, g.held, g.whole, g.broken, g.restored, g.cause = false, false, false, false, false, ""
	for _, k := range g.members() {
		k.slice = 0
	}
	clear(g.sliceDone)
	g.since = p.now
}

// repairEnds lists when the broken gangs of the application end.
func (a *app) repairEnds() []time.Duration {
	var all []time.Duration
	for _, g := range a.atomic {
		if !a.isTerminal() && g.broken && g.Repair.Bounded {
			all = append(all, instant.Add(g.brokenSince, g.Repair.Within))
		}
	}
	return all
}

// endBrokenGangs ends the gangs of the application that were broken for too long.
func (p *partition) endBrokenGangs(a *app) {
	for _, g := range a.atomic {
		if g.broken && g.Repair.Bounded && instant.Add(g.brokenSince, g.Repair.Within) <= p.now && g.isShort() {
			p.endBroken(g)
		}
	}
}

// memberAllocated records that a member of a gang was allocated or restored.
func (p *partition) memberAllocated(k *ask) {
	g := k.app.atomicOf(k.details.Gang)
	if g == nil || g.fellBack {
		return
	}
	if !g.isShort() && !g.restored {
		p.gangIsWhole(g)
	}
}
