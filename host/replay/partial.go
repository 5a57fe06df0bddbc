package replay

import (
	"cmp"
	"errors"

	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/report/summary"
)

// Partial says where and why a run ended before its workload did; nil: it did not. Until is what set the end, for people; unread
// counts what was not replayed, and is asked only then.
func (o *Outcome) Partial(err error, form journal.Form, until string, unread func(applied map[string]int) (n int, known bool)) *summary.Partial {
	p := &summary.Partial{At: o.End - o.Start}
	var (
		line    *journal.Error
		refused *journal.ConfigError
	)
	switch {
	case o.Interrupted:
		p.Cause = summary.Interrupted
	case errors.As(err, &line):
		p.Cause, p.Message = summary.BadLine, err.Error()
	case errors.As(err, &refused): // its errors follow the summary
		p.Cause, p.Message = summary.Failed, "the configuration was refused"
	case err != nil:
		p.Cause, p.Message = summary.Failed, err.Error()
	case o.Cut:
		p.Cause, p.Message = summary.Until, cmp.Or(until, "the first line of the journal")
	default:
		return nil
	}
	if o.Inputs > 0 {
		p.Time = shown(o.End, form)
	}
	if p.Cause != summary.Interrupted {
		p.Unread, p.Counted = unread(o.Applied)
		p.AtLeast = p.Unread >= stream.MostUnread
	}
	return p
}
