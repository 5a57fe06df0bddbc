package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/host/input"
	"github.com/quern-project/quern/host/replay"
	"github.com/quern-project/quern/host/settings"
)

// Exit codes.
const (
	succeeded = 0
	failed    = 1
	badInput  = 2 // an input, a setting or the command line cannot be used
)

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// terminal reports whether a stream is somebody looking.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colored reports whether text to a stream may be coloured.
func colored(w io.Writer) bool { return terminal(w) && os.Getenv("NO_COLOR") == "" }

// run runs a command line and returns its exit code.
func run(ctx context.Context, args []string, s streams) int {
	root := newRoot(s)
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	err := root.ExecuteContext(ctx)
	var coded codeError
	if err != nil && !(errors.As(err, &coded) && coded.told) {
		_, _ = fmt.Fprintln(s.err, err)
	}
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
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := settings.Load(cmd, settings.File); err != nil {
			return usage(err)
		}
		return nil
	}
	root.SetVersionTemplate("quern {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(fmt.Errorf("%s: %w\nSee %s --help", cmd.CommandPath(), err, cmd.CommandPath()))
	})
	root.AddCommand(newReplay(s), newExplain(s), newValidate(s), newDemo(s), newTest(s), newPolicy(s), newPlayground(s), newVersion(s))
	for _, c := range root.Commands() {
		c.Args = told(c.Args)
	}
	root.Args = told(root.Args)
	return root
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
			return usage(fmt.Errorf("%s: %w\nSee %s --help", cmd.CommandPath(), err, cmd.CommandPath()))
		}
		return nil
	}
}

// codeError is an error with an exit code of its own.
type codeError struct {
	error
	code int
	told bool // the user knows already
}

func (e codeError) Unwrap() error { return e.error }

// usage makes an error the caller's.
func usage(err error) error { return codeError{error: err, code: badInput} }

// ended ends a command with a code, when everything has been said.
func ended(code int) error {
	if code == succeeded {
		return nil
	}
	return codeError{error: fmt.Errorf("exit code %d", code), code: code, told: true}
}

// codeOf says whose fault an error is.
func codeOf(err error) int {
	var (
		coded   codeError
		file    *input.Error
		line    *journal.Error
		refused *journal.ConfigError
		lacking *replay.LackError
	)
	switch {
	case err == nil:
		return succeeded
	case errors.As(err, &coded):
		return coded.code
	case errors.Is(err, context.Canceled):
		return failed
	case errors.As(err, &file), errors.As(err, &line), errors.As(err, &refused), errors.As(err, &lacking):
		return badInput
	}
	return failed
}
