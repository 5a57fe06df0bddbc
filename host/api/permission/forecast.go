package permission

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/quern-project/quern/core/forecast"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/report/explanation"
	"github.com/quern-project/quern/host/server"
)

// ExpectedTimeLimit says what is expected instead of a time that a forecast may play; empty: nothing.
func ExpectedTimeLimit(limit time.Duration) string {
	if limit > 0 && limit <= server.MostForecastTime {
		return ""
	}
	return fmt.Sprintf("a duration above 0s and of at most %s", server.MostForecastTime)
}

// Forecast says when an ask will start, if the caller may be told. Whose run times the answer rests on is for operators, apart from the caller's
// own: those of others are counted together. The error is an *Error, an *explanation.NotPendingError, an *explanation.UnknownError, or one of
// server.Server.Forecast.
func Forecast(ctx context.Context, s *server.Server, ask string, limit time.Duration) (explanation.Answer, error) {
	q := explanation.Question{Kind: explanation.Forecast, Name: ask, Absolute: true}
	if err := Explain(ctx, s.View(), &q); err != nil {
		return explanation.Answer{}, err
	}
	s.Refresh(ctx)
	told, err := s.Forecast(ctx, ask, limit)
	if errors.Is(err, server.ErrNotPending) {
		s.View().Read(func(present *scheduler.Scheduler) { err = q.NotPending(present) })
	}
	if err != nil {
		return explanation.Answer{}, err
	}
	told.Basis.Groups = namingNobodyElse(auth.FromContext(ctx), told.Basis.Groups)
	return explanation.Told(&told, true), nil
}

// HasNoForecast reports whether an error of Forecast says that the ask is not pending, or that there is none of that name.
func HasNoForecast(err error) bool {
	var started *explanation.NotPendingError
	var unknown *explanation.UnknownError
	return errors.As(err, &started) || errors.As(err, &unknown)
}

// namingNobodyElse returns groups as a caller may see them.
func namingNobodyElse(c *auth.Caller, groups []forecast.Group) []forecast.Group {
	if c.Role.May(auth.Operator) {
		return groups
	}
	var own []forecast.Group
	others := forecast.Group{Of: "others"}
	for _, g := range groups {
		if user, _, _ := strings.Cut(g.Of, "/"); c.User != "" && user == c.User {
			own = append(own, g)
			continue
		}
		others.Ended += g.Ended
		others.Asks += g.Asks
	}
	if others.Asks > 0 {
		own = append(own, others)
	}
	return own
}
