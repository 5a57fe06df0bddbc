// Package inspect answers questions about the state: what there is, why something waits, which allocations an ask would
// preempt. It changes nothing and asks no policy; orders are brought up to date as far as that needs none.
package inspect

import (
	"github.com/quern-project/quern/core/internal/preempt"
	"github.com/quern-project/quern/core/internal/schedule"
	"github.com/quern-project/quern/core/internal/state"
)

// View reads a state; what it returns is detached from it.
type View struct {
	*state.State
	walk        *schedule.Walk
	preemption  *preempt.Preemption
	index       *Index       // nil: nothing has been listed yet
	cursor      state.Cursor // how far the index has read the log
	allocations tally
}

// New makes a view of a state, its walk and its preemption.
func New(st *state.State, walk *schedule.Walk, preemption *preempt.Preemption) *View {
	return &View{State: st, walk: walk, preemption: preemption}
}
