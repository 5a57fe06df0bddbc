package replaycmd

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/files/safefile"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/replay"
	"github.com/quern-project/quern/host/report/compare"
	"github.com/quern-project/quern/host/report/html"
	"github.com/quern-project/quern/host/report/summary"
)

// variant is what a workload runs under in the place of something else.
type variant struct {
	summary.Named
	config *core.SetConfig // in the place of all others; nil: those stay
	file   string          // of a policy in the place of those that are named; empty: none
	bar    *cli.Bar        // shows the progress of all variants together
}

// modules are those that the variant needs beside the others.
func (v *variant) modules() []string {
	if v == nil || v.file == "" {
		return nil
	}
	return []string{v.file}
}

// apply has a run go under the variant.
func (v *variant) apply(s *session) error {
	if v.config != nil {
		s.workload.Config, s.replace = v.config, true
		return nil
	}
	return Override(&compare.Override{Name: v.Policy}, s.policies, s.workload)
}

// Override puts a policy in the place of those that the configurations of a workload name.
func Override(o *compare.Override, policies *replay.Policies, w *stream.Workload) error {
	if err := policies.Refused(o.Name); err != nil {
		return cli.Usage(err)
	}
	o.Points = policies.Points(o.Name)
	if err := o.Check(); err != nil {
		return cli.Usage(err)
	}
	config := o.Default()
	if w.Config != nil {
		config = o.Config(w.Config)
	}
	w.Config, w.Source = config, &compare.Source{Source: w.Source, Override: *o}
	return nil
}

// PolicyName is what the policy in a file is called.
func PolicyName(file string) string {
	return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
}

// variants are what --compare and --compare-policy name, in that order.
func (f *ReplayFlags) variants(env stream.Env) ([]variant, error) {
	var all []variant
	for _, name := range f.compare {
		config, err := stream.Config(name, env)
		if err != nil {
			return nil, err
		}
		all = append(all, variant{Named: summary.Named{Config: name}, config: config})
	}
	for _, file := range f.try {
		all = append(all, variant{Named: summary.Named{Config: f.name(), Policy: PolicyName(file)}, file: file})
	}
	return all, nil
}

// several runs the workload as it is, and under each variant.
func (f *ReplayFlags) several(ctx context.Context, journals []string, s cli.Streams, env stream.Env, files *safefile.Transaction) error {
	if slices.Contains(journals, stream.Stdin) {
		remove, err := stream.Spool(&env)
		if err != nil {
			return err
		}
		defer remove()
	}
	variants, err := f.variants(env)
	if err != nil {
		return err
	}
	first, err := f.once(ctx, journals, s, env, files, nil)
	if first == nil || refused(err) || cli.CodeOf(err) == cli.Failed {
		return err
	}
	runs := []comparedRun{{summary.Named{Config: f.name(), Summary: first.Summary}, first}}
	for _, r := range f.parallel(ctx, journals, s, env, variants) {
		err2 := r.err
		if err2 != nil && (r.played == nil || refused(err2) || cli.CodeOf(err2) == cli.Failed) {
			return errors.Join(err, err2)
		}
		if err == nil { // a bad line ends all runs, and is told once
			err = err2
		}
		runs = append(runs, r.comparedRun)
	}
	err = errors.Join(err, first.write(comparison(runs)))
	if err = commit(files, first, err); cli.CodeOf(err) == cli.Failed {
		return err
	}
	return f.showSeveral(s, runs, err)
}

// comparedRun is one of the runs that are shown side by side; what was played is nil where it did not begin.
type comparedRun struct {
	summary.Named
	played *played
}

func (f *ReplayFlags) showSeveral(s cli.Streams, runs []comparedRun, err error) error {
	var named []summary.Named
	interrupted := false
	unused := runs[0].Unused // what one of them has no use for, another may have been given for
	for _, r := range runs {
		named = append(named, r.Named)
		interrupted = interrupted || r.played == nil || r.Interrupted
		unused = slices.DeleteFunc(slices.Clone(unused), func(text string) bool { return r.played != nil && !slices.Contains(r.Unused, text) })
	}
	if !interrupted {
		replay.NewDiagnostics(s.Err, false).Warn(unused)
	}
	s = f.beside(s)
	err = errors.Join(err, s.Show(f.json, func(w io.Writer) error { return summary.CompareJSON(w, named...) }, func(w io.Writer) error {
		return summary.Compare(w, named, summary.Style{Color: cli.Colored(s.Out)})
	}))
	if err == nil && !interrupted {
		err = errors.Join(f.nothing(named), f.exceeded(named...))
	}
	return f.verdict(err, interrupted)
}

// nothing is an error if no run came to anything, so that their figures say nothing.
func (f *ReplayFlags) nothing(runs []summary.Named) error {
	for _, r := range runs {
		if r.Nothing() == "" || r.Partial != nil {
			return nil
		}
	}
	return cli.Usage(errors.New("there is nothing to compare: " + runs[0].Nothing()))
}

// comparison is what a report shows of runs side by side. All curves have buckets of one width.
func comparison(runs []comparedRun) *html.Comparison {
	var reach time.Duration
	for _, r := range runs {
		if r.played != nil {
			reach = max(reach, r.played.end)
		}
	}
	c := &html.Comparison{}
	for _, r := range runs {
		if r.played == nil {
			continue
		}
		c.Runs = append(c.Runs, r.Named)
		if curves := r.played.meter.Curves(r.played.end, reach); curves != nil {
			c.Curves = append(c.Curves, curves)
		}
	}
	return c
}

// name is what the first configuration is called beside the others.
func (f *ReplayFlags) name() string {
	if f.Config != "" {
		return f.Config
	}
	return "as recorded"
}
