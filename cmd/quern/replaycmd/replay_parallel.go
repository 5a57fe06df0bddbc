package replaycmd

import (
	"bytes"
	"context"
	"errors"
	"os"
	"runtime"
	"sync"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/files/stream"
)

// variantRun is a run under a variant, with what it told people.
type variantRun struct {
	comparedRun
	err  error
	told bytes.Buffer
}

// progress is the bar that the variants share.
func (v *variant) progress() cli.Bar {
	if v == nil || v.bar == nil {
		return cli.Bar{}
	}
	return *v.bar
}

// parallel runs the workload under all variants, as many at a time as the program may use processors. The results and the messages are in
// the order of the variants, whichever ends first.
func (f *ReplayFlags) parallel(ctx context.Context, journals []string, s cli.Streams, env stream.Env, variants []variant) []*variantRun {
	bar := cli.NewBarOf(s.Err, "comparing", int64(len(variants))*stream.Size(f.files(journals)...))
	defer bar.Done()
	env.Opened = oneAtATime(env.Opened)
	runs := make([]*variantRun, len(variants))
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i := range variants {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			variants[i].bar = &bar
			runs[i] = &variantRun{}
			own := s
			own.Err = &runs[i].told
			runs[i].comparedRun, runs[i].err = f.variant(ctx, journals, own, env, &variants[i])
		})
	}
	all.Wait()
	for _, r := range runs {
		_, _ = r.told.WriteTo(bar.Above(s.Err))
	}
	return runs
}

// oneAtATime lets several runs call a function that keeps a list of files.
func oneAtATime(opened func(string, os.FileInfo) error) func(string, os.FileInfo) error {
	var turn sync.Mutex
	return func(name string, info os.FileInfo) error {
		turn.Lock()
		defer turn.Unlock()
		return opened(name, info)
	}
}

// variant runs the workload under a variant and writes no files. If the run is interrupted before it begins, what was played is nil.
func (f *ReplayFlags) variant(ctx context.Context, journals []string, s cli.Streams, env stream.Env, v *variant) (comparedRun, error) {
	plain := *f
	plain.Out, plain.Report, plain.record, plain.modules = "", "", "", ""
	plain.curves = f.Report != ""
	named := v.Named
	if ctx.Err() != nil {
		return comparedRun{Named: named}, nil
	}
	run, err := plain.once(ctx, journals, s, env, nil, v)
	if errors.Is(err, context.Canceled) {
		return comparedRun{Named: named}, nil
	}
	if run != nil {
		named.Summary = run.Summary
	}
	return comparedRun{named, run}, err
}
