package queues

import (
	"iter"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// View reads the queues of a partition.
type View struct{ o *Queues }

// View returns a read-only view.
func (o *Queues) View() View { return View{o} }

func (v View) row(id ID) *row { return &v.o.rows.Peek()[id] }

// Root returns the root of the tree.
func (v View) Root() ID { return v.o.root }

// Find returns the queue with a path, or None.
func (v View) Find(path string) ID {
	return ID(v.o.paths.Find(path, func(id table.ID) bool { return v.o.confs[id].Path == path }))
}

// Len returns the length of a slice that is indexed by queue.
func (v View) Len() int { return len(v.o.confs) }

// All yields the queues, in an order without meaning.
func (v View) All(yield func(ID) bool) {
	for id, conf := range v.o.confs {
		if conf != nil && !v.IsRemoved(ID(id)) && !yield(ID(id)) {
			return
		}
	}
}

// IsRemoved reports whether a queue is no longer in the tree.
func (v View) IsRemoved(id ID) bool { return id != v.o.root && v.Parent(id) == None }

// Parent returns the parent of a queue, or None for root.
func (v View) Parent(id ID) ID { return v.row(id).parent }

// Children yields the children of a queue by path. The loop must not add or remove any.
func (v View) Children(id ID) iter.Seq[ID] {
	return func(yield func(ID) bool) {
		for _, child := range v.o.children[id] {
			if !yield(child) {
				return
			}
		}
	}
}

// NumChildren returns the number of children.
func (v View) NumChildren(id ID) int { return len(v.o.children[id]) }

// Child returns the child at an index among the children by path.
func (v View) Child(id ID, i int) ID { return v.o.children[id][i] }

// Depth returns the number of queues above a queue.
func (v View) Depth(id ID) int { return int(v.row(id).depth) }

// IsLeaf reports whether a queue is a leaf, which contains applications.
func (v View) IsLeaf(id ID) bool { return v.row(id).leaf }

// IsDynamic reports whether a placement rule has made a queue.
func (v View) IsDynamic(id ID) bool { return v.row(id).dynamic }

// IsDraining reports whether the configuration no longer names a queue.
func (v View) IsDraining(id ID) bool { return v.row(id).draining }

// Conf returns the configuration of a queue, which never changes; the queue may get another one.
func (v View) Conf(id ID) *config.Queue { return v.o.confs[id] }

// Path returns the full name of a queue.
func (v View) Path(id ID) string { return v.o.confs[id].Path }

// Shown returns the path of a queue in texts: outside the first partition with its name, as in [gpu]root.a.
func (v View) Shown(id ID) string { return v.o.prefix + v.o.confs[id].Path }

// Limits returns the limits of users and groups in a queue, or none if there are none.
func (v View) Limits(id ID) limit.Table {
	if !v.row(id).limited {
		return limit.Table{}
	}
	return v.o.limits[id]
}

// OpenedAt returns the shrink epoch in which a queue's own headroom last grew, if asks may have waited for that.
func (v View) OpenedAt(id ID) uint64 { return v.row(id).openedAt }

// Running returns the number of applications below a queue that are Starting, Running or Resuming.
func (v View) Running(id ID) int { return int(v.row(id).running) }

// Full reports whether a queue is at its maxapplications, so that no further application may start.
func (v View) Full(id ID) bool { return v.row(id).full() }

// Bars returns MayLimit and Full in one call.
func (v View) Bars(id ID, largest resource.Amounts) (limits, full bool) {
	r := v.row(id)
	return r.bounded && v.exceeded(id, largest), r.full()
}

// IsBounded reports whether a queue has a max or maxapplications, so that Bars may bar anything.
func (v View) IsBounded(id ID) bool {
	r := v.row(id)
	return r.bounded || r.maxRunning > 0
}

// Asks returns the number of pending asks below a queue.
func (v View) Asks(id ID) int { return int(v.row(id).asks) }

// Allocations returns the number of allocations below a queue.
func (v View) Allocations(id ID) int { return int(v.row(id).allocations) }

// Live returns the number of applications below a queue that have not ended.
func (v View) Live(id ID) int { return int(v.row(id).live) }

// State returns one of two names of states: active or draining.
func (v View) State(id ID, active, draining string) string {
	if v.IsDraining(id) {
		return draining
	}
	return active
}

// Over returns the record of a queue that is over its max, and whether there is one.
func (v View) Over(id ID) (Over, bool) {
	at := v.o.overOf.At(uint32(id))
	return v.o.over.At(at).Over, at != table.None
}

// AllOver yields the queues that are over their max, in an order without meaning.
func (v View) AllOver(yield func(ID, Over) bool) {
	for _, x := range v.o.over.All() {
		if !yield(x.queue, x.Over) {
			return
		}
	}
}

// NumOver returns the number of queues that are over their max.
func (v View) NumOver() int { return v.o.over.Len() }

// QuotaVictims returns the number of victims of a queue's rounds that are still leaving.
func (v View) QuotaVictims(id ID) int { return int(v.o.victims.At(uint32(id))) }

// GivesAbove reports whether victims of a quota round of an ancestor are still leaving.
func (v View) GivesAbove(id ID) bool {
	for p := v.Parent(id); p != None; p = v.Parent(p) {
		if v.QuotaVictims(p) > 0 {
			return true
		}
	}
	return false
}
