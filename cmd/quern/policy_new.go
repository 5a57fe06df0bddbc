package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/policydev"
)

func newPolicyNew(s streams) *cobra.Command {
	var o policydev.ProjectOptions
	cmd := &cobra.Command{
		Use:   "new --lang LANGUAGE [flags] NAME",
		Short: "Begin a policy",
		Long: `Begin a policy: a folder NAME with a small policy that works, a feature that it passes, a Makefile, and what policies in
that language are made of. Its Makefile runs this very program for tests, or the one on the path where this one is gone. Nothing is fetched but, for assemblyscript, the compiler, and for process, Go modules that are
not there yet. A folder that is there already stays as it is.`,
		Example: `  quern policy new --lang c biggest && cd biggest && make test`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.Name = args[0]
			if program, err := os.Executable(); err == nil {
				o.Quern = program
			}
			folder, err := policydev.NewProject(o)
			var option *policydev.OptionError
			if errors.As(err, &option) {
				return usage(err)
			}
			if err != nil {
				return err
			}
			w := s.text()
			_, err = fmt.Fprintf(w, "%s: a policy in %s\n\n  cd %s\n  make       # builds it\n  make test  # holds it to the contract, and plays %s.feature\n", format.Line(folder), o.Language, format.Line(folder), o.Name)
			return errors.Join(err, w.Flush())
		},
	}
	cmd.Flags().StringVar(&o.Language, "lang", "", "`LANGUAGE`: "+strings.Join(policydev.Languages(), ", "))
	cmd.Flags().StringVar(&o.Dir, "dir", "", "make the folder in `DIR` (default: here)")
	_ = cmd.MarkFlagDirname("dir")
	_ = cmd.RegisterFlagCompletionFunc("lang", cobra.FixedCompletions(policydev.Languages(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}
