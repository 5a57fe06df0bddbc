package asks

// CountPreempted adds a number of preemptions to those of an ask.
func (o *Asks) CountPreempted(slot Slot, more int64) {
	if more != 0 {
		*o.preempted.Edit(uint32(slot)) += more
	}
}

// forgetPreempted forgets the preemptions of an ask that has ended.
func (o *Asks) forgetPreempted(slot Slot) {
	if o.View().Preempted(slot) != 0 {
		*o.preempted.Edit(uint32(slot)) = 0
	}
}

// Preempted returns how often an ask was preempted, also before it was asked for again under its ID.
func (v View) Preempted(slot Slot) int64 { return v.o.preempted.At(uint32(slot)) }

// MostPreempted returns the ask that was preempted most often, and how often: the first submitted one of several. Slots without a preempted
// ask near them cost nothing. It returns NoSlot if none was.
func (v View) MostPreempted() (most Slot, times int64) {
	for i, n := range v.o.preempted.All {
		r := v.o.rows.Peek(Slot(i))
		if !r.removed && (n > times || n == times && times > 0 && r.Seq < v.Seq(most)) {
			most, times = Slot(i), n
		}
	}
	return most, times
}
