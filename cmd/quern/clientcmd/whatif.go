package clientcmd

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
)

func NewWhatIf(s cli.Streams) *cobra.Command {
	var f HostFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "what-if FILE|-",
		Short: "Show the decisions that inputs would cause now, without applying them",
		Long:  `Let a live scheduler decide the inputs in a file of JSON Lines on a copy of its state, and print the decisions. Nothing is changed.`,
		Example: `  quern what-if inputs.jsonl
  echo '{"type":"node.drain","id":"n1"}' | quern what-if -`,
		Args: cli.ExactArguments(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			lines, err := readInputs(args[0], s)
			if err != nil {
				return err
			}
			host, err := f.Dial()
			if err != nil {
				return err
			}
			made, err := host.WhatIf(cmd.Context(), lines)
			if err != nil {
				return HostError(err)
			}
			made = append([]json.RawMessage{}, made...)
			return showDecisions(s, asJSON, map[string]any{"decisions": made}, made)
		},
	}
	f.Register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
