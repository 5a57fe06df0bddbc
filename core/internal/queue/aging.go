package queue

import (
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// guaranteedReached is added to the share of a child that is not below its guarantee, so that it comes after all that are.
const guaranteedReached = resource.ShareCap + 1

// agedShare returns the first key of a child whose usage ages: its largest share of the usage that its parent compares, after the children
// that are below their guarantees by current usage.
func (c *children) agedShare(id queues.ID) int64 { return c.agedShareWith(id, nil) }

// agedShareWith is agedShare as if more were used now.
func (c *children) agedShareWith(id queues.ID, more resource.Vec) int64 {
	view, usage := c.order.view, c.order.usageOf(id)
	var largest int64
	for t := range c.cluster.Total {
		if used := usage.TypeWith(t, amountOf(more, t)); !used.IsZero() {
			largest = max(largest, used.Share(view.Denominator(id, t, c.cluster.Total)))
		}
	}
	if view.IsBelowGuaranteedWith(id, more) {
		return largest
	}
	return largest + guaranteedReached
}

// agedLead compresses the first key of a child whose usage ages to 32 bits, without a change of the order.
func agedLead(first int64, rest uint32) (int64, uint32) {
	const half = 1 << 31
	switch {
	case first >= guaranteedReached:
		return first - guaranteedReached + half, rest
	case first >= half-1:
		return half - 1, 0 // truncated, so rest must not be compared
	}
	return first, rest
}

// UsageAged must be called when the aged usage of the children of a parent is that of a later instant. The next Sync sorts them again.
func (o *Order) UsageAged(parent queues.ID) {
	c := o.parents[parent]
	if c.aged = c.native || c.readsAged(); !c.aged {
		return
	}
	for q := parent; q != queues.None; q = o.places[q].parent {
		o.markInParent(q, &o.places[q])
	}
}

// readsAged reports whether a module orders the children and reads their aged usage.
func (c *children) readsAged() bool {
	return c.policy.Module.Points[policy.QueueOrder].Reads(policy.ColumnKind.Ages)
}

// agedColumn returns the aged usage of a child, in units of a type, at the last multiple of the period. Without a half-life, it is current usage.
func (c *children) agedColumn(id queues.ID, t int) float64 {
	if !c.ages {
		return float64(c.order.view.Used(id, t))
	}
	usage := c.order.usageOf(id)
	past := usage.Aged(t)
	return past.Float()
}

func amountOf(more resource.Vec, t int) int64 {
	if t < len(more) {
		return more[t]
	}
	return 0
}
