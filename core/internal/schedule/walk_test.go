package schedule

import (
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/state"
)

// newWalk makes a walk whose searches have no budget.
func newWalk(st *state.State) *Walk {
	progress := resumable.New(resumable.Observed{Changes: st.LogEnd, Failures: func() uint64 { return st.PolicyFaults() }}, false)
	progress.Begin(resumable.Unlimited())
	return New(st, progress)
}
