package queue

import (
	"math"

	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// nativeKeys is the number of keys of the built-in rule: share used, share pending.
const nativeKeys = 2

// answersNatively reports whether the built-in rule answers now. It changes when a module fails or recovers.
func (c *children) answersNatively() bool { return c.policy.Native() == policy.NativeFairQueues }

// switchRule changes to the built-in rule, or back to the policy.
func (c *children) switchRule(natively bool) {
	if c.table == nil {
		c.makeTable()
	}
	if natively { // so that the first call after the module recovers says that another policy has answered meanwhile
		c.table.TouchAll()
		c.table.Flush(c, func(int32, []float64) {})
	}
	c.native = natively
	c.reset()
}

func (c *children) makeTable() {
	c.table = policy.NewTable(c.policy)
	c.markRows(c.byName())
}

// markRows marks children as new or changed for the policy.
func (c *children) markRows(list []queues.ID) {
	for _, id := range list {
		c.table.Touch(c.order.places[id].slot)
	}
}

// computeKey is the built-in rule: the child with the smallest used share comes first, and among equal shares the one with the
// larger pending share.
func (c *children) computeKey(id queues.ID, slot int32) (first, second int64) {
	used, waiting := c.order.view.Shares(id, c.cluster.Total)
	if c.ages {
		used = c.agedShare(id)
	}
	at := c.stride * int(slot)
	c.keys[at+1], c.keys[at] = -waiting, used
	return used, -waiting
}

// askPolicy asks the policy about the changed children, or about all.
func (c *children) askPolicy(all bool) {
	if all {
		c.table.TouchAll()
	}
	c.markRows(c.changedChildren)
	c.table.Flush(c, c.storeKeys)
}

// storeKeys stores the policy's keys of one child.
func (c *children) storeKeys(slot int32, keys []float64) {
	if len(keys) != c.keyLen { // another module answers, and will be asked about every child
		c.reset()
	}
	key := c.key(slot)
	for j, v := range keys {
		key[j] = policy.SortKey(v)
	}
	id := c.bySlot[slot]
	if child := &c.order.places[id]; !child.changed {
		c.file(id, child)
	}
}

// maxLead is the largest first key in a contestant's lead. No lead equals absent.
const maxLead = 1<<32 - 2

// contestant packs the start of a child's key, which nearly always decides: the priority, if it is compared, and as much of the
// policy's keys as fits.
func (c *children) contestant(child *place) contestant {
	key := c.key(child.slot)
	if c.native {
		return c.packed(child, key[0], packRest(key[1]))
	}
	return c.packed(child, int64(uint32(key[0]>>32)^1<<31), uint32(key[0]))
}

// packRest truncates the second key of the built-in rule, which is at most 0, to 32 bits.
func packRest(second int64) uint32 { return uint32(max(second+math.MaxUint32, 0)) }

// packed makes a contestant from the start of a child's key.
func (c *children) packed(child *place, first int64, rest uint32) contestant {
	if c.ages && c.native {
		first, rest = agedLead(first, rest)
	}
	if first >= maxLead {
		first, rest = maxLead, 0 // the lead is truncated, so rest must not be compared
	}
	if c.byPriority {
		first |= int64(^child.shownPriority) << 32
	}
	return contestant{first, rest, child.slot}
}

// Fill writes the columns of a child for the policy that orders children.
func (c *children) Fill(slot int32, columns []policy.Column, cols [][]float64) {
	id := c.bySlot[slot]
	for i := range columns {
		cols[i][slot] = c.column(id, &columns[i])
	}
}

// Name returns the path of the child in a row.
func (c *children) Name(slot int32) string { return c.order.view.Path(c.bySlot[slot]) }

func (c *children) column(id queues.ID, col *policy.Column) float64 {
	view := c.order.view
	switch col.Kind {
	case policy.FairShare:
		used, _ := view.Shares(id, c.cluster.Total)
		return float64(used)
	case policy.PendingShare:
		_, waiting := view.Shares(id, c.cluster.Total)
		return float64(waiting)
	case policy.Priority:
		if c.order.places[id].hasPending {
			return float64(c.order.Highest(id))
		}
	case policy.PendingAsks:
		return float64(view.Asks(id))
	case policy.Allocations:
		return float64(view.Allocations(id))
	case policy.Running:
		return float64(view.Running(id))
	case policy.Property:
		return policy.Number(view.Conf(id).Inherited[col.Arg], col.Default)
	case policy.PropertyCode:
		return col.Code(view.Conf(id).Inherited[col.Arg])
	case policy.HalfLife:
		return policy.Seconds(int64(view.Conf(c.id).HalfLife), col.Default)
	case policy.Share, policy.Used, policy.Pending, policy.Guaranteed, policy.Max, policy.Aged:
		if t, ok := col.TypeIn(c.order.types); ok {
			return c.amount(id, col, t)
		}
	}
	return col.Default
}

func (c *children) amount(id queues.ID, col *policy.Column, t int) float64 {
	view := c.order.view
	switch col.Kind {
	case policy.Share:
		return float64(resource.Share(view.Used(id, t), view.Denominator(id, t, c.cluster.Total)))
	case policy.Used:
		return float64(view.Used(id, t))
	case policy.Pending:
		return float64(view.Waiting(id, t))
	case policy.Aged:
		return c.agedColumn(id, t)
	case policy.Guaranteed:
		if g := view.Guaranteed(id, t); g != queues.NotGuaranteed {
			return float64(g)
		}
	case policy.Max:
		if m := view.Max(id, t); m != resource.Unlimited {
			return float64(m)
		}
	}
	return col.Default
}
