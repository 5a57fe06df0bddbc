package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/features"
)

type testFlags struct {
	features.Options
	verbose, steps bool
}

func newTest(s streams) *cobra.Command {
	f := testFlags{Options: features.Options{Colors: colored(s.out)}}
	cmd := &cobra.Command{
		Use:   "test [flags] [PATH...]",
		Short: "Play scenarios written in Gherkin against the scheduler",
		Long: `Play the scenarios of feature files, or of folders of them, against the scheduler. Without a path, those that come with
quern. The exit code is 1 when a scenario fails, and 2 when a file cannot be used or there is no scenario.`,
		Example: `  quern test
  quern test features/ --format pretty
  quern test mine.feature:12 --reports build`,
		RunE: func(cmd *cobra.Command, paths []string) error { return f.run(cmd, paths, s) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Tags, "tags", "", "play only scenarios with these tags, such as `'@explain and not @slow'`")
	flags.StringVar(&f.Format, "format", "progress", "`pretty`, progress, cucumber or junit")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "the same as --format pretty")
	flags.StringVar(&f.Reports, "reports", "", "write features.cucumber.json and features.junit.xml into `DIR`")
	flags.Int64Var(&f.Random, "random", -1, "play in the order of this `SEED`; -1: any order, 0: as written (the default with pretty)")
	flags.IntVar(&f.Concurrency, "concurrency", runtime.NumCPU(), "play so many scenarios (`N`) at once")
	flags.BoolVar(&f.steps, "steps", false, "print the sentences that scenarios are made of, and end")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"pretty", "progress", "cucumber", "junit"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (f *testFlags) run(cmd *cobra.Command, paths []string, s streams) error {
	if f.steps {
		return features.PrintSteps(s.out)
	}
	if f.Concurrency < 1 {
		return usage(fmt.Errorf("--concurrency: expected at least 1, found %d", f.Concurrency))
	}
	if f.verbose {
		f.Format = "pretty"
	}
	if f.Format == "pretty" && !cmd.Flags().Changed("random") {
		f.Random = 0
	}
	f.Paths = paths
	out := s.text()
	if f.Out, f.Err = out, s.err; strings.Contains(f.Format, "cucumber") || strings.Contains(f.Format, "junit") {
		f.Out = s.data() // programs read it
	}
	if f.Reports != "" {
		err := f.report(cmd.Context(), s)
		return errors.Join(out.Flush(), err)
	}
	code := features.Run(cmd.Context(), f.Options)
	return errors.Join(out.Flush(), ended(code))
}
