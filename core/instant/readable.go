package instant

import (
	"strconv"
	"time"
)

const (
	day       = 24 * time.Hour
	hundredth = 10 * time.Millisecond // of a second
)

// Readable formats a duration for people: from a minute on in its two largest units, below that to a hundredth of a second.
func Readable(d time.Duration) string {
	switch {
	case d == Never:
		return "forever"
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(hundredth).String()
	case d >= day:
		return inTwo(d, "d", day, "h", time.Hour)
	case d >= time.Hour:
		return inTwo(d, "h", time.Hour, "m", time.Minute)
	}
	return inTwo(d, "m", time.Minute, "s", time.Second)
}

// inTwo formats a duration in two units.
func inTwo(d time.Duration, large string, unit time.Duration, small string, part time.Duration) string {
	d = d.Round(part)
	text := strconv.FormatInt(int64(d/unit), 10) + large
	if rest := d % unit / part; rest > 0 {
		text += strconv.FormatInt(int64(rest), 10) + small
	}
	return text
}
