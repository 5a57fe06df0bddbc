package config

import (
	"strings"
	"time"

	"github.com/quern-project/quern/core/instant"
)

// longDelay is ten years. A longer delay is probably a mistake, or meant to be infinite.
const longDelay = instant.Delay(87_600 * time.Hour)

func (d *decoder) preemptionDelay(at place, queue, text string) instant.Delay {
	return d.delay(at, queue, propPreemptionDelay, text, usual{DefaultPreemptionDelay, 1, "a duration above zero, such as 30s; 30s is used"})
}

func (d *decoder) reservationDelay(at place, text string) instant.Delay {
	return d.delay(at, "root", propReservationDelay, text, usual{DefaultReservationDelay, 0, "a duration such as 2s, or 0s for no reservations; 2s is used"})
}

func (d *decoder) patience(at place, text string) instant.Delay {
	return d.delay(at, "root", propPatience, text, usual{DefaultPatience, 0, "a duration such as 30s, or 0s for none; 30s is used"})
}

func (d *decoder) accumulateAfter(at place, text string) instant.Delay {
	return d.delay(at, "root", propAccumulateAfter, text, usual{DefaultAccumulateAfter, 0, "a duration such as 60s, or 0s for never; 60s is used"})
}

func (d *decoder) accumulateFor(at place, text string) instant.Delay {
	return d.delay(at, "root", propAccumulateFor, text, usual{DefaultAccumulateFor, 1, "a duration above zero, such as 15m; 15m is used"})
}

func (d *decoder) quotaDelay(at place, queue, text string) instant.Delay {
	return d.delay(at, queue, propQuotaDelay, text, usual{0, 0, "a duration such as 1m, or 0 for none; 0 is used"})
}

// usual says what a property takes, and what is used instead of anything else.
type usual struct {
	instead, least instant.Delay
	words          string
}

// delay reads the delay of a property. It warns about values that are not used.
func (d *decoder) delay(at place, queue, key, text string, u usual) instant.Delay {
	delay, ok := parseDelay(text)
	if !ok || delay < u.least {
		d.warn(at, queue, key, quote(text)+" is not "+u.words)
		return u.instead
	}
	return d.warnLongDelay(at, queue, key, text, delay)
}

// warnLongDelay warns about a delay that is longer than longDelay, and returns the delay unchanged.
func (d *decoder) warnLongDelay(at place, queue, key, text string, delay instant.Delay) instant.Delay {
	if delay > longDelay {
		d.warn(at, queue, key, quote(text)+" is longer than ten years (87600h)")
	}
	return delay
}

// parseDelay parses a Go duration. If it is too long for a Delay, the result is the longest one.
func parseDelay(text string) (delay instant.Delay, ok bool) {
	parsed, err := time.ParseDuration(text)
	if err == nil {
		return instant.Delay(parsed), true
	}
	zeros := strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return '0'
		}
		return r
	}, text)
	if _, err := time.ParseDuration(zeros); err != nil {
		return 0, false
	}
	if strings.HasPrefix(text, "-") {
		return instant.Delay(instant.Beginning), true
	}
	return instant.Delay(instant.Never), true // only the number of digits makes it invalid
}
