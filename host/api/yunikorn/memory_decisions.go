package yunikorn

import (
	"fmt"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// decided learns from a decision, which the input brought at once; nil: none did.
func (m *Memory) decided(in *core.Input, d *core.Decision) {
	switch d.Type {
	case core.AppAccepted:
		m.accepted(in, d)
	case core.AppRejected:
		m.refused(in, d)
	case core.AppState:
		m.moves(d)
	case core.AppMoved:
		m.changesQueue(d)
	case core.Allocation:
		if k := m.asks[d.ID]; k != nil {
			m.allocated(d.At, k, d.Node)
		}
	case core.AskRejected:
		if d.Reason == core.ReasonGangTimeout {
			m.rejects(d.At, d.ID)
		}
	case core.Release:
		m.released(d)
	case core.Preemption:
		m.preempts(d)
	case core.Replaced:
		m.replaces(d)
	case core.TimedOut:
		m.timesOut(d)
	case core.Reservation:
		m.tell(d.At, event{kind: eventNode, object: d.Node, other: d.ID, change: changeAdd, detail: nodeReservation})
	case core.Unreservation:
		m.tell(d.At, event{kind: eventNode, object: d.Node, other: d.ID, change: changeRemove, detail: nodeReservation, message: string(d.Reason)})
	case core.QueueState:
		m.queueMoves(d)
	}
}

func (m *Memory) changesQueue(d *core.Decision) {
	r := m.apps[d.ID]
	if r == nil {
		return
	}
	for _, side := range []struct {
		queue  string
		change eventChange
	}{{d.From, changeRemove}, {d.To, changeAdd}} {
		e := event{kind: eventQueue, object: core.ShownPath(r.partition, side.queue), other: d.ID, change: side.change, detail: queueApp}
		m.tell(d.At, e)
		if r.allocations > 0 { // of all its allocations at once
			e.detail, e.resources = queueAlloc, resource.Set(newTally(resource.Set(r.used)))
			m.tell(d.At, e)
		}
	}
	allocating := m.endAllocating(r)
	r.queue = d.To
	if allocating {
		m.fileAllocating(r)
	}
}

// preempts records that an allocation was told to leave.
func (m *Memory) preempts(d *core.Decision) {
	k := m.asks[d.ID]
	if k == nil {
		return
	}
	k.preempted = true
	if d.Quota != "" {
		m.tell(d.At, event{kind: eventQueue, object: core.ShownPath(k.app.partition, d.Quota), other: k.id, change: changeNone, detail: queuePreemption,
			message: "the queue is over its max", resources: k.resources})
		return
	}
	m.tell(d.At, event{kind: eventRequest, object: k.id, other: k.app.id, change: changeNone, detail: noDetail,
		message: fmt.Sprintf("preempted on %s for %s", d.Node, d.For), resources: k.resources})
}

// replaces records that a task takes the place of a placeholder.
func (m *Memory) replaces(d *core.Decision) {
	if k := m.asks[d.ID]; k != nil {
		k.app.placeholdersOf(k).Replaced++
	}
	if k := m.asks[d.For]; k != nil {
		k.replaces = true
	}
}

// timesOut records the end of a placeholder whose gang was not formed in time, or is over. One that was pending is gone.
func (m *Memory) timesOut(d *core.Decision) {
	k := m.asks[d.ID]
	if k == nil {
		return
	}
	k.app.placeholdersOf(k).TimedOut++
	if d.Node == "" {
		m.tell(d.At, event{kind: eventApp, object: k.app.id, other: k.id, change: changeRemove, detail: requestTimeout, resources: k.resources})
		m.leave(k)
	}
}

func (m *Memory) queueMoves(d *core.Decision) {
	e := event{kind: eventQueue, object: core.ShownPath(d.Partition, d.Queue), change: changeSet, detail: queueConfig, message: d.From + " to " + d.To}
	switch {
	case d.From == core.QueueStopped:
		e.change, e.detail = changeAdd, queueDynamic
	case d.To == core.QueueStopped:
		e.change, e.detail = changeRemove, queueDynamic
	}
	m.tell(d.At, e)
}
