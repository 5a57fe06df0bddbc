package main

import (
	"encoding/json"

	"github.com/spf13/cobra"
)

func newWhatIf(s streams) *cobra.Command {
	var f hostFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "what-if FILE|-",
		Short: "Say what inputs would bring now, without applying them",
		Long: `Have a live scheduler decide the inputs of a file of JSON Lines on a copy of its state, and print the decisions that they would bring. Nothing
of it is kept.`,
		Example: `  quern what-if inputs.jsonl
  echo '{"type":"node.drain","id":"n1"}' | quern what-if -`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			lines, err := readInputs(args[0], s)
			if err != nil {
				return err
			}
			host, err := f.dial()
			if err != nil {
				return err
			}
			made, err := host.WhatIf(cmd.Context(), lines)
			if err != nil {
				return hostError(err)
			}
			made = append([]json.RawMessage{}, made...)
			return showDecisions(s, asJSON, map[string]any{"decisions": made}, made)
		},
	}
	f.register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
