// Package inspect answers questions about the state: which objects there are, why an ask waits, which allocations an ask would preempt.
// It changes nothing and asks no policy. Before it reads orders, it brings them up to date as far as possible without policies.
package inspect

import (
	"github.com/quern-project/quern/core/internal/preempt"
	"github.com/quern-project/quern/core/internal/schedule"
	"github.com/quern-project/quern/core/internal/state"
)

// View reads the state of a partition. Its results share no memory with the state.
type View struct {
	*state.State
	walk        *schedule.Walk
	preemption  *preempt.Preemption
	index       *Index       // nil until the first list
	cursor      state.Cursor // position of the index in the log
	allocations tally
}

// New makes a view of a partition from its state, walk and preemption.
func New(st *state.State, walk *schedule.Walk, preemption *preempt.Preemption) *View {
	return &View{State: st, walk: walk, preemption: preemption}
}

// lane returns the index of a resource type that an ask or a limit names. The table has all of these.
func (s *View) lane(name string) int {
	t, _ := s.Types().Find(name)
	return t
}
