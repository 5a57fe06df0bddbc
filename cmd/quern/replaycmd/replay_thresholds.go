package replaycmd

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/host/report/summary"
	"github.com/quern-project/quern/host/report/threshold"
)

const thresholdFlag = "fail-if"

func (f *ReplayFlags) registerThresholds(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.failIf, thresholdFlag, nil, "exit with code 1 if this `CONDITION` holds, such as 'wait.p99 > 5m', 'queue[root.a].pending > 0' or 'utilization[vcore].mean < 60%'; repeatable")
}

// readThresholds reads the conditions, so that a bad one is told before the run.
func (f *ReplayFlags) readThresholds(flags *pflag.FlagSet) error {
	var bad []error
	for _, text := range f.failIf {
		c, err := threshold.Parse(text)
		if err != nil {
			bad = append(bad, cli.Wrong(flags, thresholdFlag, "%w", err))
			continue
		}
		f.conditions = append(f.conditions, c)
	}
	if len(bad) > 0 {
		return cli.Usage(errors.Join(bad...))
	}
	return nil
}

// exceeded fails for each condition that holds for a run.
func (f *ReplayFlags) exceeded(runs ...summary.Named) error {
	var all, bad []error
	for _, r := range runs {
		found, err := threshold.Check(f.conditions, r.Summary)
		whose := ""
		if len(runs) > 1 {
			whose = r.Name() + ": "
		}
		for _, v := range found {
			all = append(all, cli.CodeError{Err: fmt.Errorf("--fail-if: %s%s", whose, v.Text), Code: cli.Failed})
		}
		if err != nil {
			bad = append(bad, cli.Usage(fmt.Errorf("--fail-if %w", err)))
		}
	}
	return errors.Join(append(bad, all...)...) // the first has the exit code
}
