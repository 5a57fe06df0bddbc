package oracle

import (
	"time"

	"github.com/quern-project/quern/core/instant"
)

// pastVictim is a victim that has left.
type pastVictim struct {
	id    string
	app   *app
	left  time.Duration
	times int64 // how often its ask was preempted
}

// rememberedFor is how long a victim that has left is remembered.
const rememberedFor = 72 * time.Hour

// count counts a preemption of each victim, for its ask and its application.
func (p *partition) count(victims []*ask) {
	for _, v := range victims {
		v.preempted++
		v.app.preempted++
	}
}

// timesPreempted returns how often the application's last victim with an ID was preempted, if that is remembered.
func (a *app) timesPreempted(id string) int64 {
	times := int64(0)
	for _, v := range a.partition.victimsLeft {
		if v.id == id && instant.Add(v.left, rememberedFor) > a.partition.now {
			times = 0
			if v.app == a {
				times = v.times
			}
		}
	}
	return times
}
