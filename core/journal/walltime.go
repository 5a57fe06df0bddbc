package journal

import (
	"time"

	"github.com/quern-project/quern/core"
)

// since is when a restored allocation was made.
type since struct {
	at   time.Duration
	form Form
	text string
}

// walltimeValue reads one of the keys that say how long an allocation runs.
func (d *Decoder) walltimeValue(k key) {
	switch k {
	case keyWalltime:
		d.values.ask.Ask.Walltime = d.period()
	case keyWalltimeOverrun:
		d.values.ask.Ask.Overrun = d.overrun()
	case keyMinRuntime:
		d.values.ask.Ask.MinRuntime = d.period()
	case keySince:
		d.values.since = d.since()
	}
}

// period reads a duration above zero.
func (d *Decoder) period() time.Duration {
	text := d.scan.text("a duration in quotes")
	if d.scan.fault != nil {
		return 0
	}
	period, err := time.ParseDuration(string(text))
	if err != nil || period <= 0 {
		d.scan.refuse("a Go duration above zero, such as 1m30s", excerpt(text))
	}
	return period
}

func (d *Decoder) overrun() core.Overrun {
	text := d.scan.text("text")
	switch of := core.Overrun(text); of {
	case core.OverrunEnd, core.OverrunAllow:
		return of
	}
	d.scan.refuse("end or allow", excerpt(text))
	return core.OverrunInQueue
}

// since reads an instant that may be before the beginning of the journal.
func (d *Decoder) since() (s since) {
	text := d.scan.text("a time in quotes")
	if d.scan.fault != nil {
		return s
	}
	parse := parseAt
	if len(text) > 0 && text[0] == '-' {
		parse = parseBefore
	}
	at, form, expected := parse(text)
	if expected != "" {
		d.scan.refuse(expected, excerpt(text))
	}
	return since{at, form, string(text)}
}

// parseBefore parses a negative duration like parseAt.
func parseBefore(text []byte) (time.Duration, Form, string) {
	at, form, expected := parseAt(text[1:])
	if form == Absolute && expected == "" {
		expected = "a Go duration such as -1m30s, or an RFC 3339 time"
	}
	return -at, form, expected
}

// made checks that an allocation was not made after it is restored, and that both times have one form. A host gives its own time to inputs.
func (d *Decoder) made(seen keySet) {
	s := d.values.since
	switch {
	case d.scan.fault != nil || d.live || !seen.has(keySince):
	case s.form != d.form:
		d.scan.fault = &Error{Key: keySince.String(), Expected: d.form.String() + " as at", Found: excerpt([]byte(s.text))}
	case s.at > d.at:
		d.scan.fault = &Error{Key: keySince.String(), Expected: "a time not after at", Found: excerpt([]byte(s.text))}
	}
}
