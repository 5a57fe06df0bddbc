package policycmd

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/policy/tool"
)

func newPolicyNew(s cli.Streams) *cobra.Command {
	var o tool.ProjectOptions
	cmd := &cobra.Command{
		Use:   "new --lang LANGUAGE [flags] NAME",
		Short: "Create a policy project",
		Long: `Create a policy project: a folder NAME with a small working policy, a feature file that it passes, a Makefile, and the SDK for
the language. The Makefile tests the policy with this program, or with quern from the path if this program is gone. Only two
languages download anything: assemblyscript its compiler, and process the Go modules that are missing. An existing folder
is left unchanged.`,
		Example: `  quern policy new --lang c biggest && cd biggest && make test`,
		Args:    cli.ExactArguments(1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.Name = args[0]
			if program, err := os.Executable(); err == nil {
				o.Quern = program
			}
			folder, err := tool.NewProject(o)
			var option *tool.OptionError
			if errors.As(err, &option) {
				return cli.Usage(err)
			}
			if err != nil {
				return err
			}
			w := s.Text()
			_, err = fmt.Fprintf(w, "%s: a policy in %s\n\n  cd %s\n  make       # builds it\n  make test  # checks the contract, and plays %s.feature\n", format.Line(folder), o.Language, format.Line(folder), o.Name)
			return errors.Join(err, w.Flush())
		},
	}
	cmd.Flags().StringVar(&o.Language, "lang", "", "`LANGUAGE`: "+strings.Join(tool.Languages(), ", "))
	cmd.Flags().StringVar(&o.Dir, "dir", "", "create the folder in `DIR` (default: the current folder)")
	_ = cmd.MarkFlagDirname("dir")
	_ = cmd.RegisterFlagCompletionFunc("lang", cobra.FixedCompletions(tool.Languages(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}
