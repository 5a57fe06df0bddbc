package asks

import (
	"time"

	"github.com/quern-project/quern/core/instant"
)

// Walltime says how long the allocation of an ask runs: it promises to end at most Limit after it was made. All but Least was worked out when
// the ask was added.
type Walltime struct {
	Limit     time.Duration `json:",omitempty"` // 0: no end is promised
	Most      time.Duration `json:",omitempty"` // the most that an update may set; 0: no bound
	Since     time.Duration `json:",omitempty"` // when the allocation was made, if Backdated
	Backdated bool          `json:",omitempty"` // it was made before it was restored
	Allow     bool          `json:",omitempty"` // it may stay after its promised end
	By        time.Duration `json:",omitempty"` // the end that a window sets, if Windowed
	Windowed  bool          `json:",omitempty"` // of an allocation: a window sets its end, if Limit does not set an earlier one
	Least     time.Duration `json:",omitempty"` // how long it asks to run before it may be a victim; 0: as its queue says
}

// IsTooLong reports whether an ask may not have a limit.
func (w Walltime) IsTooLong(limit time.Duration) bool { return w.Most > 0 && limit > w.Most }

// SetWalltime sets the promise of an ask.
func (o *Asks) SetWalltime(slot Slot, w Walltime) {
	if o.View().Walltime(slot) != w {
		*o.walltimes.Edit(uint32(slot)) = w
	}
}

// Walltime returns the promise of an ask.
func (v View) Walltime(slot Slot) Walltime { return v.o.walltimes.At(uint32(slot)) }

// Ends returns the promised end of an allocation, or instant.Never.
func (v View) Ends(slot Slot) time.Duration {
	w := v.Walltime(slot)
	end := instant.Never
	if w.Limit != 0 {
		end = instant.Add(v.Began(slot), w.Limit)
	}
	if w.Windowed {
		end = min(end, w.By)
	}
	return end
}

// Began returns when an allocation was made, also if that was before it was restored.
func (v View) Began(slot Slot) time.Duration {
	if w := v.Walltime(slot); w.Backdated {
		return w.Since
	}
	_, at := v.Placed(slot)
	return at
}

// Told is when an allocation was asked to leave.
type Told struct {
	At    time.Duration
	Known bool
}

// SetTold records when an allocation was asked to leave.
func (o *Asks) SetTold(slot Slot, t Told) {
	if o.View().Told(slot) != t {
		*o.told.Edit(uint32(slot)) = t
	}
}

// Told returns when an allocation was asked to leave. Only partitions that plan starts know it.
func (v View) Told(slot Slot) Told { return v.o.told.At(uint32(slot)) }
