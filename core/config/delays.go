package config

import (
	"strings"
	"time"

	"github.com/quern-project/quern/core/instant"
)

// longDelay is ten years. A longer delay is probably a mistake, or meant to be infinite.
const longDelay = instant.Delay(87_600 * time.Hour)

func (d *decoder) preemptionDelay(at place, queue, text string) instant.Delay {
	delay, ok := parseDelay(text)
	if !ok || delay <= 0 {
		d.warn(at, queue, propPreemptionDelay, quote(text)+" is not a duration above zero, such as 30s; 30s is used")
		return DefaultPreemptionDelay
	}
	return d.warnLongDelay(at, queue, propPreemptionDelay, text, delay)
}

func (d *decoder) reservationDelay(at place, text string) instant.Delay {
	delay, ok := parseDelay(text)
	if !ok || delay < 0 {
		d.warn(at, "root", propReservationDelay, quote(text)+" is not a duration such as 2s, or 0s for no reservations; 2s is used")
		return DefaultReservationDelay
	}
	return d.warnLongDelay(at, "root", propReservationDelay, text, delay)
}

func (d *decoder) patience(at place, text string) instant.Delay {
	delay, ok := parseDelay(text)
	if !ok || delay < 0 {
		d.warn(at, "root", propPatience, quote(text)+" is not a duration such as 30s, or 0s for none; 30s is used")
		return DefaultPatience
	}
	return d.warnLongDelay(at, "root", propPatience, text, delay)
}

func (d *decoder) accumulateAfter(at place, text string) instant.Delay {
	delay, ok := parseDelay(text)
	if !ok || delay < 0 {
		d.warn(at, "root", propAccumulateAfter, quote(text)+" is not a duration such as 60s, or 0s for never; 60s is used")
		return DefaultAccumulateAfter
	}
	return d.warnLongDelay(at, "root", propAccumulateAfter, text, delay)
}

func (d *decoder) accumulateFor(at place, text string) instant.Delay {
	delay, ok := parseDelay(text)
	if !ok || delay <= 0 {
		d.warn(at, "root", propAccumulateFor, quote(text)+" is not a duration above zero, such as 15m; 15m is used")
		return DefaultAccumulateFor
	}
	return d.warnLongDelay(at, "root", propAccumulateFor, text, delay)
}

func (d *decoder) quotaDelay(at place, queue, text string) instant.Delay {
	delay, ok := parseDelay(text)
	if !ok || delay < 0 {
		d.warn(at, queue, propQuotaDelay, quote(text)+" is not a duration such as 1m, or 0 for none; 0 is used")
		return 0
	}
	return d.warnLongDelay(at, queue, propQuotaDelay, text, delay)
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
