package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/host/policydev"
)

func newPolicy(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Write, test and pin policies",
		Long: `Write, test and pin policies. A policy is a file: NAME.wasm, a WebAssembly module, with its settings in NAME.toml
beside it, if there are any; or NAME.toml alone, which names a program.`,
		Args: cobra.NoArgs,
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
	var input *policydev.InputError
	if errors.As(err, &input) {
		return usage(err)
	}
	return err
}

func newPolicyInspect(s streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect [flags] FILE",
		Short: "Show what is in a policy",
		Long: `Show what is in a policy: what it declares, its parameters with their ranges, its size and hash, what it imports and
exports, which features of WebAssembly it uses, and what a call about one item costs. A policy that no host would let
serve is shown as far as it is known, with the reason, and makes the exit code 1.

With --json one object: file, kind (module or process), bytes, sha256, refused (why), name, version, abi, description,
points (each: point, columns, keys, depends, fallback, fuel), parameters (by name, as in the manifest), and for a module
module (imports, exports, memory, features, code_bytes, data_bytes, custom_sections), and log, the last lines that it
wrote to its log, at most ten.`,
		Example: `  quern policy inspect biggest.wasm
  quern policy inspect --json biggest.wasm | jq .sha256`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			subject, err := policydev.Find(args[0])
			if err != nil {
				return err
			}
			i, err := policydev.Inspect(cmd.Context(), subject)
			if err != nil {
				return err
			}
			if err := s.show(asJSON, i.JSON, i.Text); err != nil || i.Refused == "" {
				return err
			}
			return ended(failed)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func newPolicyPin(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "pin FILE",
		Short: "Pin a policy to its file, by hash",
		Long: `Write the sha256 of a policy's file into NAME.toml beside it, which is made where it is not there. A host then refuses
any other file of that name. All else in NAME.toml stays as it is, byte for byte.`,
		Example: `  quern policy pin biggest.wasm`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			subject, err := policydev.Find(args[0])
			if err != nil {
				return err
			}
			pinned, err := policydev.Pin(subject)
			if err != nil {
				return err
			}
			return s.say(pinned.String())
		},
	}
}

func newPolicyRollback(s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "rollback DIR NAME",
		Short: "Put the version before of a policy in force again",
		Long: `Put the version before of a policy in force again. A host keeps it in DIR/.previous when it takes over a new one; the two
change places, so that a second rollback takes the first one back. A host that watches DIR takes over what is now there.
The program of a process is not kept, only its settings are.`,
		Example: `  quern policy rollback /etc/quern/policies biggest`,
		Args:    cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			done, err := policydev.Rollback(args[0], args[1])
			if err != nil {
				return err
			}
			return s.say(done.String())
		},
	}
}
