package program

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/checkcmd"
	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/cmd/quern/clientcmd"
	"github.com/quern-project/quern/cmd/quern/importcmd"
	"github.com/quern-project/quern/cmd/quern/journalcmd"
	"github.com/quern-project/quern/cmd/quern/policycmd"
	"github.com/quern-project/quern/cmd/quern/replaycmd"
	"github.com/quern-project/quern/cmd/quern/servecmd"
	"github.com/quern-project/quern/host/format"
)

// run runs a command line and returns its exit code.
func run(ctx context.Context, args []string, s cli.Streams, extensions ...servecmd.Extension) int {
	out := &cli.StandardOutput{W: s.Out}
	text := format.NewWriter(s.Err, cli.Colored(s.Err))
	s.Out, s.Err = out, text
	root := newRoot(s, extensions...)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if failure := out.Failure(); failure != nil && !errors.Is(err, failure) {
		err = errors.Join(err, failure) // it is from a write whose error was not checked
	}
	cli.Tell(text, err, cli.Origins{Command: cmd})
	_ = text.Flush() // the error has no place to go
	return cli.CodeOf(err)
}

func newRoot(s cli.Streams, extensions ...servecmd.Extension) *cobra.Command {
	root := &cobra.Command{
		Use:           "quern",
		Short:         "A hierarchical-queue cluster scheduler",
		Long:          longRoot,
		Version:       cli.BuildVersion(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cli.NoArguments,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := cli.LoadSettings(cmd, cli.SettingsFile); err != nil {
			return cli.Usage(err)
		}
		return nil
	}
	root.SetVersionTemplate("quern {{.Version}}\n")
	root.SetFlagErrorFunc(cli.Misused)
	root.AddCommand(replaycmd.NewReplay(s), importcmd.NewImport(s), replaycmd.NewExplain(s), replaycmd.NewConsolidate(s), checkcmd.NewValidate(s), newDemo(s), checkcmd.NewTest(s), policycmd.NewPolicy(s), checkcmd.NewSchema(s), newPlayground(s), newDocs(s), servecmd.NewServe(s), journalcmd.NewJournal(s), clientcmd.NewToken(s),
		clientcmd.NewGet(s), clientcmd.NewDescribe(s), clientcmd.NewSubmit(s), clientcmd.NewWhatIf(s), clientcmd.NewDrain(s), clientcmd.NewResume(s), clientcmd.NewTop(s), clientcmd.NewConfig(s), clientcmd.NewContext(s), cli.NewVersion(s))
	for i := range extensions {
		root.AddCommand(extensions[i].Command(s))
	}
	addKube(root, s)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	cli.Strict(root)
	cli.BlameArguments(root)
	cli.FoldHelp(root, cli.Columns(s.Out))
	return root
}

const longRoot = `Quern is a hierarchical-queue cluster scheduler: a fixed, deterministic pipeline, and policies that operators add as files.

Settings come from flags, then from QUERN_* variables, then from quern.toml in the folder where quern is started:
--grace 10s, QUERN_GRACE=10s and the line grace = "10s" have the same effect.

Exit codes: 0 done, 1 failed or interrupted, 2 bad input. Results go to stdout, diagnostics to stderr.`
