package oracle

import "time"

// minRuntime returns how long the allocation of an ask runs before it may be a victim. A min_runtime of its own takes the place of its queue's,
// up to the most that the queue permits: as much as its own, unless it says more.
func (k *ask) minRuntime() time.Duration {
	s := k.app.queue.settings.MinRuntime
	switch {
	case k.isPlaceholder():
		return 0
	case k.least == 0:
		return time.Duration(s.Default)
	case s.Max > 0:
		return min(k.least, time.Duration(s.Max))
	}
	return min(k.least, time.Duration(s.Default))
}
