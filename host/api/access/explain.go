package access

import (
	"context"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/explain"
)

// Explain reports whether a caller may be told why something waits. What an explanation of a queue says is amounts. One of an application
// or an ask names what others run: it is for the owner, for administrators of the queue, and for operators. What an ask would preempt is
// a list of the allocations of others, and for operators alone. The error is an *Error.
func Explain(ctx context.Context, state Reader, kind explain.Kind, name string) error {
	c := auth.FromContext(ctx)
	if kind == explain.Queue || c.Role.May(auth.Operator) {
		return nil
	}
	may := false
	if kind != explain.Preemption {
		state.Read(func(present *core.Scheduler) {
			if kind == explain.Ask {
				a, _ := present.Ask(name)
				name = a.App
			}
			a, ok := present.App(name)
			may = ok && owns(present, c, &a)
		})
	}
	if !may {
		return &Error{"what others run is explained to operators"}
	}
	return nil
}
