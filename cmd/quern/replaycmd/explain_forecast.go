package replaycmd

import (
	"context"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/forecast"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/replay"
	"github.com/quern-project/quern/host/report/explanation"
)

// forecast says when the ask of a question will start, from where a replay has come to.
func (f *explainFlags) forecast(
	ctx context.Context, q *explanation.Question, s *scheduler.Scheduler, runs *ledger.RunTimes, policies *replay.Policies,
) (answer explanation.Answer, err error) {
	made, ok := forecast.New(s, runs, forecast.Options{Ask: q.Name})
	if !ok {
		return answer, q.NotPending(s)
	}
	frozen, err := s.Freeze()
	if err != nil {
		return answer, err
	}
	late := time.Now().Add(f.timeLimit)
	told := made.Run(func() (core.Machine, func()) { return frozen.Fork(policies.Options(ctx)), func() {} },
		func() bool { return ctx.Err() != nil || !time.Now().Before(late) })
	return explanation.Told(&told, q.Absolute), nil
}
