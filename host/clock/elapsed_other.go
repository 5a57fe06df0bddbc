//go:build !linux

package clock

import "time"

var started = time.Now()

// Now is the time since the process was started.
func Now() time.Duration { return time.Since(started) }
