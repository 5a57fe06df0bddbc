package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/host/format"
)

// run runs a command line and returns its exit code.
func run(ctx context.Context, args []string, s streams) int {
	out := &standardOutput{w: s.out}
	text := format.NewWriter(s.err, colored(s.err))
	s.out, s.err = out, text
	root := newRoot(s)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if failure := out.failure(); failure != nil && !errors.Is(err, failure) {
		err = errors.Join(err, failure) // it came of a write that nobody looked after
	}
	tell(text, err)
	_ = text.Flush() // there is nobody left to tell
	return codeOf(err)
}

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "quern",
		Short:         "A hierarchical-queue cluster scheduler",
		Long:          longRoot,
		Version:       buildVersion(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := loadSettings(cmd, settingsFile); err != nil {
			return usage(err)
		}
		return nil
	}
	root.SetVersionTemplate("quern {{.Version}}\n")
	root.SetFlagErrorFunc(misused)
	root.AddCommand(newReplay(s), newImport(s), newExplain(s), newValidate(s), newDemo(s), newTest(s), newPolicy(s), newSchema(s), newPlayground(s), newServe(s), newJournal(s), newToken(s),
		newGet(s), newDescribe(s), newSubmit(s), newWhatIf(s), newDrain(s), newResume(s), newTop(s), newConfig(s), newContext(s), newVersion(s))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	strict(root)
	blameArguments(root)
	return root
}

// blameArguments makes wrong arguments of every command bad input.
func blameArguments(c *cobra.Command) {
	c.Args = told(c.Args)
	for _, below := range c.Commands() {
		blameArguments(below)
	}
}

// strict has the commands that come with the library refuse what they would answer with their help.
func strict(root *cobra.Command) {
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Args = completionArgs
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		case "help":
			c.Args = func(cmd *cobra.Command, args []string) error {
				if _, rest, err := root.Find(args); err != nil || len(rest) > 0 {
					return fmt.Errorf("expected the name of a command, found %q", strings.Join(args, " "))
				}
				return nil
			}
		}
	}
}

func completionArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var shells []string
	for _, c := range cmd.Commands() {
		shells = append(shells, c.Name())
	}
	return fmt.Errorf("expected one of %s, found %q", strings.Join(shells, ", "), args[0])
}

const longRoot = `Quern is a hierarchical-queue cluster scheduler: a fixed, deterministic pipeline, and policies that an operator drops in.

Settings come from flags, then from QUERN_* variables, then from quern.toml in the folder where quern is started:
--grace 10s, QUERN_GRACE=10s and the line grace = "10s" say the same.

Exit codes: 0 done, 1 failed or interrupted, 2 bad input. Results go to stdout, diagnostics to stderr.`

// told makes wrong arguments bad input, and says where help is.
func told(args cobra.PositionalArgs) cobra.PositionalArgs {
	if args == nil {
		return nil
	}
	return func(cmd *cobra.Command, list []string) error {
		if err := args(cmd, list); err != nil {
			return misused(cmd, err)
		}
		return nil
	}
}

// misused makes an error the caller's, and says where help is.
func misused(cmd *cobra.Command, err error) error {
	return codeError{error: fmt.Errorf("%s: %w", cmd.CommandPath(), err), code: badInput, hint: "See " + cmd.CommandPath() + " --help"}
}
