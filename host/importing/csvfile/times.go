package csvfile

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/host/importing"
)

// The formats of times that are no layouts.
const (
	formatUnix    = "unix"
	formatRFC3339 = "rfc3339"
)

// units are the units of times and durations.
var units = map[string]time.Duration{
	"ns": time.Nanosecond, "us": time.Microsecond, "ms": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour,
}

// clock reads times as the mapping says.
type clock struct {
	unit   time.Duration // of numbers
	layout string        // empty: numbers
	zone   *time.Location
}

func (c *checker) time(m *Mapping) {
	t := &m.Time
	m.clock = clock{zone: time.UTC}
	unit, known := units[t.Unit]
	switch {
	case t.Unit != "" && !known:
		c.add("time.unit", "one of ns, us, ms, s, m, h and d", fmt.Sprintf("%q", t.Unit))
	case t.Unit != "" && t.Format != "" && t.Format != formatUnix:
		c.add("time.unit", "no unit beside this format", "one")
	case t.Unit == "":
		unit = time.Second
	}
	m.clock.unit = unit
	switch t.Format {
	case "", formatUnix:
	case formatRFC3339:
		m.clock.layout = time.RFC3339
	default:
		m.clock.layout = t.Format
		if !strings.Contains(t.Format, "2006") && !strings.Contains(t.Format, "06") {
			c.add("time.format", "unix, rfc3339 or a layout of Go such as 2006-01-02 15:04:05", fmt.Sprintf("%q", t.Format))
		}
	}
	if t.Zone == "" {
		return
	}
	at, err := time.Parse("-07:00", t.Zone)
	if err != nil {
		c.add("time.zone", "an offset such as +02:00", fmt.Sprintf("%q", t.Zone))
		return
	}
	_, offset := at.Zone()
	m.clock.zone = time.FixedZone(t.Zone, offset)
}

// expected is what messages say that a time should be.
func (c *clock) expected() string {
	if c.layout == "" {
		return "a number of seconds or of another time.unit, within 290 years of 1970"
	}
	return "a time such as " + c.layout
}

// read reads a time.
func (c *clock) read(text string) (time.Duration, bool) {
	if c.layout == "" {
		return span(text, c.unit, true)
	}
	t, err := time.ParseInLocation(c.layout, text, c.zone)
	const limit = int64(importing.Farthest / time.Second)
	if err != nil || t.Unix() > limit || t.Unix() < -limit {
		return 0, false
	}
	return time.Duration(t.UnixNano()), true
}

// number is a decimal number, with an exponent of three digits at most.
var number = regexp.MustCompile(`^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$`)

// longestNumber bounds a number in bytes.
const longestNumber = 64

// decimal reads a number of zero or more.
func decimal(text string) (*big.Rat, bool) {
	if len(text) > longestNumber || !number.MatchString(text) {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// span reads a number of units, to the nanosecond below it.
func span(text string, unit time.Duration, signed bool) (time.Duration, bool) {
	text, negative := strings.CutPrefix(text, "-")
	value, ok := decimal(text)
	if !ok || negative && !signed {
		return 0, false
	}
	value.Mul(value, new(big.Rat).SetInt64(int64(unit)))
	whole := new(big.Int).Quo(value.Num(), value.Denom())
	if !whole.IsInt64() || whole.Int64() > int64(importing.Farthest) {
		return 0, false
	}
	if negative {
		return -time.Duration(whole.Int64()), true
	}
	return time.Duration(whole.Int64()), true
}

// clockSpan is a duration as Slurm writes it: [days-]hours:minutes:seconds.
var clockSpan = regexp.MustCompile(`^(?:([0-9]{1,5})-)?([0-9]{1,3}):([0-9]{2}):([0-9]{2})$`)

// duration reads a number of units, a duration of Go, or hours, minutes and seconds.
func duration(text string, unit time.Duration) (time.Duration, bool) {
	if m := clockSpan.FindStringSubmatch(text); m != nil {
		var total time.Duration
		for i, unit := range []time.Duration{24 * time.Hour, time.Hour, time.Minute, time.Second} {
			n, _ := strconv.Atoi(m[i+1]) // no more than digits; empty is 0
			total = instant.Add(total, time.Duration(n)*unit)
		}
		return total, true
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return d, true
	}
	return span(text, unit, false)
}
