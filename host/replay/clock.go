package replay

import (
	"fmt"
	"io"
	"time"

	"github.com/quern-project/quern/core/journal"
)

// Clock is what a command line says of the time of a run. What it leaves open the first lines of the journals say.
type Clock struct {
	Grace     string // a duration
	HasGrace  bool   // whether it was set; otherwise Grace is the default
	Until     string // as for ParseUntil
	UntilFlag string // that gave Until, for messages: --until
}

// Times are settled: how long a victim takes to leave, and where a run ends.
type Times struct {
	Grace time.Duration
	Until Until
}

// Settle reads the command line, has journals with these first lines say what it leaves open, and tells in lines to w where
// the command line says otherwise than they do. Form and start are those of the journals. The error is about the command
// line, or a *journal.Error where the journals disagree.
func (c Clock) Settle(form journal.Form, start time.Duration, headers []journal.Header, w io.Writer) (Times, error) {
	grace, err := time.ParseDuration(c.Grace)
	if err != nil || grace < 0 {
		return Times{}, fmt.Errorf("--grace: expected a duration such as 30s, found %q", c.Grace)
	}
	until, err := ParseUntil(c.Until, form, start)
	if err != nil {
		return Times{}, fmt.Errorf("%s: %w", c.UntilFlag, err)
	}
	var o journal.Options
	until.apply(&o)
	o.Grace, o.HasGrace = grace, c.HasGrace
	for _, h := range headers {
		c.tell(w, &o, &h, form)
	}
	if err := o.Follow(headers...); err != nil {
		return Times{}, err
	}
	return Times{Grace: o.Grace, Until: untilOf(&o)}, nil
}

// tell says what of a first line the command line overrides.
func (c Clock) tell(w io.Writer, o *journal.Options, h *journal.Header, form journal.Form) {
	say := func(flag, value, what, found string) {
		_, _ = fmt.Fprintf(w, "note: %s %s overrides the %s of %s, %s\n", flag, value, what, h.File, found)
	}
	if o.HasGrace && h.HasGrace && h.Grace != o.Grace {
		say("--grace", c.Grace, "grace", h.Grace.String())
	}
	switch {
	case !o.HasUntil && !o.Idle && !o.Last:
	case h.Idle && !o.Idle:
		say(c.UntilFlag, c.Until, "until", Idle)
	case h.HasUntil && (!o.HasUntil || h.Until != o.Until):
		say(c.UntilFlag, c.Until, "until", shown(h.Until, form))
	case !h.Idle && !h.HasUntil && h.HasEnd && (!o.HasUntil || h.End != o.Until):
		say(c.UntilFlag, c.Until, "end", shown(h.End, form))
	}
}

// shown is a time as the journals write it.
func shown(at time.Duration, form journal.Form) string {
	if form == journal.Absolute {
		return time.Unix(0, int64(at)).UTC().Format(time.RFC3339Nano)
	}
	return at.String()
}

// Header is what the journal of a run says on its first line, so that it replays the same.
func (t Times) Header() journal.Header {
	u := t.Until
	return journal.Header{
		Grace: t.Grace, HasGrace: t.Grace != 0,
		Idle: u.idle, HasUntil: u.set, Until: u.at, HasEnd: u.hasEnd && !u.last && !u.set && !u.idle, End: u.recorded,
	}
}
