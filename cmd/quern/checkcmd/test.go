package checkcmd

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/features"
)

type testFlags struct {
	features.Options
	formats        []string
	folder         string
	verbose, watch bool
	steps          string
}

// NewTest makes the command quern test.
func NewTest(s cli.Streams) *cobra.Command {
	f := testFlags{Options: features.Options{Colors: cli.Colored(s.Out)}}
	cmd := &cobra.Command{
		Use:   "test [flags] [PATH...]",
		Short: "Play scenarios written in Gherkin against the scheduler",
		Long: `Play the scenarios of feature files, or of folders of them, against the scheduler. Without a path, play the scenarios that come
with quern. The exit code is 1 if a scenario fails, and 2 if a file cannot be used or there is no scenario.`,
		Example: `  quern test
  quern test features/ --format pretty
  quern test features/ --format junit:report.xml --format pretty
  quern test mine.feature:12 --watch`,
		RunE: func(cmd *cobra.Command, paths []string) error { return f.run(cmd, paths, s) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Tags, "tags", "", "play only scenarios with these `TAGS`, such as '@explain and not @slow'")
	flags.StringArrayVar(&f.formats, "format", nil, "`NAME[:FILE]`: pretty, progress (the default), cucumber or junit, to standard output or to a file; repeatable")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "the same as --format pretty")
	flags.StringVar(&f.folder, "reports", "", "write features.cucumber.json and features.junit.xml into `DIR`")
	flags.Int64Var(&f.Random, "random", -1, "play in a random order from this `SEED`; -1: a random seed, 0: as written (the default with pretty)")
	flags.IntVar(&f.Concurrency, "concurrency", runtime.NumCPU(), "play `N` scenarios at once")
	flags.BoolVar(&f.watch, "watch", false, "keep running, and play a feature again when its file changes")
	flags.StringVar(&f.steps, "steps", "", "list the steps for scenarios, and exit; the `FORMAT` is text, json, or javascript for editors")
	flags.Lookup("steps").NoOptDefVal = stepsText
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(features.Formats(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("steps", cobra.FixedCompletions([]string{stepsText, stepsJSON, stepsJavaScript}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (f *testFlags) run(cmd *cobra.Command, paths []string, s cli.Streams) error {
	if f.steps != "" {
		return printSteps(f.steps, paths, s)
	}
	if f.Concurrency < 1 {
		return cli.Usage(fmt.Errorf("--concurrency: expected at least 1, found %d", f.Concurrency))
	}
	var err error
	if f.Format, f.Reports, err = features.ParseFormats(f.formats); err != nil {
		return cli.Usage(fmt.Errorf("--%w", err))
	}
	if f.verbose {
		f.Format = features.FormatPretty
	}
	if f.Pretty() && !cmd.Flags().Changed("random") {
		f.Random = 0
	}
	f.Paths = paths
	if err := f.remind(s); err != nil {
		return err
	}
	out := s.Text()
	if f.Out, f.Err = out, s.Err; slices.Contains([]string{features.FormatCucumber, features.FormatJUnit}, f.Format) {
		f.Out = s.Data() // programs read it
	}
	switch {
	case f.watch && (len(f.Reports) > 0 || f.folder != ""):
		err = cli.Usage(errors.New("--watch: expected no --reports and no --format with a file, since later runs play only a part"))
	case f.watch:
		err = f.again(cmd.Context(), s)
	case f.folder != "" || len(f.Reports) > 0:
		err = f.report(cmd.Context(), s)
	default:
		err = cli.Ended(features.Run(cmd.Context(), f.Options))
	}
	return errors.Join(out.Flush(), err)
}

// ownFeatures is the usual folder of one's own scenarios.
const ownFeatures = "features"

// remind says that only the scenarios that ship are played, where the folder looks as if it had others.
func (f *testFlags) remind(s cli.Streams) error {
	if info, err := os.Stat(ownFeatures); len(f.Paths) > 0 || err != nil || !info.IsDir() {
		return nil
	}
	_, err := fmt.Fprintln(s.Err, "These are the scenarios that ship with quern; quern test features/ plays those of this folder")
	return err
}

// How --steps lists sentences.
const (
	stepsText       = "text"
	stepsJSON       = "json"
	stepsJavaScript = "javascript"
)

// printSteps lists the sentences. The way may stand behind a space, since there is nothing else to name beside --steps.
func printSteps(as string, args []string, s cli.Streams) error {
	if as == stepsText && len(args) == 1 {
		as, args = args[0], nil
	}
	if len(args) > 0 {
		return cli.Usage(fmt.Errorf("--steps: expected no path, found %s", strings.Join(args, " ")))
	}
	switch as {
	case stepsText, "true": // the value of a setting
		return features.PrintSteps(s.Out)
	case stepsJSON:
		return features.PrintStepsJSON(s.Out)
	case stepsJavaScript:
		return features.PrintStepsJavaScript(s.Out)
	}
	return cli.Usage(fmt.Errorf("--steps: expected text, json or javascript, found %q", as))
}
