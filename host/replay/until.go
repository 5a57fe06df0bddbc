package replay

import (
	"fmt"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/journal"
)

// Until is where a run ends. The zero value is the last input.
type Until struct {
	idle, last   bool
	set, hasEnd  bool
	at, recorded time.Duration // where the run ends; where the recording stopped
}

// Words for times: until nothing is to happen any more, and until the last input, whatever the journal says.
const (
	Idle = "idle"
	Last = "last"
)

// ParseUntil reads a duration, an RFC 3339 time, one of the words, or nothing. Against a journal whose times are dates, a
// duration counts from its start.
func ParseUntil(text string, form journal.Form, start time.Duration) (Until, error) {
	switch text {
	case "":
		return Until{}, nil
	case Idle:
		return Until{idle: true}, nil
	case Last:
		return Until{last: true}, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		if form == journal.Absolute {
			d = instant.Add(start, d)
		}
		return within(d, text)
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return Until{}, fmt.Errorf("expected a duration such as 1h30m, an RFC 3339 time, idle or last, found %q", text)
	}
	if form == journal.Relative {
		return Until{}, fmt.Errorf("expected a duration, since the times of the journal count from its start, found %q", text)
	}
	const limit = int64(journal.Farthest / time.Second)
	if seconds := t.Unix(); seconds < -limit || seconds > limit {
		return within(instant.Never, text)
	}
	return within(time.Duration(t.UnixNano()), text)
}

// within is a time at which a run may end: no journal goes beyond.
func within(at time.Duration, text string) (Until, error) {
	if at > journal.Farthest {
		return Until{}, fmt.Errorf("expected a time within 290 years of 1970, or of the start of the journal, found %q", text)
	}
	return Until{set: true, at: at}, nil
}

func (u Until) apply(o *journal.Options) {
	o.Until, o.HasUntil, o.Idle, o.Last = u.at, u.set, u.idle, u.last
	o.End, o.HasEnd = u.recorded, u.hasEnd
}

// untilOf is what options say of the end of a run.
func untilOf(o *journal.Options) Until {
	return Until{idle: o.Idle, last: o.Last, set: o.HasUntil, at: o.Until, hasEnd: o.HasEnd, recorded: o.End}
}
