package config

import (
	"time"

	"github.com/quern-project/quern/core/instant"
)

// Walltime says how long the allocations of a leaf promise to run at most.
type Walltime struct {
	Default      instant.Delay `json:",omitempty"` // of asks without a walltime; 0: none
	Max          instant.Delay `json:",omitempty"` // of all asks; 0: no bound
	AllowOverrun bool          `json:",omitempty"` // an allocation may stay after its promised end; otherwise it is asked to leave
}

// Of returns the walltime of an ask that states one, or 0. It is 0 if the ask promises no end.
func (w Walltime) Of(stated time.Duration) time.Duration {
	if stated > 0 {
		return stated
	}
	if w.Default > 0 && (w.Max == 0 || w.Default < w.Max) {
		return time.Duration(w.Default)
	}
	return time.Duration(w.Max)
}

// The values of walltime.overrun.
const (
	overrunEnd   = "end"
	overrunAllow = "allow"
)

// walltime reads one of the properties of walltimes.
func (d *decoder) walltime(q *Queue, f *field) {
	switch f.name {
	case propWalltimeDefault:
		q.Walltime.Default = d.period(q.Path, f)
	case propWalltimeMax:
		q.Walltime.Max = d.period(q.Path, f)
	case propWalltimeOverrun:
		q.Walltime.AllowOverrun = d.choice(q.Path, f, overrunEnd, overrunAllow) == overrunAllow
	}
}

// period reads a duration above zero. Anything else is an error.
func (d *decoder) period(queue string, f *field) instant.Delay {
	period, ok := parseDelay(f.value.text)
	if !ok || period <= 0 {
		d.add(f.value.at, queue, f.name, "a duration above zero, such as 12h", f.value.found())
		return 0
	}
	return d.warnLongDelay(f.value.at, queue, f.name, f.value.text, period)
}
