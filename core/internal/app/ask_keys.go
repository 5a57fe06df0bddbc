package app

import (
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/policy"
)

// askKeys holds the keys of a policy module that orders the asks of one application.
type askKeys struct {
	table *policy.Table
	rows  index.Values[Slot] // pending asks
	width int                // number of keys of an ask
	keys  []int64            // keys[row*width+j]

	resized bool // the size of an atomic gang has changed, which is a column of all its members
}

// set stores the policy's keys of a row.
func (k *askKeys) set(row int32, keys []float64) {
	for len(k.keys) < len(k.rows.Items)*k.width {
		k.keys = append(k.keys, 0)
	}
	for j, v := range keys {
		k.keys[int(row)*k.width+j] = policy.SortKey(v)
	}
}

func (k *askKeys) of(row int32) []int64 { return k.keys[int(row)*k.width : (int(row)+1)*k.width] }

// syncByKeys asks the module for the keys of changed asks, and sorts them in.
func (a *application) syncByKeys(shrinkEpoch uint64) {
	if a.module.resized {
		a.module.touchMembers(a.asks)
	}
	a.module.table.Flush(a, func(row int32, keys []float64) {
		k := a.module
		if len(keys) != k.width {
			a.resetKeys(len(keys))
		}
		k.set(row, keys)
		ask := Ask{a.asks, k.rows.Items[row]}
		r := ask.Row()
		e := entry{key: k.of(row)[0], priority: r.Priority, ask: ask.slot}
		g := a.group(ask)
		if g == nil {
			g = a.groupOfMember(ask, &r)
			ask.order().group = g.number()
			g.startHeap(k).push(e)
		} else {
			g.heap.asks.replace(int(ask.order().place), e)
		}
		a.groupChanged(g, shrinkEpoch)
	})
}

// GangResized must be called when the number of members of an atomic gang changes, or of those that stay, since the module may read it.
func (a *Record) GangResized() {
	if k := a.module; k != nil && a.leaf.askOrder.Module.Points[policy.AskOrder].Reads(policy.ColumnKind.OfGang) {
		k.resized = true
	}
}

// touchMembers marks the members of atomic gangs as changed for the module.
func (k *askKeys) touchMembers(in *reader) {
	k.resized = false
	for row, slot := range k.rows.Items {
		if slot != NoSlot && in.rows.Atomic(slot) != 0 {
			k.table.Touch(int32(row))
		}
	}
}

// resetKeys empties the groups after a change of the number of keys. All asks are sorted in again afterwards.
func (a *application) resetKeys(n int) {
	a.module.width, a.module.keys = n, nil
	for _, slot := range a.module.rows.Items {
		if slot != NoSlot {
			a.asks.order(slot).unsort()
		}
	}
	a.groups = newAskGroups(n, a.leaf.types.Width())
}

// Fill writes the columns of an ask for the policy that orders asks.
func (a *application) Fill(row int32, columns []policy.Column, cols [][]float64) {
	ask := Ask{a.asks, a.module.rows.Items[row]}
	for i := range columns {
		cols[i][row] = ask.Column(&columns[i])
	}
}

// Name returns the ID of the ask in a row.
func (a *application) Name(row int32) string { return a.asks.rows.ID(a.module.rows.Items[row]) }
