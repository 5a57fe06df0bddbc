package si

import (
	"fmt"
	"time"
)

// Walltime is a tag of allocations: a duration that the allocation promises to run at most.
const Walltime = "quern/walltime"

// walltimeOf reads how long an allocation promises to run at most; 0: its tags do not say.
func walltimeOf(tags map[string]string) (time.Duration, error) {
	d, given, err := durationOf(tags, Walltime)
	if given && d == 0 {
		err = fmt.Errorf("%s: expected a duration above zero, such as 10m, found %q", Walltime, tags[Walltime])
	}
	return d, err
}
