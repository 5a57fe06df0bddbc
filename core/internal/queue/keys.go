package queue

import (
	"math"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// nativeKeys is the number of keys of the built-in rule: share used, share pending.
const nativeKeys = 2

// answersNatively reports whether the built-in rule answers now. It changes when a module fails or recovers.
func (q *Queue) answersNatively() bool { return q.policy.Native() == policy.NativeFairQueues }

// switchRule changes to the built-in rule, or back to the policy.
func (q *Queue) switchRule(natively bool) {
	if q.table == nil {
		q.makeTable()
	}
	if natively { // so that the first call after the module recovers says that another policy has answered meanwhile
		q.table.TouchAll()
		q.table.Flush(q, func(int32, []float64) {})
	}
	q.native = natively
	q.reset()
}

func (q *Queue) makeTable() {
	q.table = policy.NewTable(q.policy)
	q.markRows(q.Children())
}

// markRows marks children as new or changed for the policy.
func (q *Queue) markRows(list []*Queue) {
	for _, c := range list {
		q.table.Touch(c.slot)
	}
}

// computeKey is the built-in rule: the child with the smallest used share comes first, and among equal shares the one with the
// larger pending share.
func (q *Queue) computeKey(child *Queue) (first, second int64) {
	used, waiting := child.shares(q.cluster.Total)
	at := q.stride * int(child.slot)
	q.keys[at+1], q.keys[at] = -waiting, used
	return used, -waiting
}

// askPolicy asks the policy about the changed children, or about all.
func (q *Queue) askPolicy(all bool) {
	if all {
		q.table.TouchAll()
	}
	q.markRows(q.changedChildren)
	q.table.Flush(q, q.storeKeys)
}

// storeKeys stores the policy's keys of one child.
func (q *Queue) storeKeys(slot int32, keys []float64) {
	if len(keys) != q.keyLen { // another module answers, and will be asked about every child
		q.reset()
	}
	key := q.key(slot)
	for j, v := range keys {
		key[j] = policy.SortKey(v)
	}
	if child := q.bySlot[slot]; !child.changed {
		q.file(child)
	}
}

// maxLead is the largest first key in a contestant's lead. No lead equals absent.
const maxLead = 1<<32 - 2

// contestant packs the start of a child's key, which nearly always decides: the priority, if it is compared, and as much of the
// policy's keys as fits.
func (q *Queue) contestant(child *Queue) contestant {
	key := q.key(child.slot)
	if q.native {
		return q.packed(child, key[0], packRest(key[1]))
	}
	return q.packed(child, int64(uint32(key[0]>>32)^1<<31), uint32(key[0]))
}

// packRest truncates the second key of the built-in rule, which is at most 0, to 32 bits.
func packRest(second int64) uint32 { return uint32(max(second+math.MaxUint32, 0)) }

// packed makes a contestant from the start of a child's key.
func (q *Queue) packed(child *Queue, first int64, rest uint32) contestant {
	if first >= maxLead {
		first, rest = maxLead, 0 // the lead is truncated, so rest must not be compared
	}
	if q.byPriority {
		first |= int64(^child.shownPriority) << 32
	}
	return contestant{first, rest, child.slot}
}

// Fill writes the columns of a child for the policy that orders children.
func (q *Queue) Fill(slot int32, columns []policy.Column, cols [][]float64) {
	child := q.bySlot[slot]
	for i := range columns {
		cols[i][slot] = child.column(&columns[i], q.cluster)
	}
}

// Name returns the path of the child in a row.
func (q *Queue) Name(slot int32) string { return q.bySlot[slot].Path }

func (q *Queue) column(col *policy.Column, c *Cluster) float64 {
	switch col.Kind {
	case policy.FairShare:
		return float64(q.FairShare(c.Total))
	case policy.PendingShare:
		return float64(q.PendingShare(c.Total))
	case policy.Priority:
		if q.hasPending {
			return float64(q.Highest())
		}
	case policy.PendingAsks:
		return float64(q.Asks)
	case policy.Allocations:
		return float64(q.Allocations)
	case policy.Running:
		return float64(q.Running)
	case policy.Property:
		return policy.Number(q.Conf.Inherited[col.Arg], col.Default)
	case policy.PropertyCode:
		return col.Code(q.Conf.Inherited[col.Arg])
	case policy.Share, policy.Used, policy.Pending, policy.Guaranteed, policy.Max:
		if t, ok := col.TypeIn(q.types); ok {
			return q.amount(col, t, c)
		}
	}
	return col.Default
}

func (q *Queue) amount(col *policy.Column, t int, c *Cluster) float64 {
	switch {
	case col.Kind == policy.Share:
		return float64(resource.Share(q.Used[t], q.Denominator(t, c.Total)))
	case col.Kind == policy.Used:
		return float64(q.Used[t])
	case col.Kind == policy.Pending:
		return float64(q.Waiting.At(t))
	case col.Kind == policy.Guaranteed && q.Guaranteed[t] != NotGuaranteed:
		return float64(q.Guaranteed[t])
	case col.Kind == policy.Max && q.Max[t] != resource.Unlimited:
		return float64(q.Max[t])
	}
	return col.Default
}
