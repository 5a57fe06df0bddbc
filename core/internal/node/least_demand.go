package node

import (
	"math"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/resource"
)

// leastDemand is a lower bound, by type, of the demand of every class that is searched for. Nodes with less room are closed: with
// binpacking, full nodes would otherwise come before all others in every search. A class with a smaller demand lowers the bound
// before its search.
type leastDemand struct {
	bound    resource.Vec
	version  uint32       // incremented by each change of bound
	recent   resource.Vec // the least demand of the searches in the current span
	searches int
	span     int         // number of searches after which the bound may be raised
	last     class.Class // the class searched for last
}

// firstSpan is the length of the first span. Spans double, up to four times the number of nodes, so that raising and lowering the
// bound costs little in proportion to the searches.
const firstSpan = 64

func newLeastDemand(types int, version uint32) leastDemand {
	l := leastDemand{bound: make(resource.Vec, types), recent: make(resource.Vec, types), span: firstSpan, version: version}
	l.recent.Fill(math.MaxInt64)
	return l
}

// fit reports whether the least demand fits the room.
func (l *leastDemand) fit(room []int64) bool {
	for t, least := range l.bound {
		if room[t] < least {
			return false
		}
	}
	return true
}

// recordSearch accounts for a search for a class among a number of nodes, and lowers the bound if the class needs less.
func (l *leastDemand) recordSearch(c class.Class, nodes int) {
	if l.searches++; l.searches >= l.span {
		l.raise(nodes)
	}
	if c == l.last {
		return
	}
	l.last = c
	lower := false
	for t := range c.Demand().Len() {
		v := c.RoomNeed(t)
		l.recent[t] = min(l.recent[t], v)
		if v < l.bound[t] {
			l.bound[t] = min(v, l.bound[t]/2) // at least by half, so that many shapes lower it only a few times
			lower = true
		}
	}
	if lower {
		l.version++
	}
}

// raise sets the bound to the least demand of the last span if that is at least twice as much for some type.
func (l *leastDemand) raise(nodes int) {
	higher := false
	for t, v := range l.recent {
		higher = higher || v/2 >= max(l.bound[t], 1)
	}
	if higher {
		copy(l.bound, l.recent)
		l.version++
	}
	l.recent.Fill(math.MaxInt64)
	l.last = class.Class{}
	l.searches, l.span = 0, min(2*l.span, 4*nodes+firstSpan)
}
