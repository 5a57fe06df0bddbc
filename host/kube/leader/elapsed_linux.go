package leader

import (
	"time"

	"golang.org/x/sys/unix"
)

// elapsed is the time since the machine was started. Unlike the monotonic clock of package time, it includes the time in which the machine was
// suspended.
func elapsed() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &t); err != nil {
		panic(err) // every Linux that Go runs on has this clock
	}
	return time.Duration(t.Nano())
}
