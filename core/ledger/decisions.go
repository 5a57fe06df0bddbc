package ledger

import "github.com/quern-project/quern/core"

func (l *Ledger) decision(d *core.Decision) {
	switch d.Type {
	case core.Allocation:
		l.allocated(d)
	case core.Release:
		l.released(l.asks.at(d.Submission), d.Reason)
	case core.AppAccepted:
		l.Totals.Apps++
		l.apps[d.ID] = &app{id: d.ID, queue: l.queue(core.ShownPath(d.Partition, d.Queue)), partition: d.Partition}
	case core.AppState:
		if d.To == core.StateFailing {
			l.dropPending(l.apps[d.ID])
		}
		if d.To == core.StateCompleted || d.To == core.StateFailed || d.To == core.StateRejected {
			delete(l.apps, d.ID)
		}
	case core.NodeAccepted:
		l.Totals.Nodes++
		l.nodes[d.ID].Partition = d.Partition
	case core.AskRejected:
		l.Totals.Rejected++
	case core.Preemption, core.Observed:
		l.preempted(d)
	case core.Replaced:
		l.Totals.Replaced++
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
	a := l.asks.at(d.Submission)
	l.Totals.Allocated++
	a.Queue.waits.Add(l.Now - a.Submitted)
	l.stopWaiting(a)
	l.occupy(a, l.nodes[d.Node])
}

// occupy books an ask's amounts on its node and in its queues.
func (l *Ledger) occupy(a *Ask, n *Node) {
	a.Node = n
	n.Used = n.Used.add(a.Shape.Amounts)
	l.Used = l.Used.add(a.Shape.Amounts)
	for q := a.Queue; q != nil; q = q.Parent {
		q.Used = q.Used.add(a.Shape.Amounts)
		q.Running++
	}
	for _, w := range l.watchers {
		w.Placed(a)
	}
}

func (l *Ledger) released(a *Ask, reason core.Reason) {
	a.Node.Used.sub(a.Shape.Amounts)
	l.Used.sub(a.Shape.Amounts)
	for q := a.Queue; q != nil; q = q.Parent {
		q.Used.sub(a.Shape.Amounts)
		q.Running--
	}
	for _, w := range l.watchers {
		w.Released(a, reason)
	}
	l.dropAsk(a)
}

// timedOut follows the end of a placeholder. One that is allocated has yet to leave.
func (l *Ledger) timedOut(d *core.Decision) {
	l.Totals.TimedOut++
	if d.Node == "" {
		l.withdraw(l.ask(d.ID))
	}
}

// dropPending withdraws the pending asks of an application that fails.
func (l *Ledger) dropPending(p *app) {
	for a := p.pending; a != nil; a = p.pending {
		l.withdraw(a)
	}
}

func (l *Ledger) preempted(d *core.Decision) {
	victim, by := l.ask(d.ID), l.ask(d.For)
	if victim == nil || victim.Node == nil || by == nil {
		return
	}
	p := Preemption{Victim: victim, For: by, Kind: kindOf(victim, by), Observed: d.Type == core.Observed}
	if p.Observed {
		l.Totals.Observed++
	} else {
		l.Totals.count(p.Kind)
		for q := victim.Queue; q != nil; q = q.Parent {
			q.Victims++
		}
	}
	for _, w := range l.watchers {
		w.Preempted(p)
	}
}

// kindOf says by what right an ask takes an allocation: one with a required node takes for no other reason, and guarantees
// move nothing within a queue.
func kindOf(victim, by *Ask) core.PreemptionKind {
	switch {
	case by.Shape.Node != "":
		return core.ByNode
	case by.Queue == victim.Queue:
		return core.ByIntraQueue
	}
	return core.ByGuarantee
}
