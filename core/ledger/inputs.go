package ledger

import (
	"time"

	"github.com/quern-project/quern/core"
)

// follow applies the effects of an accepted event that no decision describes.
func (l *Ledger) follow(e core.Event) {
	switch e := e.(type) {
	case *core.AddAsk:
		a := l.newAsk(e)
		l.wait(a)
		for _, w := range l.watchers {
			w.Submitted(a)
		}
	case *core.AddNode:
		l.addNode(e)
	case *core.UpdateNode:
		l.updateNode(l.nodes[e.ID], e)
	case *core.DrainNode:
		l.nodes[e.ID].Schedulable = false
	case *core.ResumeNode:
		l.nodes[e.ID].Schedulable = true
	case *core.RemoveNode:
		l.Capacity.sub(l.nodes[e.ID].Capacity)
		delete(l.nodes, e.ID)
	case *core.RemoveApp: // decisions release its allocations
		l.dropPending(l.apps[e.ID])
	case *core.UpdateAsk:
		l.updateAsk(l.ask(e.ID), e)
	case *core.RemoveAsk:
		l.withdraw(l.ask(e.ID))
	case *core.SetState:
		l.renumbered = true
	case *core.RestoreAllocation:
		a := l.newAsk(&e.AddAsk)
		a.Restored = true
		if a.gang != nil {
			a.gang.Outcome = GangFormed // before the run, so it does not count
		}
		l.occupy(a, l.nodes[e.PlacedOn])
	case *core.AddApp, *core.MoveApp, *core.ReleaseAllocation, *core.AddWindow, *core.RemoveWindow, *core.SetConfig: // decisions describe their effects
	case *core.SetPolicy, *core.RemovePolicy, *core.RecordAnswers, *core.Tick:
	}
}

// Resumed corrects the start of waits after a journal began with a state: its pending asks and gangs have waited since their
// submission, not since the journal began. apps are the applications of the state.
func (l *Ledger) Resumed(apps []core.AppDump) {
	for i := range apps {
		dump := &apps[i]
		p := l.apps[dump.ID]
		if p == nil {
			continue // it is terminal
		}
		if p.gangs != nil && p.gangs.holding != nil {
			p.gangs.holding.Since = dump.Submitted
		}
		for j := range dump.Asks {
			if ask := &dump.Asks[j]; ask.Node == "" {
				l.resumed(l.ask(ask.ID), ask.Submitted)
			}
		}
	}
}

func (l *Ledger) resumed(a *Ask, submitted time.Duration) {
	a.Submitted = submitted
	a.app.first = min(a.app.first, submitted)
	if a.gang != nil {
		a.gang.Since = min(a.gang.Since, submitted)
	}
}

func (l *Ledger) addNode(in *core.AddNode) {
	n := &Node{
		ID: in.ID, Attributes: in.Attributes, Schedulable: !in.Unschedulable,
		Capacity: l.amounts(in.Capacity), Occupied: l.amounts(in.Occupied),
	}
	l.nodes[n.ID] = n
	l.Capacity = l.Capacity.add(n.Capacity)
}

func (l *Ledger) updateNode(n *Node, in *core.UpdateNode) {
	if in.Capacity != nil {
		l.Capacity.sub(n.Capacity)
		n.Capacity = l.amounts(in.Capacity)
		l.Capacity = l.Capacity.add(n.Capacity)
	}
	if in.Occupied != nil {
		n.Occupied = l.amounts(in.Occupied)
	}
	if in.Attributes != nil {
		n.Attributes = in.Attributes
	}
}

// newAsk adds an ask.
func (l *Ledger) newAsk(in *core.AddAsk) *Ask {
	if len(l.spare) == 0 {
		block := make([]Ask, 64)
		for i := range block {
			l.spare = append(l.spare, &block[i])
		}
	}
	last := len(l.spare) - 1
	a := l.spare[last]
	l.spare = l.spare[:last]
	p := l.apps[in.App]
	*a = Ask{
		ID: in.ID, Queue: p.queue, Submitted: l.Now, Priority: in.Ask.Priority, Placeholder: in.Ask.Placeholder, app: p,
		Shape: l.shapeOf(p.partition, in.Resources, in.Ask.Constraints, in.Ask.Node),
	}
	p.add(a)
	p.ask(l.Now)
	if in.Ask.Gang != nil {
		l.joinGang(a, in.Ask.Gang)
	}
	l.asks.add(a)
	if l.named != nil {
		l.named[a.ID] = a
	}
	return a
}

// dropAsk removes an ask or allocation.
func (l *Ledger) dropAsk(a *Ask) {
	a.app.drop(a)
	if a.gang != nil {
		l.leaveGang(a)
	}
	l.asks.remove(a)
	if l.named != nil {
		delete(l.named, a.ID)
	}
	l.dropShape(a.Shape)
	l.spare = append(l.spare, a)
}

func (l *Ledger) updateAsk(a *Ask, in *core.UpdateAsk) {
	if in.Priority != nil {
		a.Priority = *in.Priority
	}
	if in.Resources != nil {
		old := a.Shape
		a.Shape = l.shapeOf(old.Partition, in.Resources, old.Constraints, old.Node)
		a.Shape.Pending++
		old.Pending--
		l.dropShape(old)
	}
}

// wait appends an ask to the list of pending asks.
func (l *Ledger) wait(a *Ask) {
	a.prev = l.newest
	if l.newest != nil {
		l.newest.next = a
	} else {
		l.oldest = a
	}
	l.newest = a
	l.count(a, 1)
}

// stopWaiting removes an ask from the list of pending asks.
func (l *Ledger) stopWaiting(a *Ask) {
	if a.prev != nil {
		a.prev.next = a.next
	} else {
		l.oldest = a.next
	}
	if a.next != nil {
		a.next.prev = a.prev
	} else {
		l.newest = a.prev
	}
	a.prev, a.next = nil, nil
	l.count(a, -1)
}

func (l *Ledger) count(a *Ask, by int) {
	l.Pending += by
	a.Shape.Pending += by
	for q := a.Queue; q != nil; q = q.Parent {
		q.Pending += by
	}
}

// withdraw removes a pending ask that was not rejected.
func (l *Ledger) withdraw(a *Ask) {
	l.ended.count("", Withdrawn, a.ID)
	if l.endings != nil {
		l.endings.withdrawn(a, l.Now)
	}
	l.stopPending(a)
}

// stopPending removes a pending ask.
func (l *Ledger) stopPending(a *Ask) {
	l.stopWaiting(a)
	for _, w := range l.watchers {
		w.Withdrawn(a)
	}
	l.dropAsk(a)
}
