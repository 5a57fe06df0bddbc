package clientcmd

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/listing"
	"github.com/quern-project/quern/host/remote"
)

// A completion that takes longer, or has more names, is of no help.
const (
	completionTime  = 500 * time.Millisecond
	completionNames = 1000
)

type completion = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective)

// completeNames completes the names of things of a kind, which the host is asked for. Where it is not there, there are none.
func (f *HostFlags) completeNames(kind remote.Kind) completion {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		_ = cli.LoadSettings(cmd, cli.SettingsFile) // what is wrong with them is told when the command runs
		host, err := f.Dial()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx, cancel := context.WithTimeout(context.Background(), completionTime)
		defer cancel()
		items, err := host.List(ctx, kind, nil, completionNames)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		names := make([]string, len(items))
		for i, item := range items {
			names[i] = listing.NameOf(kind, item)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeThings completes a kind, and then the name of a thing of it.
func (f *HostFlags) completeThings(cmd *cobra.Command, args []string, typed string, others ...string) ([]string, cobra.ShellCompDirective) {
	switch len(args) {
	case 0:
		return append([]string{"queues", "apps", "nodes", "asks", "gangs", "windows", "policies"}, others...), cobra.ShellCompDirectiveNoFileComp
	case 1:
		if kind, ok := kinds[args[0]]; ok {
			return f.completeNames(kind)(cmd, args, typed)
		}
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

func (f *getFlags) complete(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	return f.completeThings(cmd, args, typed, "decisions")
}
