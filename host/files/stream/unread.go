package stream

import (
	"context"

	"github.com/quern-project/quern/core/journal"
)

// MostUnread bounds what Unread counts.
const MostUnread = 1_000_000

// Unread counts what a run that ended early left out, up to MostUnread: the lines of journals after those that were applied, by file, or
// the inputs of a trace from the last one that was read. It reads journals again. It is false for a stream, whose rest may never come.
// The source must not be used afterwards.
func (w *Workload) Unread(applied map[string]int) (n int, known bool) {
	if w.unread == nil {
		return 0, false
	}
	return w.unread(applied)
}

func (w *Workload) linesAfter(names []string, applied map[string]int, env Env) (n int, known bool) {
	if w.waits {
		return 0, false
	}
	env.Context, env.Read = context.WithoutCancel(env.Context), nil
	for _, name := range names {
		r, err := Open(name, env)
		if err != nil {
			return 0, false
		}
		more, err := journal.Remaining(r, applied[path(name)], MostUnread-n)
		_ = r.Close()
		if err != nil {
			return 0, false
		}
		n += more
	}
	return n, true
}

// inputsOf counts the inputs that a source still has.
func inputsOf(source journal.Source) (n int) {
	for n < MostUnread {
		if _, err := source.Next(); err != nil {
			return n
		}
		n++
	}
	return n
}
