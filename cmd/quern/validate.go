package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/host/input"
	"github.com/quern-project/quern/host/validate"
)

type validateFlags struct {
	print, json bool
	format      string
}

func newValidate(s streams) *cobra.Command {
	var f validateFlags
	cmd := &cobra.Command{
		Use:   "validate [flags] FILE...",
		Short: "Check queue configurations",
		Long: `Check queue configurations. Every error is one line on standard error,
file:line:column: queue: key: expected …, found …, and makes the exit code 2; warnings do not. - is standard input.`,
		Example: `  quern validate queues.yaml
  quern validate --print queues.toml > queues.yaml`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			return f.run(files, s, s.env(cmd.Context()))
		},
	}
	cmd.Flags().BoolVar(&f.print, "print", false, "print valid configurations in their normal form, as YAML")
	cmd.Flags().BoolVar(&f.json, "json", false, "print what was found as one JSON object")
	cmd.Flags().StringVar(&f.format, "format", "", "`yaml` or toml, where the name of the file does not say it")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"yaml", "toml"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (f *validateFlags) run(files []string, s streams, env input.Env) error {
	if f.format != "" && f.format != "yaml" && f.format != "toml" {
		return usage(fmt.Errorf("--format: expected yaml or toml, found %q", f.format))
	}
	if f.print && f.json {
		return usage(errors.New("expected one of --print and --json, found both"))
	}
	var unread error
	var reports []*validate.Report
	code := succeeded
	for _, name := range files {
		r, err := f.check(name, env)
		if err != nil {
			unread = errors.Join(unread, err)
			continue
		}
		reports = append(reports, r)
		if !r.Valid() {
			code = badInput
		}
		f.tell(r, s)
	}
	if f.json {
		if err := validate.JSON(s.out, reports); err != nil {
			return err
		}
	}
	if unread != nil {
		return unread
	}
	return ended(code)
}

func (f *validateFlags) check(name string, env input.Env) (*validate.Report, error) {
	if strings.EqualFold(filepath.Ext(name), ".json") {
		return nil, usage(fmt.Errorf("%s: expected a queue configuration in YAML or TOML; policy manifests cannot be checked yet", name))
	}
	text, err := input.Text(name, env)
	if err != nil {
		return nil, err
	}
	format := f.format
	if format == "" {
		format = input.FormatOf(name)
	}
	if name == input.Stdin {
		name = "stdin"
	}
	return validate.Check(name, text, format), nil
}

// tell writes diagnostics for people; with --json they are in the object.
func (f *validateFlags) tell(r *validate.Report, s streams) {
	if f.json {
		return
	}
	for _, p := range r.Errors {
		_, _ = fmt.Fprintln(s.err, p.Text)
	}
	for _, p := range r.Warnings {
		_, _ = fmt.Fprintln(s.err, "warning: "+p.Text)
	}
	switch {
	case !r.Valid():
	case f.print:
		_, _ = s.out.Write(r.Printed)
	default:
		_, _ = fmt.Fprintln(s.out, r.File+": valid")
	}
}
