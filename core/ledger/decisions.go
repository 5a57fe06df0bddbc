package ledger

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/instant"
)

func (l *Ledger) decision(d *core.Decision) {
	switch d.Type {
	case core.Allocation:
		l.allocated(d)
	case core.Release:
		l.cycles.Decided(d)
		l.released(l.askOf(d), d.Reason)
	case core.AppAccepted:
		l.Totals.Apps++
		l.apps[d.ID] = &app{id: d.ID, queue: l.queue(core.ShownPath(d.Partition, d.Queue)), partition: d.Partition}
	case core.AppState:
		if p := l.apps[d.ID]; p != nil && p.gangs != nil && p.gangs.holding != nil {
			l.gangState(p.gangs.holding, d)
		}
		if d.To == core.StateFailing {
			l.dropPending(l.apps[d.ID])
		}
		if d.To == core.StateCompleted || d.To == core.StateFailed || d.To == core.StateRejected {
			l.endApp(d.ID)
		}
	case core.AppMoved:
		a := l.apps[d.ID]
		l.moved(a, l.queue(core.ShownPath(a.partition, d.To)))
		l.cycles.Decided(d)
	case core.NodeAccepted:
		l.Totals.Nodes++
		l.nodes[d.ID].Partition = d.Partition
	case core.NodeRejected, core.AppRejected, core.Ignored:
		l.refused.count(d.Type, d.Reason, d.ID)
	case core.AskRejected:
		l.Totals.Rejected++
		l.refused.count(d.Type, d.Reason, d.ID)
		if d.Reason == core.ReasonGangTimeout { // for other reasons, the ask was never accepted, or shares its ID with another ask that was
			a := l.ask(d.ID)
			l.settle(&a.gang.Gang, GangTimedOut)
			l.stopPending(a)
		}
	case core.GangFallback:
		l.settle(&l.apps[d.App].gangs.atomic[d.Gang].Gang, GangTimedOut)
	case core.GangBroken, core.GangRepaired, core.GangEnded:
		l.gangChanged(d)
	case core.Preemption, core.Observed:
		l.preempted(d)
	case core.ConfigAccepted, core.Lapsed:
		l.cycles.Decided(d)
	case core.Exceeded:
		l.Totals.Exceeded++
	case core.Replaced:
		l.Totals.Replaced++
		l.replaced(d)
	case core.TimedOut:
		l.timedOut(d)
	case core.PolicyFault:
		if l.Totals.Faults == nil {
			l.Totals.Faults = map[string]int{}
		}
		l.Totals.Faults[d.Policy]++
	}
}

func (l *Ledger) allocated(d *core.Decision) {
	a := l.askOf(d)
	l.Totals.Allocated++
	a.Queue.waits.Add(instant.Sub(l.Now, a.Submitted))
	if a.gang != nil {
		l.settle(&a.gang.Gang, GangFormed)
	}
	l.stopWaiting(a)
	l.occupy(a, l.nodes[d.Node])
}

// occupy adds an ask's amounts to the usage of its node and queues.
func (l *Ledger) occupy(a *Ask, n *Node) {
	a.Node = n
	n.Used = n.Used.add(a.Shape.Amounts)
	l.Used = l.Used.add(a.Shape.Amounts)
	l.enterQueue(a)
	l.serve(a)
	l.placed(a)
	for _, w := range l.watchers {
		w.Placed(a)
	}
}

func (l *Ledger) released(a *Ask, reason core.Reason) {
	a.Node.Used.sub(a.Shape.Amounts)
	l.Used.sub(a.Shape.Amounts)
	l.leaveQueue(a)
	l.unserve(a, reason)
	l.left(a, reason)
	l.ended.count("", reason, a.ID)
	for _, w := range l.watchers {
		w.Released(a, reason)
	}
	l.dropAsk(a)
}

// timedOut records the end of a placeholder. An allocated one leaves later.
func (l *Ledger) timedOut(d *core.Decision) {
	l.Totals.TimedOut++
	l.placeholderEnded(d.App)
	if d.Node == "" {
		l.withdraw(l.ask(d.ID))
	}
}

// dropPending withdraws the pending asks of an application that is removed or fails.
func (l *Ledger) dropPending(p *app) {
	for a := p.asks; a != nil; {
		next := a.then
		if a.Node == nil {
			l.withdraw(a)
		}
		a = next
	}
}

func (l *Ledger) preempted(d *core.Decision) {
	p := Preemption{Victim: l.ask(d.ID), Observed: d.Type == core.Observed}
	if p.Victim == nil || p.Victim.Node == nil {
		return
	}
	if d.Quota != "" {
		p.Quota, p.Kind = l.queue(core.ShownPath(p.Victim.app.partition, d.Quota)), explain.ByQuota
	} else if p.For = l.ask(d.For); p.For != nil {
		if p.Kind = kindOf(p.Victim, p.For); d.Right == core.RightSurplus {
			p.Kind = explain.BySurplus
		}
	} else {
		return
	}
	if p.Observed {
		l.Totals.Observed++
	} else {
		if d.GangEnded && p.Victim.gang != nil {
			l.endAtomic(p.Victim.app, p.Victim.gang)
		}
		l.goesRound(d, &p)
		l.Totals.count(p.Kind)
		for q := p.Victim.Queue; q != nil; q = q.Parent {
			q.Victims++
			if p.Kind == explain.ByQuota {
				q.ByQuota++
			}
		}
		if p.Quota != nil {
			l.gaveBack(p)
		}
	}
	for _, w := range l.watchers {
		w.Preempted(p)
	}
}

// kindOf returns the right by which an ask preempts an allocation. An ask with a required node has no other right, and guarantees do
// not apply within a queue.
func kindOf(victim, by *Ask) explain.PreemptionKind {
	switch {
	case by.Shape.Node != "":
		return explain.ByNode
	case by.Queue == victim.Queue:
		return explain.ByIntraQueue
	}
	return explain.ByGuarantee
}

// moved moves an application with its asks and allocations to another queue.
func (l *Ledger) moved(p *app, to *Queue) {
	for a := p.asks; a != nil; a = a.then {
		if a.Node != nil {
			l.spend(a)
		}
	}
	p.queue, p.jobs = to, nil
	for a := p.asks; a != nil; a = a.then {
		l.leaveQueue(a)
		a.Queue = to
		l.enterQueue(a)
	}
}

// enterQueue counts an ask or allocation in its queue and the ancestors.
func (l *Ledger) enterQueue(a *Ask) {
	for q := a.Queue; q != nil; q = q.Parent {
		if a.Node == nil {
			q.Pending++
			continue
		}
		q.Used = q.Used.add(a.Shape.Amounts)
		q.Running++
	}
}

func (l *Ledger) leaveQueue(a *Ask) {
	for q := a.Queue; q != nil; q = q.Parent {
		if a.Node == nil {
			q.Pending--
			continue
		}
		q.Used.sub(a.Shape.Amounts)
		q.Running--
	}
}
