package apps

import "github.com/quern-project/quern/core/internal/state/internal/table"

// CountPreempted adds a number of preempted allocations to those of an application.
func (o *Apps) CountPreempted(id ID, more int64) {
	if more != 0 {
		*o.preempted.Edit(uint32(id)) += more
	}
}

// forgetPreempted forgets the preemptions of an application that has ended.
func (o *Apps) forgetPreempted(id ID) {
	if o.View().Preempted(id) != 0 {
		*o.preempted.Edit(uint32(id)) = 0
	}
}

// Preempted returns how many allocations of an application were preempted.
func (v View) Preempted(id ID) int64 { return v.o.preempted.At(uint32(id)) }

// MostPreempted returns the application of which most allocations were preempted, and how many: the first submitted one of several. It
// returns None if none were.
func (v View) MostPreempted() (most ID, times int64) {
	for i, n := range v.o.preempted.All {
		r := v.o.rows.Peek(table.ID(i))
		if !r.removed && (n > times || n == times && times > 0 && r.Seq < v.Seq(most)) {
			most, times = ID(i), n
		}
	}
	return most, times
}
