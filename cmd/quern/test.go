package main

import (
	"github.com/spf13/cobra"

	"github.com/quern-project/quern/features"
)

func newTest(s streams) *cobra.Command {
	o := features.Options{Out: s.out, Err: s.err}
	cmd := &cobra.Command{
		Use:   "test [flags] [PATH...]",
		Short: "Play scenarios written in Gherkin against the scheduler",
		Long: `Play the scenarios of feature files, or of folders of them, against the scheduler. Without a path, those that come with
quern. The exit code is 1 when a scenario fails, and 2 when a file cannot be used or there is no scenario.`,
		Example: `  quern test
  quern test features/ --format pretty
  quern test mine.feature:12 --reports build`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			o.Paths, o.Colors = paths, colored(s.out)
			return ended(features.Run(cmd.Context(), o))
		},
	}
	cmd.Flags().StringVar(&o.Tags, "tags", "", "play only scenarios with these tags, such as `'@explain && ~@slow'`")
	cmd.Flags().StringVar(&o.Format, "format", "progress", "`pretty`, progress, cucumber or junit")
	cmd.Flags().StringVar(&o.Reports, "reports", "", "write cucumber.json and junit.xml into `DIR`")
	cmd.Flags().Int64Var(&o.Random, "random", 0, "play in the order of this `SEED`; -1: any order")
	return cmd
}
