package policycmd

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/policy/tool"
)

func NewPolicy(s cli.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Write, test and pin policies",
		Long: `Write, test and pin policies. A policy is a file: NAME.wasm, a WebAssembly module, with optional settings in NAME.toml
beside it; or NAME.toml alone, which names a program.`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPolicyNew(s), newPolicyInspect(s), newPolicyTest(s), newPolicyBench(s), newPolicyPin(s), newPolicyRollback(s), newPolicyTry(s))
	for _, c := range cmd.Commands() {
		run := c.RunE
		c.RunE = func(cmd *cobra.Command, args []string) error { return blame(run(cmd, args)) }
	}
	return cmd
}

// blame makes errors about what the user named the user's.
func blame(err error) error {
	var input *tool.InputError
	if errors.As(err, &input) {
		return cli.Usage(err)
	}
	return err
}

func newPolicyInspect(s cli.Streams) *cobra.Command {
	var asJSON bool
	var box cli.SandboxFlag
	cmd := &cobra.Command{
		Use:   "inspect [flags] FILE",
		Short: "Show the contents of a policy",
		Long: `Show the contents of a policy: its declarations, its parameters with their ranges, its size and hash, its imports and
exports, the features of WebAssembly that it uses, and the cost of a call about one item. If a host would refuse the policy,
show what is known of it and the reason; the exit code is then 1.

With --json one object: file, kind (module or process), bytes, sha256, refused (why), name, version, abi, description,
points (each: point, columns, keys, depends, fallback, fuel), parameters (by name, as in the manifest), and for a module
module (imports, exports, memory, features, code_bytes, data_bytes, custom_sections), for a process sandbox (each: protection, by, lacks), and log, the last lines that it wrote to its log, at
most ten.`,
		Example: `  quern policy inspect biggest.wasm
  quern policy inspect --json biggest.wasm | jq .sha256`,
		Args: cli.ExactArguments(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			subject, err := box.Find(args[0])
			if err != nil {
				return err
			}
			i, err := tool.Inspect(cmd.Context(), subject)
			if err != nil {
				return err
			}
			if err := s.Show(asJSON, i.JSON, i.Text); err != nil || i.Refused == "" {
				return err
			}
			return cli.Ended(cli.Failed)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	box.Register(cmd)
	return cmd
}

func newPolicyPin(s cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "pin FILE",
		Short: "Pin a policy to its file, by hash",
		Long: `Write the sha256 of a policy's file into NAME.toml beside it, and create NAME.toml if it is missing. A host then refuses
any other file of that name. The rest of NAME.toml is unchanged, byte for byte.`,
		Example: `  quern policy pin biggest.wasm`,
		Args:    cli.ExactArguments(1),
		RunE: func(_ *cobra.Command, args []string) error {
			subject, err := tool.Find(args[0])
			if err != nil {
				return err
			}
			pinned, err := tool.Pin(subject)
			if err != nil {
				return err
			}
			return s.Say(pinned.String())
		},
	}
}

func newPolicyRollback(s cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "rollback DIR NAME",
		Short: "Restore the previous version of a policy",
		Long: `Restore the previous version of a policy. A host keeps it in DIR/.previous when it loads a new one. The two versions
change places, so a second rollback undoes the first. A host that watches DIR loads the restored version. If the host has
refused the files in DIR and goes on with the version before, that one is restored from DIR/.serving instead, and the
refused files go to DIR/.refused.
For a process, only the settings are kept, not the program.`,
		Example: `  quern policy rollback /etc/quern/policies biggest`,
		Args:    cli.ExactArguments(2),
		RunE: func(_ *cobra.Command, args []string) error {
			done, err := tool.Rollback(args[0], args[1])
			if err != nil {
				return err
			}
			return s.Say(done.String())
		},
	}
}
