package clientcmd

import (
	"crypto/rand"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/listing"
	"github.com/quern-project/quern/host/remote"
)

func NewDrain(s cli.Streams) *cobra.Command {
	return nodeCommand(s, &cobra.Command{
		Use:   "drain NODE",
		Short: "Stop new allocations on a node of a live scheduler",
		Long:  `Stop new allocations on a node of a live scheduler. Allocations that run there keep running. quern resume allows new allocations again.`,
	}, "node.drain", "node %s takes no new allocations; %d keep running")
}

func NewResume(s cli.Streams) *cobra.Command {
	return nodeCommand(s, &cobra.Command{
		Use:   "resume NODE",
		Short: "Allow new allocations on a drained node of a live scheduler",
		Long:  `Allow new allocations on a drained node of a live scheduler.`,
	}, "node.resume", "node %s takes new allocations; %d run there")
}

// nodeCommand makes a command that sends one input about a node, and says how the node stands then.
func nodeCommand(s cli.Streams, cmd *cobra.Command, kind, done string) *cobra.Command {
	var f HostFlags
	cmd.Example = "  quern " + cmd.Name() + " cpu-01"
	cmd.Args = cli.ExactArguments(1)
	names := f.completeNames(remote.Nodes)
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return names(cmd, args, typed)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		host, err := f.Dial()
		if err != nil {
			return err
		}
		line, err := json.Marshal(map[string]string{"type": kind, "id": args[0]})
		if err != nil {
			return err
		}
		key := rand.Text()
		applied, err := host.Submit(cmd.Context(), line, key)
		if err != nil {
			return HostError(err)
		}
		for _, d := range applied.Decisions {
			if listing.Refused(d) {
				return cli.CodeError{Err: fmt.Errorf("there is no node %q", args[0]), Code: cli.Failed, Hint: "See quern get nodes"}
			}
		}
		object, err := host.One(cmd.Context(), remote.Nodes, args[0])
		if err != nil {
			return HostError(err)
		}
		var n struct{ Allocations []string }
		if err := json.Unmarshal(object, &n); err != nil {
			return HostError(remote.ErrNotQuern)
		}
		return s.Say(fmt.Sprintf(done, format.Line(args[0]), len(n.Allocations)))
	}
	f.Register(cmd)
	return cmd
}
