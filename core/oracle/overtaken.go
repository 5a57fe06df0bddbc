package oracle

import "time"

// pastAllocation is an allocation made by a cycle: its time, and its effective priority as seen by root at that time.
type pastAllocation struct {
	at   time.Duration
	seen int32
}

// isOvertaken reports whether, since the ask was due, an ask of lower effective priority than the ask has now was allocated.
func (p *partition) isOvertaken(k *ask) bool {
	for _, made := range p.allocations {
		if made.at >= p.settings.ReservationDelay.After(k.submitted) && made.seen < seenAtRoot(k) {
			return true
		}
	}
	return false
}

// seenAtRoot returns the ask's effective priority as seen by root.
func seenAtRoot(k *ask) int32 { return seenAbove(k.app.queue.chain(), k.priority) }
