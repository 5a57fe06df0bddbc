package permission

import (
	"context"
	"slices"

	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/report/explanation"
)

// Explain reports whether a caller may be told the answer to a question. What an explanation of a queue says is amounts. One of an
// application or an ask names what others run: it is for the owner, for administrators of the queue, and for operators. What an ask would
// preempt, or a queue release, is a list of the allocations of others, and for operators alone. What users may do and use, each may ask
// about itself, and operators about all. The error is an *Error.
func Explain(ctx context.Context, state Reader, q *explanation.Question) error {
	c := auth.FromContext(ctx)
	if q.Kind == explanation.Queue || c.Role.May(auth.Operator) {
		return nil
	}
	switch q.Kind {
	case explanation.Ask, explanation.Forecast, explanation.App:
		if ownsSubject(state, c, q) {
			return nil
		}
	case explanation.Access, explanation.Limits, explanation.Place:
		if !isAboutItself(c, q) {
			return &Error{"only operators may see what other users may do and use"}
		}
		return nil
	}
	return &Error{"only operators get explanations of other users' work"}
}

// ownsSubject reports whether an ask or an application is the caller's.
func ownsSubject(state Reader, c *auth.Caller, q *explanation.Question) (may bool) {
	state.Read(func(present *scheduler.Scheduler) {
		name := q.Name
		if q.Kind != explanation.App {
			a, _ := present.Ask(name)
			name = a.App
		}
		a, ok := present.App(name)
		may = ok && owns(present, c, &a)
	})
	return may
}

// isAboutItself reports whether a caller asks about its own user, in groups of its own.
func isAboutItself(c *auth.Caller, q *explanation.Question) bool {
	foreign := func(group string) bool { return !slices.Contains(c.Groups, group) }
	return c.User != "" && q.User != nil && *q.User == c.User && !slices.ContainsFunc(q.Groups, foreign)
}
