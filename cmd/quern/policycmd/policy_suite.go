package policycmd

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/features"
	"github.com/quern-project/quern/host/policy/tool"
	"github.com/quern-project/quern/host/policy/tool/contract"
)

type policyTestFlags struct {
	json, verbose bool
	tags          string
	sandbox       cli.SandboxFlag
}

func newPolicyTest(s cli.Streams) *cobra.Command {
	var f policyTestFlags
	cmd := &cobra.Command{
		Use:   "test [flags] FILE [FEATURES...]",
		Short: "Check a policy against the contract, and play its scenarios",
		Long: `Call a policy with generated items and check the contract: its exports and manifest; that the same question gets the same
answer; that every batch is answered; that only answers are written; that memory does not grow; that answers depend only on
declared columns; that limits suffice; and that every parameter accepts its bounds. Then play the scenarios of feature
files, or of folders of them, as quern test does: the policy is available from the start of each scenario, which names it
in its configuration. The exit code is 1 if a check or a scenario fails, or if a call of the policy fails in a scenario,
even where the scenario passes because of the fallback.

Checks are told as they end, then what a process is kept from, and the last lines that the policy wrote to its log, at most
ten. With --json one object: file, policy, sha256, passed, checks (each: group, check, result: ok, failed or skipped,
expected, found, note), sandbox of a process (each: protection, by, lacks), and log, where there is one. Scenarios then
report to standard error.`,
		Example: `  quern policy test biggest.wasm
  quern policy test biggest.wasm biggest.feature -v`,
		Args: cli.SomeArguments,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), args[0], args[1:], s) },
	}
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	cmd.Flags().StringVar(&f.tags, "tags", "", "play only scenarios with these `TAGS`, such as '@fast and not @slow'")
	f.sandbox.Register(cmd)
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "print every step of the scenarios")
	return cmd
}

func (f *policyTestFlags) run(ctx context.Context, file string, scenarios []string, s cli.Streams) error {
	subject, err := f.sandbox.Find(file)
	if err != nil {
		return err
	}
	out := s.Text()
	printer := contract.NewPrinter(out)
	told := printer.Check
	if f.json {
		told = nil
	}
	report, code, err := f.judge(ctx, subject, scenarios, s, told)
	if err != nil {
		return errors.Join(out.Flush(), err)
	}
	if f.json {
		err = s.Show(true, report.JSON, nil)
	} else {
		report.End(out)
		err = out.Flush()
	}
	if err != nil {
		return err
	}
	if code == cli.Succeeded && !report.Passed {
		code = cli.Failed
	}
	return cli.Ended(code)
}

// judge runs the checks, and then the scenarios. Each check is told when it is known.
func (f *policyTestFlags) judge(ctx context.Context, subject *tool.Subject, scenarios []string, s cli.Streams, told func(*contract.Check)) (*contract.Report, int, error) {
	h, err := subject.Open(ctx, nil)
	var refused *tool.RefusedError
	if errors.As(err, &refused) {
		return contract.Refused(subject, refused, told), cli.Failed, nil
	}
	if err != nil {
		return nil, cli.Failed, err
	}
	report, err := contract.Run(ctx, h, told)
	code := cli.Succeeded
	if err == nil && len(scenarios) > 0 {
		code = f.play(ctx, h, scenarios, s, report)
	}
	return report, code, errors.Join(err, h.Close(context.WithoutCancel(ctx)))
}

// play plays the scenarios with the policy.
func (f *policyTestFlags) play(ctx context.Context, h *tool.Host, paths []string, s cli.Streams, report *contract.Report) int {
	played := h.ForScenarios(ctx)
	defer played.Close()
	modules := &features.Modules{Announced: played.Announced(), Answer: played.NewEvaluators}
	out := s.Text()
	defer func() { _ = out.Flush() }()
	o := features.Options{Paths: paths, Tags: f.tags, Out: out, Err: s.Err, Colors: cli.Colored(s.Out), Concurrency: 1, NewDriver: modules.Driver}
	if f.verbose {
		o.Format = "pretty"
	}
	if f.json {
		o.Out, o.Colors = s.Err, cli.Colored(s.Err)
	}
	code := features.Run(ctx, o)
	if code != features.BadInput {
		report.AddScenarios(code == features.Passed, played.Faults, played.First)
		report.Log = h.Log.Last()
	}
	return code
}
