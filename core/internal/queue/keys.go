package queue

import (
	"math"

	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// nativeKeys is the length of the keys that are worked out here: share used, share pending.
const nativeKeys = 2

// answersNatively reports whether the policy in force is the built-in rule now; it changes when a module fails or comes back.
func (q *Queue) answersNatively() bool { return q.policy.Native() == policy.NativeFairQueues }

// answer changes over to the built-in rule, or back to the policy.
func (q *Queue) answer(natively bool) {
	if q.table == nil {
		q.makeTable()
	}
	if natively { // what the module is told when it comes back has to say that another has answered
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

// markRows says that children are new to the policy's table or have changed.
func (q *Queue) markRows(list []*Queue) {
	for _, c := range list {
		q.table.Touch(c.slot)
	}
}

// workOutKey is the built-in rule: the largest share used first to wait, and of equals the one with more pending goes first.
func (q *Queue) workOutKey(child *Queue) (first, second int64) {
	used, waiting := child.shares(q.cluster.Total)
	at := q.stride * int(child.slot)
	q.keys[at+1], q.keys[at] = -waiting, used
	return used, -waiting
}

// askPolicy asks about the children that changed, or about all.
func (q *Queue) askPolicy(all bool) {
	if all {
		q.table.TouchAll()
	}
	q.markRows(q.changedChildren)
	q.table.Flush(q, q.takeKeys)
}

// takeKeys takes the policy's keys of one child.
func (q *Queue) takeKeys(slot int32, keys []float64) {
	if len(keys) != q.keyLen { // another module answers, and is asked about every child
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

// most is the largest number that a lead has room for, so that no lead is out.
const most = 1<<32 - 2

// contestant packs what of a child's key decides nearly always: its priority, if that counts, and of the policy's keys
// as much as there is room for.
func (q *Queue) contestant(child *Queue) contestant {
	key := q.key(child.slot)
	if q.native {
		return q.packed(child, key[0], restOf(key[1]))
	}
	return q.packed(child, int64(uint32(key[0]>>32)^1<<31), uint32(key[0]))
}

// restOf is as much as there is room for of the second key of the built-in rule, which is at most 0.
func restOf(second int64) uint32 { return uint32(max(second+math.MaxUint32, 0)) }

// packed makes a contestant of the beginning of a child's key.
func (q *Queue) packed(child *Queue, first int64, rest uint32) contestant {
	if first >= most {
		first, rest = most, 0 // what comes next would be compared too early
	}
	if q.byPriority {
		first |= int64(^child.seenAs) << 32
	}
	return contestant{first, rest, child.slot}
}

// Fill describes a child to the policy that orders children.
func (q *Queue) Fill(slot int32, columns []policy.Column, cols [][]float64) {
	child := q.bySlot[slot]
	for i := range columns {
		cols[i][slot] = child.column(&columns[i], q.cluster)
	}
}

// Name is the path of the child in a row.
func (q *Queue) Name(slot int32) string { return q.bySlot[slot].Path }

func (q *Queue) column(col *policy.Column, c *Cluster) float64 {
	switch col.Kind {
	case policy.FairShare:
		return float64(q.FairShare(c.Total))
	case policy.PendingShare:
		return float64(q.PendingShare(c.Total))
	case policy.Priority:
		if q.waits {
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
