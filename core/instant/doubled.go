package instant

import "time"

// Doubled returns the first of at + d, at + 2d, at + 4d, at + 8d … that is after now, or Never. d is above zero.
func Doubled(at, d, now time.Duration) time.Duration {
	for {
		switch next := Add(at, d); {
		case next > now:
			return next
		case d > Never/2:
			return Never
		}
		d *= 2
	}
}
