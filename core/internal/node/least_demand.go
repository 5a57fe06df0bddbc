package node

import (
	"math"

	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/resource"
)

// leastDemand is at most what any class asks for that is searched for, by type. Nodes with less room than that are closed:
// with binpacking they would stand before all others forever. A class that asks for less lowers it before its search.
type leastDemand struct {
	bound    resource.Vec
	version  uint32       // grows with each change
	recent   resource.Vec // the least of the searches since the bound was last looked at
	searches int
	span     int          // after so many searches the bound is looked at
	last     *class.Class // searched for
}

// firstSpan is after how many searches the bound may first be raised. Spans double, up to four times the nodes: so raising
// it, and lowering it again, costs little in proportion.
const firstSpan = 64

func newLeastDemand(types int, version uint32) leastDemand {
	l := leastDemand{bound: make(resource.Vec, types), recent: make(resource.Vec, types), span: firstSpan, version: version}
	l.recent.Fill(math.MaxInt64)
	return l
}

// fit reports whether there is room for the least demand.
func (l *leastDemand) fit(room []int64) bool {
	for t, least := range l.bound {
		if room[t] < least {
			return false
		}
	}
	return true
}

// search notes a class that is searched for among so many nodes.
func (l *leastDemand) search(c *class.Class, nodes int) {
	if l.searches++; l.searches >= l.span {
		l.raise(nodes)
	}
	if c == l.last {
		return
	}
	l.last = c
	lower := false
	for t, v := range c.Demand {
		l.recent[t] = min(l.recent[t], v)
		if v < l.bound[t] {
			l.bound[t] = min(v, l.bound[t]/2) // in halves: many shapes lower it a few times only
			lower = true
		}
	}
	if lower {
		l.version++
	}
}

// raise lifts the bound to the least of the searches in the last span, where that is much more.
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
	l.last = nil
	l.searches, l.span = 0, min(2*l.span, 4*nodes+firstSpan)
}
