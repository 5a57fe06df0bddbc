package format

import "time"

// At writes a point in time as decisions do: a duration since the start, or an RFC 3339 time in UTC.
func At(at time.Duration, absolute bool) string {
	if absolute {
		return time.Unix(0, int64(at)).UTC().Format(time.RFC3339Nano)
	}
	return at.String()
}
