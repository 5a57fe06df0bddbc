package preempt

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/victim"
	"github.com/quern-project/quern/core/policy"
)

// ranks holds the sort keys that a victim.rank policy has given to allocations.
type ranks struct {
	table *policy.Table // nil if no such policy is in force
	slots index.Values[app.Slot]
	rows  map[app.Slot]int32
	keys  map[app.Slot][]int64
	s     *Preemption
	stale staleRows
}

// enforceRanks puts the first victim.rank policy by name in force. The configuration does not name one.
func (s *Preemption) enforceRanks() {
	acting := s.state.RankPolicy()
	switch {
	case acting == nil:
		s.ranks, s.finder.Ranks, s.dry = ranks{}, nil, nil
		return
	case s.ranks.table != nil && s.ranks.table.Acting() == acting:
		s.ranks.stale.all = s.ranks.stale.follows()
		return
	}
	s.ranks = ranks{table: policy.NewTable(acting), rows: map[app.Slot]int32{}, keys: map[app.Slot][]int64{}, s: s}
	s.ranks.stale.follow(acting)
	s.finder.Ranks = func(v app.Ask) []int64 { return s.ranks.keys[v.Slot()] }
	s.forget()
	var placed []app.Ask
	for ask := range s.state.Asks().All {
		if !ask.Pending() {
			placed = append(placed, ask)
		}
	}
	slices.SortFunc(placed, func(a, b app.Ask) int { return cmp.Compare(a.Placed(), b.Placed()) })
	for _, ask := range placed {
		s.ranks.add(ask)
	}
}

// add has the policy rank a new allocation before the next search for victims.
func (r *ranks) add(v app.Ask) {
	if r.table != nil {
		row := r.slots.Take(v.Slot())
		r.rows[v.Slot()] = row
		r.table.Touch(row)
	}
}

func (r *ranks) drop(v app.Ask) {
	if r.table != nil {
		slot := v.Slot()
		r.table.Drop(r.rows[slot])
		r.slots.Free(r.rows[slot])
		delete(r.rows, slot)
		delete(r.keys, slot)
	}
}

// ask asks the policy about the allocations that are not ranked yet or must be ranked again.
func (r *ranks) ask(f *victim.Finder) {
	if r.table == nil {
		return
	}
	r.touchStale()
	r.table.Flush(r, func(row int32, keys []float64) {
		v := r.slots.Items[row]
		list := make([]int64, len(keys))
		for i, k := range keys {
			list[i] = policy.SortKey(k)
		}
		if slices.Equal(r.keys[v], list) {
			return
		}
		r.keys[v] = list
		ask := r.s.state.AskAt(v)
		f.Touch(ask.Node())
		if ask.LeavesAsUnit() {
			r.s.unitChanged(ask.App())
		}
	})
}

// Fill writes the columns of an allocation for the policy.
func (r *ranks) Fill(row int32, columns []policy.Column, cols [][]float64) {
	v := r.s.state.AskAt(r.slots.Items[row])
	for i := range columns {
		cols[i][row] = v.Column(&columns[i])
	}
}

// Name returns the ID of the allocation in a row.
func (r *ranks) Name(row int32) string { return r.s.state.AskAt(r.slots.Items[row]).ID() }

// addShares has sets of victims compared by the aged usage of their leaves, if the usage of some queue ages.
func (s *Preemption) addShares(q *victim.Question) {
	if s.state.AgesQueues() {
		q.AgedShare, q.AgedEpoch = s.state.AgedShare, s.state.EventNumber()
	}
}
