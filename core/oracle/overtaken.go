package oracle

import "time"

// past is an allocation that a cycle made: when, and the effective priority that root saw then.
type past struct {
	at   time.Duration
	seen int32
}

// isOvertaken reports whether, since the ask was due, an ask was allocated whose effective priority was lower than the
// ask's is now.
func (p *partition) isOvertaken(k *ask) bool {
	for _, made := range p.allocations {
		if made.at >= p.settings.ReservationDelay.After(k.submitted) && made.seen < seenAtRoot(k) {
			return true
		}
	}
	return false
}

// seenAtRoot is the ask's effective priority as root sees it.
func seenAtRoot(k *ask) int32 { return seenAbove(k.app.queue.chain(), k.priority) }
