package queue

import (
	"cmp"
	"strings"

	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// OrdersByUsage reports whether the usage of a parent's children orders them, by the built-in rule.
func (o *Order) OrdersByUsage(parent queues.ID) bool {
	c := o.parents[parent]
	return c.native
}

// CompareWith compares two children of a parent that OrdersByUsage, as if more were used in each of them.
func (o *Order) CompareWith(a queues.ID, moreA resource.Vec, b queues.ID, moreB resource.Vec, total resource.Vec) int {
	c := o.parents[o.places[a].parent]
	if c.byPriority {
		if first := cmp.Compare(o.Highest(b), o.Highest(a)); first != 0 {
			return first
		}
	}
	usedA, waitsA := o.view.SharesWith(a, total, moreA)
	usedB, waitsB := o.view.SharesWith(b, total, moreB)
	if c.ages {
		usedA, usedB = c.agedShareWith(a, moreA), c.agedShareWith(b, moreB)
	}
	return cmp.Or(cmp.Compare(usedA, usedB), cmp.Compare(waitsB, waitsA), strings.Compare(o.view.Path(a), o.view.Path(b)))
}
