//go:build !linux

package leader

import "time"

var started = time.Now()

// elapsed is the time since the process was started.
func elapsed() time.Duration { return time.Since(started) }
