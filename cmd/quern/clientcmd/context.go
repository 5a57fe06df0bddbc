package clientcmd

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/remote"
)

func NewContext(s cli.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "context",
		Short: "Manage named addresses of live schedulers",
		Long: `Manage contexts: named addresses of live schedulers, stored in the user's configuration folder. A command that names no scheduler uses
the current context. A context names the file of a token and never contains the token itself.`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newContextAdd(), newContextUse(), newContextList(s), newContextRemove())
	return cmd
}

func newContextAdd() *cobra.Command {
	var c hostContext
	cmd := &cobra.Command{
		Use:     "add NAME --server ADDRESS",
		Short:   "Add or change a context",
		Long:    `Add a context, or change it if there is one of that name. The first context becomes the current one.`,
		Example: `  quern context add prod --server https://quern.example.org --token-file ~/.quern-token`,
		Args:    cli.ExactArguments(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.check(args[0]); err != nil {
				return cli.Misused(cmd, err)
			}
			all, err := readContexts()
			if err != nil {
				return err
			}
			all.Context[args[0]] = c
			if len(all.Context) == 1 {
				all.Current = args[0]
			}
			return all.write()
		},
	}
	cmd.Flags().StringVar(&c.Server, "server", "", "the `ADDRESS` of the live scheduler, such as https://quern.example.org")
	cmd.Flags().StringVar(&c.TokenFile, "token-file", "", "the `FILE` that holds the token to send")
	cmd.Flags().StringVar(&c.CA, "ca", "", "the `FILE` with the certificates of the authority that signed the scheduler's certificate")
	cmd.Flags().StringVar(&c.Cert, "cert", "", "the `FILE` with the certificate that says who you are, for a scheduler that asks for one (PEM)")
	cmd.Flags().StringVar(&c.Key, "cert-key", "", "the `FILE` with the key of --cert")
	for _, file := range []string{"token-file", "ca", "cert", "cert-key"} {
		_ = cmd.MarkFlagFilename(file)
	}
	return cmd
}

// check refuses what cannot be a context, and has its files found from any folder.
func (c *hostContext) check(name string) error {
	if name == "" || strings.ContainsAny(name, " \t\r\n") || format.Line(name) != name {
		return fmt.Errorf("expected a name without spaces, found %q", name)
	}
	if c.Server == "" {
		return fmt.Errorf("expected --server, found none")
	}
	for _, file := range []*string{&c.TokenFile, &c.CA, &c.Cert, &c.Key} {
		if *file == "" {
			continue
		}
		full, err := filepath.Abs(*file)
		if err != nil {
			return err
		}
		*file = full
	}
	_, err := remote.Dial(remote.Options{Server: c.Server, TokenFile: c.TokenFile, CA: c.CA, Cert: c.Cert, Key: c.Key})
	return HostError(err)
}

func newContextUse() *cobra.Command {
	return &cobra.Command{
		Use:               "use NAME",
		Short:             "Make a context the current one",
		Example:           `  quern context use prod`,
		Args:              cli.ExactArguments(1),
		ValidArgsFunction: completeContexts,
		RunE: func(_ *cobra.Command, args []string) error {
			return changeContext(args[0], func(all *contexts) { all.Current = args[0] })
		},
	}
}

func newContextList(s cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the contexts; * marks the current one",
		Example: `  quern context list`,
		Args:    cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			all, err := readContexts()
			if err != nil {
				return err
			}
			if len(all.Context) == 0 {
				return s.Say("There are no contexts; add one with quern context add")
			}
			t := format.Table{Heading: dimmed(s.Out)}
			t.Add("", "name", "server", "token file")
			for _, name := range all.names() {
				mark := ""
				if name == all.Current {
					mark = "*"
				}
				t.Add(mark, name, all.Context[name].Server, all.Context[name].TokenFile)
			}
			w := s.Text()
			t.Write(w, func(int) bool { return false })
			return w.Flush()
		},
	}
}

func newContextRemove() *cobra.Command {
	return &cobra.Command{
		Use:               "remove NAME",
		Short:             "Remove a context",
		Example:           `  quern context remove prod`,
		Args:              cli.ExactArguments(1),
		ValidArgsFunction: completeContexts,
		RunE: func(_ *cobra.Command, args []string) error {
			return changeContext(args[0], func(all *contexts) {
				delete(all.Context, args[0])
				if all.Current == args[0] {
					all.Current = ""
				}
			})
		},
	}
}

// changeContext changes what is kept of a context, which must be there.
func changeContext(name string, change func(*contexts)) error {
	all, err := readContexts()
	if err != nil {
		return err
	}
	if _, err := all.named(name); err != nil {
		return err
	}
	change(all)
	return all.write()
}

// completeContexts completes the names of contexts.
func completeContexts(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	all, err := readContexts()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return all.names(), cobra.ShellCompDirectiveNoFileComp
}
