package journal

import (
	"strconv"
	"time"
)

// Farthest is the maximum of an At, 290 years, so that the timers of the state machine (3 days at most) do not overflow.
const Farthest = 290 * 365 * 24 * time.Hour

// parseAt parses a duration or an RFC 3339 instant. If the text is neither, expected names the valid forms, for the error.
func parseAt(text []byte) (at time.Duration, form Form, expected string) {
	if len(text) > 4 && text[4] == '-' {
		return parseTime(text)
	}
	at, err := time.ParseDuration(string(text))
	switch {
	case err != nil:
		return 0, 0, "a Go duration such as 1m30s, or an RFC 3339 time"
	case at < 0 || at > Farthest:
		return 0, 0, "a duration from 0s to " + Farthest.String()
	}
	return at, Relative, ""
}

func parseTime(text []byte) (time.Duration, Form, string) {
	var t time.Time
	if err := t.UnmarshalText(text); err != nil {
		return 0, 0, "an RFC 3339 time such as 2026-03-01T09:00:00Z"
	}
	const limit = int64(Farthest / time.Second)
	if seconds := t.Unix(); seconds < -limit || seconds > limit {
		return 0, 0, "a time within 290 years of 1970"
	}
	return time.Duration(t.UnixNano()), Absolute, ""
}

// appendAt appends a time in a form, as decisions have it.
func appendAt(b []byte, at time.Duration, form Form) []byte {
	if form == Absolute {
		return time.Unix(0, int64(at)).UTC().AppendFormat(b, time.RFC3339Nano)
	}
	return appendDuration(b, at)
}

// appendDuration appends d.String() without allocating the string.
func appendDuration(b []byte, d time.Duration) []byte {
	if d == 0 {
		return append(b, "0s"...)
	}
	u := uint64(d)
	if d < 0 {
		b, u = append(b, '-'), -u
	}
	switch {
	case u < uint64(time.Microsecond):
		return append(strconv.AppendUint(b, u, 10), "ns"...)
	case u < uint64(time.Millisecond):
		return append(appendDecimal(b, u, uint64(time.Microsecond)), "µs"...)
	case u < uint64(time.Second):
		return append(appendDecimal(b, u, uint64(time.Millisecond)), "ms"...)
	}
	minutes := u / uint64(time.Minute)
	if hours := minutes / 60; hours > 0 {
		b = append(strconv.AppendUint(b, hours, 10), 'h')
	}
	if minutes > 0 {
		b = append(strconv.AppendUint(b, minutes%60, 10), 'm')
	}
	return append(appendDecimal(b, u%uint64(time.Minute), uint64(time.Second)), 's')
}

// appendDecimal appends u/unit as a decimal fraction without trailing zeros. unit must be a power of ten.
func appendDecimal(b []byte, u, unit uint64) []byte {
	b = strconv.AppendUint(b, u/unit, 10)
	rest := u % unit
	if rest == 0 {
		return b
	}
	b = append(b, '.')
	for ; rest > 0; rest %= unit {
		unit /= 10
		b = append(b, '0'+byte(rest/unit))
	}
	return b
}
