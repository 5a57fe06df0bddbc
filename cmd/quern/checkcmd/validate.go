package checkcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/host/files/stream"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/policy/registry"
	"github.com/quern-project/quern/host/replay"
)

type validateFlags struct {
	print, json bool
	from        string // yunikorn, or empty
	format      string
	policies    cli.PolicyFlags
	modules     *replay.Policies
}

// NewValidate makes the command quern validate.
func NewValidate(s cli.Streams) *cobra.Command {
	var f validateFlags
	cmd := &cobra.Command{
		Use:   "validate [flags] FILE...",
		Short: "Check queue configurations, and policies",
		Long: `Check queue configurations. Every error is one line on standard error,
file:line:column: queue: key: expected …, found …. The exit code is 2 if there is an error; warnings do not change it.
- is standard input. If configurations name policy modules, --policies names their folder.

A file NAME.json is the manifest of a policy. NAME.wasm is a policy module, and so is a NAME.toml beside it or one that
names a program: it is loaded and tried, as a scheduler would do.

With --from yunikorn, each file is the queues.yaml of Apache YuniKorn or a ConfigMap that contains one. Differences between
YuniKorn and Quern are listed on standard error; the configuration in its normal form goes to standard output.`,
		Example: `  quern validate queues.yaml
  quern validate --print queues.toml > queues.yaml
  quern validate --policies policies queues.yaml policies/tetris.toml
  kubectl get configmap yunikorn-configs -o yaml | quern validate --from yunikorn - > queues.yaml`,
		Args: cli.SomeArguments,
		RunE: func(cmd *cobra.Command, files []string) error {
			return f.run(cmd.Context(), files, s)
		},
	}
	f.policies.RegisterFolder(cmd)
	cmd.Flags().BoolVar(&f.print, "print", false, "print valid configurations in their normal form, as YAML")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the result as one JSON object")
	cmd.Flags().StringVar(&f.from, "from", "", "the `SCHEDULER` that the configuration is for: yunikorn; list what differs here, and print the normal form")
	cmd.Flags().StringVar(&f.format, "format", "", "the `FORMAT`, yaml or toml, if the file name has no such ending")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"yaml", "toml"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (f *validateFlags) run(ctx context.Context, files []string, s cli.Streams) (err error) {
	if f.format != "" && f.format != "yaml" && f.format != "toml" {
		return cli.Usage(fmt.Errorf("--format: expected yaml or toml, found %q", f.format))
	}
	if err := f.checkFrom(); err != nil {
		return err
	}
	if f.print && f.json {
		return cli.Usage(errors.New("expected one of --print and --json, found both"))
	}
	if f.modules, err = f.policies.Open(ctx, s.Err); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.modules.Close(ctx)) }()
	var reports []*validation
	for _, name := range files {
		r, err := f.check(ctx, name, s)
		if err != nil && cli.CodeOf(err) != cli.BadInput {
			return err
		}
		if err != nil {
			r = validationOf(cli.Shown(name), err)
		}
		reports = append(reports, r)
		if err := f.tell(r, s); err != nil {
			return err
		}
	}
	if f.json {
		all := func(w io.Writer) error { return validationsJSON(w, reports, f.from) }
		if err := s.Show(true, all, nil); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(reports, func(r *validation) bool { return !r.valid() }) {
		return cli.Ended(cli.BadInput)
	}
	return nil
}

// checkFrom checks --from and what it goes with.
func (f *validateFlags) checkFrom() error {
	switch {
	case f.from == "":
		return nil
	case f.from != "yunikorn":
		return cli.Usage(fmt.Errorf("--from: expected yunikorn, found %q", f.from))
	case f.format == "toml":
		return cli.Usage(errors.New("--format: expected yaml with --from yunikorn, found toml"))
	}
	return nil
}

func (f *validateFlags) check(ctx context.Context, name string, s cli.Streams) (*validation, error) {
	if f.format == "" && f.from == "" && registry.IsModule(name) {
		return f.module(ctx, name)
	}
	text, err := stream.Text(name, s.Env(ctx))
	if err != nil {
		return nil, err
	}
	if f.from != "" {
		return validateYuniKorn(cli.Shown(name), text, f.modules.Serves), nil
	}
	if strings.EqualFold(filepath.Ext(name), ".json") && f.format == "" {
		return validateManifest(name, text), nil
	}
	format := f.format
	if format == "" {
		format = stream.FormatOf(name)
	}
	return validateConfig(cli.Shown(name), text, format, f.modules.Serves), nil
}

// module loads a policy module and tries it.
func (f *validateFlags) module(ctx context.Context, name string) (*validation, error) {
	alone := cli.PolicyFlags{Cache: f.policies.Cache, Memory: f.policies.Memory, Sandbox: f.policies.Sandbox}
	m, err := alone.Open(ctx, io.Discard, name)
	if err != nil {
		return nil, err
	}
	r := validationOf(name, m.Refused(strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))))
	return r, m.Close(ctx)
}

// tell writes diagnostics for people; with --json they are in the object.
func (f *validateFlags) tell(r *validation, s cli.Streams) (err error) {
	if f.json {
		return nil
	}
	for _, p := range r.Errors {
		_, _ = fmt.Fprintln(s.Err, format.Line(p.Text))
	}
	var warnings config.Grouping
	for _, p := range r.Warnings {
		warnings.Add(p.Text)
	}
	for _, text := range warnings.Lines() {
		_, _ = fmt.Fprintln(s.Err, "warning: "+format.Line(text))
	}
	for _, d := range r.Differences {
		_, _ = fmt.Fprintln(s.Err, "note: "+format.Line(d.Text))
	}
	switch {
	case !r.valid():
	case f.print || f.from != "":
		_, err = s.Out.Write(r.Printed)
	default:
		err = s.Say(r.File + ": valid")
	}
	return err
}
