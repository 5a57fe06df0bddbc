package journal

import (
	"strconv"

	"github.com/quern-project/quern/core"
)

// apply applies one entry, the asks of a count one by one.
func (r *replayer) apply(entry *Entry) {
	if !entry.Numbered {
		r.one(entry)
		return
	}
	ask := *entry
	ask.Count, ask.Numbered = 1, false
	for i := 1; i <= entry.Count && !r.stopped(); i++ {
		ask.Input.ID = entry.Input.ID + "-" + strconv.Itoa(i)
		r.one(&ask)
	}
}

// one applies one input and notes what it means for the ends.
func (r *replayer) one(entry *Entry) {
	if r.o.Inputs != nil {
		r.o.Inputs(entry)
	}
	r.result.Inputs++
	in := &entry.Input
	r.input(in)
	if r.refused {
		return
	}
	switch in.Type {
	case core.AskAdd:
		if entry.HasRun {
			r.ends.expect(in.ID, in.App, entry.Run)
		}
	case core.AllocationRestore:
		if entry.HasRun {
			r.ends.expect(in.ID, in.App, entry.Run)
		}
		r.ends.allocated(in.ID, in.At)
	case core.AskRemove:
		r.ends.gone(in.ID)
	case core.AppRemove:
		r.ends.appGone(in.ID)
	}
}

func (r *replayer) input(in *core.Input) {
	r.enter()
	r.machine.Apply(in)
	r.leave()
	r.take()
}

// take hands on the decisions that were made.
func (r *replayer) take() {
	r.hand(r.machine.Take())
}

// hand looks at decisions for what they mean here, and passes them on.
func (r *replayer) hand(decisions []core.Decision) {
	r.refused = false
	for i := range decisions {
		switch d := &decisions[i]; d.Type {
		case core.Allocation:
			r.ends.allocated(d.ID, d.At)
		case core.Release:
			r.ends.gone(d.ID)
		case core.Preemption:
			r.ends.preempted(d.ID, after(d.At, r.o.Grace))
		case core.AskRejected, core.Ignored:
			r.refused = true
		}
	}
	r.result.Decisions += len(decisions)
	if r.o.Decisions != nil && len(decisions) > 0 {
		r.o.Decisions(decisions)
	}
}

func (r *replayer) enter() {
	if r.o.Enter != nil {
		r.o.Enter()
	}
}

func (r *replayer) leave() {
	if r.o.Leave != nil {
		r.o.Leave()
	}
}

// stopped asks whether to end here, and notes it.
func (r *replayer) stopped() bool {
	if !r.result.Stopped && r.o.Stop != nil && r.o.Stop() {
		r.result.Stopped = true
	}
	return r.result.Stopped
}
