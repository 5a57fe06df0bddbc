package state

import (
	"fmt"
	"math"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Sums of existing objects (the cluster's total, the usage of a queue or a node) are exact: an input that would raise one of them above the
// largest int64 is refused. Allocations that the scheduler makes always fit.

// overflows returns the bytewise first type for which have + more exceeds the largest int64, or -1. All amounts must be at least 0. Messages
// name the type, so the order in which types were registered must not choose it: a restored scheduler has another order.
func (s *State) overflows(have func(t int) int64, more resource.Vec) int {
	first := -1
	for t, amount := range more {
		if amount > math.MaxInt64-have(t) {
			first = s.firstType(first, t)
		}
	}
	return first
}

// firstType returns the type with the bytewise smaller name. If a is -1, it returns b.
func (s *State) firstType(a, b int) int {
	if a < 0 || s.types.Name(b) < s.types.Name(a) {
		return b
	}
	return a
}

func (s *State) overflow(sum string, t int) string {
	return fmt.Sprintf("%s of %s would be more than %d", sum, s.types.Name(t), int64(math.MaxInt64))
}

// updateOverflows returns a message about the sum that a node.update would overflow, or an empty string.
func (s *State) updateOverflows(n int32, in *core.UpdateNode) string {
	if in.Capacity != nil {
		others := func(t int) int64 { return s.finder.TotalOf(t) - s.finder.CapacityOf(n, t) }
		if t := s.overflows(others, s.types.Vec(in.Capacity, 0)); t >= 0 {
			return s.overflow("the cluster's total", t)
		}
	}
	if in.Occupied != nil {
		if t := s.overflows(func(t int) int64 { return s.finder.UsedOf(n, t) }, s.types.Vec(in.Occupied, 0)); t >= 0 {
			return s.overflow(fmt.Sprintf("what is used on node %q", s.finder.ID(n)), t)
		}
	}
	return ""
}

// restoreOverflows returns a message about the sum that a restored allocation would overflow, or an empty string.
func (s *State) restoreOverflows(n int32, amounts resource.Set) string {
	s.admit(amounts)
	demand := s.types.Vec(amounts, 0)
	root := s.Queues().Root()
	if t := s.overflows(func(t int) int64 { return s.Queues().Used(root, t) }, demand); t >= 0 {
		return s.overflow("the usage of "+s.Queues().Shown(root), t)
	}
	if t := s.overflows(func(t int) int64 { return s.finder.TakenOf(n, t) }, demand); t >= 0 {
		return s.overflow(fmt.Sprintf("what is used on node %q", s.finder.ID(n)), t)
	}
	return ""
}
