package program

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/host/format"
)

// run runs a command line and returns its exit code.
func run(ctx context.Context, args []string, s streams, extensions ...Extension) int {
	out := &standardOutput{w: s.out}
	text := format.NewWriter(s.err, colored(s.err))
	s.out, s.err = out, text
	root := newRoot(s, extensions...)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if failure := out.failure(); failure != nil && !errors.Is(err, failure) {
		err = errors.Join(err, failure) // it is from a write whose error was not checked
	}
	tell(text, err, origins{cmd})
	_ = text.Flush() // the error has no place to go
	return codeOf(err)
}

func newRoot(s streams, extensions ...Extension) *cobra.Command {
	root := &cobra.Command{
		Use:           "quern",
		Short:         "A hierarchical-queue cluster scheduler",
		Long:          longRoot,
		Version:       buildVersion(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noArguments,
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
	root.AddCommand(newReplay(s), newImport(s), newExplain(s), newValidate(s), newDemo(s), newTest(s), newPolicy(s), newSchema(s), newPlayground(s), newDocs(s), newServe(s), newJournal(s), newToken(s),
		newGet(s), newDescribe(s), newSubmit(s), newWhatIf(s), newDrain(s), newResume(s), newTop(s), newConfig(s), newContext(s), newVersion(s))
	for i := range extensions {
		root.AddCommand(extensions[i].command(s))
	}
	addKube(root, s)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	strict(root)
	blameArguments(root)
	foldHelp(root, columns(s.out))
	return root
}

const longRoot = `Quern is a hierarchical-queue cluster scheduler: a fixed, deterministic pipeline, and policies that operators add as files.

Settings come from flags, then from QUERN_* variables, then from quern.toml in the folder where quern is started:
--grace 10s, QUERN_GRACE=10s and the line grace = "10s" have the same effect.

Exit codes: 0 done, 1 failed or interrupted, 2 bad input. Results go to stdout, diagnostics to stderr.`
