package config

import (
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core/instant"
)

// MinRuntime says how long the allocations of a leaf run before they may be victims.
type MinRuntime struct {
	Default  instant.Delay `json:",omitempty"` // of allocations whose asks say nothing; 0: they are not protected
	Max      instant.Delay `json:",omitempty"` // the most that an ask of its own counts; 0: Default
	Required bool          `json:",omitempty"` // preemption for required nodes and by quota spares them too
}

// Of returns how long an allocation is protected. stated is the min_runtime of its ask, or 0.
func (m *MinRuntime) Of(stated time.Duration) instant.Delay {
	switch {
	case stated == 0:
		return m.Default
	case m.Max == 0:
		return min(instant.Delay(stated), m.Default)
	}
	return min(instant.Delay(stated), m.Max)
}

// Budget bounds the victims of a queue: of all queues below it together, at most Victims within any time of the length Within.
type Budget struct {
	Victims int64         `json:",omitempty"` // 0: there is no bound
	Within  instant.Delay `json:",omitempty"`
}

func (b Budget) String() string { return strconv.FormatInt(b.Victims, 10) + "/" + b.Within.String() }

// minRuntime reads one of the properties of the least run time. A value that is not valid is an error, since allocations would be less protected
// than intended.
func (d *decoder) minRuntime(q *Queue, f *field) {
	switch f.name {
	case propMinRuntime:
		delay, ok := parseDelay(f.value.text)
		if !ok || delay < 0 {
			d.add(f.value.at, q.Path, f.name, "a duration such as 10m, or 0s for none", f.value.found())
			return
		}
		q.MinRuntime.Default = d.warnLongDelay(f.value.at, q.Path, f.name, f.value.text, delay)
	case propMinRuntimeMax:
		q.MinRuntime.Max = d.period(q.Path, f)
	case propMinRuntimeRequired:
		q.MinRuntime.Required = d.choice(q.Path, f, "false", "true") == "true"
	}
}

// budget reads preemption.budget.
func (d *decoder) budget(q *Queue, f *field) {
	count, period, _ := strings.Cut(f.value.text, "/")
	victims, err := strconv.ParseInt(count, 10, 32)
	within, ok := parseDelay(period)
	if err != nil || victims < 1 || count[0] == '+' || !ok || within <= 0 {
		d.add(f.value.at, q.Path, f.name, "a number of victims from 1 and a duration above zero, such as 5/1h", f.value.found())
		return
	}
	q.Budget = Budget{victims, d.warnLongDelay(f.value.at, q.Path, f.name, period, within)}
}
