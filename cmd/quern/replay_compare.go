package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/quern-project/quern/host/replay"
	"github.com/quern-project/quern/host/safefile"
	"github.com/quern-project/quern/host/stream"
	"github.com/quern-project/quern/host/summary"
)

// both runs the workload under two configurations.
func (f *replayFlags) both(ctx context.Context, journals []string, s streams, env stream.Env, files *safefile.Transaction) error {
	for _, name := range journals {
		if name != stream.Stdin {
			continue
		}
		remove, err := stream.Spool(&env)
		if err != nil {
			return err
		}
		defer remove()
	}
	other, err := stream.Config(f.compare, env)
	if err != nil {
		return err
	}
	first, err := f.once(ctx, journals, s, env, files, nil)
	if err = commit(files, first, err); first == nil || refused(err) || codeOf(err) == failed {
		return err
	}
	plain := *f
	plain.out, plain.report, plain.record = "", "", ""
	second, err2 := plain.once(ctx, journals, s, env, files, func(w *stream.Workload) { w.Config = other })
	unbegun := errors.Is(err2, context.Canceled) // interrupted while the first ran, or before the second began
	if unbegun {
		err2 = nil
	}
	if second == nil && !unbegun || refused(err2) || codeOf(err2) == failed {
		return errors.Join(err, err2)
	}
	if err == nil { // a bad line ends both runs, and is told once
		err = err2
	}
	if second != nil { // what one of them has no use for, the other may have been given for
		replay.NewDiagnostics(s.err, false).Unused(slices.DeleteFunc(slices.Clone(first.Unused), func(text string) bool { return !slices.Contains(second.Unused, text) }))
	}
	a, b := summary.Named{Config: f.name(), Summary: first}, summary.Named{Config: f.compare, Summary: second}
	s = f.beside(s)
	err = errors.Join(err, s.show(f.json, func(w io.Writer) error { return summary.CompareJSON(w, a, b) }, func(w io.Writer) error {
		return summary.Compare(w, a, b, summary.Style{Color: colored(s.out)})
	}))
	return f.verdict(err, first.Interrupted || unbegun || second.Interrupted)
}

// name is what the first configuration is called beside the second.
func (f *replayFlags) name() string {
	if f.config != "" {
		return f.config
	}
	return "as recorded"
}
